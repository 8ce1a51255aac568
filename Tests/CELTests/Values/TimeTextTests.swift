import Testing

@testable import CEL

@Suite struct TimestampTextTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"),
        ("2009-02-13T23:31:30Z", 1_234_567_890, 0, "2009-02-13T23:31:30Z"),
        ("2009-02-14T00:31:30.5+01:00", 1_234_567_890, 500_000_000, "2009-02-13T23:31:30.5Z"),
        ("2009-02-13T14:01:30-09:30", 1_234_567_890, 0, "2009-02-13T23:31:30Z"),
        ("0001-01-01T00:00:00Z", -62_135_596_800, 0, "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
        ("2000-02-29T00:00:00.000000001Z", 951_782_400, 1, "2000-02-29T00:00:00.000000001Z"),
        ("1969-12-31T23:59:59.25Z", -1, 250_000_000, "1969-12-31T23:59:59.25Z"),
        ("1969-12-31t23:59:59.1234567899z", -1, 123_456_789, "1969-12-31T23:59:59.123456789Z"),
    ])
    func `a timestamp reads and prints`(text: String, seconds: Int64, nanoseconds: Int32, printed: String) throws {
        let timestamp = try Timestamp(parsing: text)
        #expect(timestamp == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
        #expect(timestamp.description == printed)
    }

    @Test(arguments: [
        "", "2009", "2009-02-13", "2009-02-13T23:31:30", "2009-02-30T00:00:00Z", "1900-02-29T00:00:00Z",
        "2009-13-01T00:00:00Z", "2009-02-13T24:00:00Z", "2009-02-13T23:60:00Z", "2009-02-13T23:31:60Z",
        "2009-02-13T23:31:30.Z", "2009-02-13T23:31:30Zx", "2009-02-13T23:31:30+24:00", "2009-02-13 23:31:30Z",
        "٢٠٠٩-02-13T23:31:30Z", "-009-02-13T23:31:30Z",
    ])
    func `a text that is no timestamp is refused`(text: String) {
        #expect(code { try Timestamp(parsing: text) } == .invalidArgument)
    }

    @Test(arguments: ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"])
    func `a timestamp outside the years 1 to 9999 is refused`(text: String) {
        #expect(code { try Timestamp(parsing: text) } == .overflow)
    }

    @Test func `every day of 400 years converts back`() {
        for day in Int64(-80_000)..<80_000 {
            let civil = CivilTime(secondsSince1970: day * 86_400 + 1)
            #expect(civil.isValid && civil.secondsSince1970 == day * 86_400 + 1)
        }
    }

    @Test func `sums and differences stay in range or are errors`() throws {
        let second = Duration.seconds(1)
        #expect(try Timestamp(seconds: 5).adding(second) == Timestamp(seconds: 6))
        #expect(code { try Timestamp.latest.adding(.nanoseconds(1)) } == .overflow)
        #expect(code { try Timestamp.earliest.adding(.nanoseconds(-1)) } == .overflow)
        #expect(code { try Timestamp.latest.subtracting(.earliest) } == .overflow)
        #expect(code { try Timestamp(seconds: .max).adding(second) } == .overflow)
        #expect(code { try Timestamp(seconds: .max).subtracting(Timestamp(seconds: .min)) } == .overflow)
        #expect(
            try Timestamp(seconds: 7).subtracting(Timestamp(seconds: 5, nanoseconds: 1)) == .nanoseconds(1_999_999_999))
        #expect(code { try Duration.seconds(Int64.max).adding(second) } == .overflow)
        #expect(code { try Duration.seconds(200_000_000_000).subtracting(.seconds(-200_000_000_000)) } == .overflow)
    }
}

@Suite struct DurationTextTests {
    @Test(
        arguments: [
            ("0", .zero, "0s"),
            ("1s", .seconds(1), "1s"),
            ("1h30m", .seconds(5_400), "5400s"),
            ("-1.5s", .milliseconds(-1_500), "-1.5s"),
            ("-0.5s", .milliseconds(-500), "-0.5s"),
            ("100ms", .milliseconds(100), "0.1s"),
            ("1us", .microseconds(1), "0.000001s"),
            ("+1ns", .nanoseconds(1), "0.000000001s"),
            ("1.1h1.1m", .seconds(4_026), "4026s"),
            ("0.0000000001h", .nanoseconds(360), "0.00000036s"),
            ("315576000000s", .seconds(315_576_000_000), "315576000000s"),
            ("1h45m47s", .seconds(6_347), "6347s"),
        ] as [(String, Duration, String)])
    func `a duration reads and prints`(text: String, duration: Duration, printed: String) throws {
        #expect(try Duration(parsing: text) == duration)
        #expect(duration.celText == printed)
    }

    @Test(arguments: ["", "1", "s", "-", "1.s", ".5s", "1 s", "1x", "1m1", "--1s", "1s-1s", "1e3s"])
    func `a text that is no duration is refused`(text: String) {
        #expect(code { try Duration(parsing: text) } == .invalidArgument)
    }

    @Test(arguments: ["315576000001s", "-315576000000.000000001s", "99999999999999999999999999999h"])
    func `a duration out of range is refused`(text: String) {
        #expect(code { try Duration(parsing: text) } == .overflow)
    }

    @Test func `many huge terms are out of range, not a trap`() {
        let text = String(repeating: "9999999999999999999h", count: 10_000)
        #expect(code { try Duration(parsing: text) } == .overflow)
    }
}

/// The code of the error that `body` throws; nil when it throws none.
func code(_ body: () throws -> some Any) -> EvaluationError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? EvaluationError)?.code
    }
}
