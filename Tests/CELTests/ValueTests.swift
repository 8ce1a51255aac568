import CEL
import Testing

@Suite struct ValueTests {
    @Test(
        arguments: [
            "null", "true", "-9223372036854775808", "18446744073709551615u", "-0.5", "1e300", "'a\"\\n\\u0007é🐱'",
            "b'\\x00\\xff'", "[1, [2u, 'x']]", "{'a': 1, 2: [3.0], true: null}",
            "timestamp('2026-10-09T12:00:00.000000001Z')",
            "duration('-1.5s')", "int", "optional.of(1)", "optional.none()", "timestamp('0001-01-01T00:00:00Z')",
        ])
    func `tagged JSON reads back as the same value`(source: String) throws {
        let environment = Environment()
        let value = try environment.compile(source).evaluate(Activation(environment))
        let again = try Value(taggedJSON: value.taggedJSON)
        #expect(again.equals(value))
        #expect(again.typeName == value.typeName)
    }

    @Test(
        arguments: [
            "", "{", "[]", "{\"t\":\"int\"}", "{\"t\":\"int\",\"v\":2}",
            "{\"t\":\"int\",\"v\":\"99999999999999999999\"}",
            "{\"t\":\"map\",\"v\":[[{\"t\":\"null\"},{\"t\":\"null\"}]]}", "{\"t\":\"nothing\",\"v\":\"\"}",
            "{\"t\":\"bytes\",\"v\":\"*\"}", "{\"t\":\"timestamp\",\"seconds\":\"999999999999\",\"nanos\":0}",
            String(repeating: "[", count: 100_000),
        ])
    func `what is no tagged value is refused`(text: String) {
        #expect(throws: EvaluationError.self) { try Value(taggedJSON: text) }
    }

    @Test(
        arguments: [
            "0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00Z", "2000-02-29T12:30:45.5Z",
            "2026-10-09T12:00:00Z", "9999-12-31T23:59:59.999999999Z",
        ])
    func `a timestamp's text reads back`(text: String) throws {
        #expect(try Timestamp(parsing: text).description == text)
    }

    @Test(
        arguments: [
            "", "2026-10-09", "2026-10-09 12:00:00Z", "2026-13-09T12:00:00Z", "2026-02-29T12:00:00Z",
            "2026-10-09T24:00:00Z",
            "2026-10-09T12:00:60Z", "2026-10-09T12:00:00", "2026-10-09T12:00:00.Z", "2026-10-09T12:00:00+2:00",
            "0000-12-31T00:00:00Z", "0001-01-01T00:00:00+01:00", "９999-10-09T12:00:00Z", "2026-10-09T12:00:00Zx",
        ])
    func `what is no timestamp is refused`(text: String) {
        #expect(throws: EvaluationError.self) { try Timestamp(parsing: text) }
    }

    @Test(
        arguments: [
            ("0", "0s"), ("1h2m3s", "3723s"), ("-1.5s", "-1.5s"), ("+90m", "5400s"), ("1ms1us1ns", "0.001001001s"),
            (".5s", "0.5s"), ("1µs", "0.000001s"), ("9223372036.854775807s", "9223372036.854775807s"),
            ("-9223372036.854775808s", "-9223372036.854775808s"), ("1.9999999999s", "1.999999999s"),
        ])
    func `a duration is read and written`(text: String, written: String) throws {
        #expect(try Duration(parsing: text).celText == written)
    }

    @Test(
        arguments: [
            "", "-", "1", "h", "1d", "1h ", "1.h2", "9223372036.854775808s", "99999999999999999999h", "1e3s", "--1s",
            "1s-1s",
            String(repeating: "9", count: 10_000) + "s",
        ])
    func `what is no duration is refused`(text: String) {
        #expect(throws: EvaluationError.self) { try Duration(parsing: text) }
    }

    /// A board of ten thousand sessions is half a million values.
    @Test func `a value takes three words`() {
        #expect(MemoryLayout<Value>.stride == 24)
    }

    @Test func `every day of four centuries has its date`() {
        var date = Timestamp(seconds: 946_684_800)
        var expected = (year: 2000, month: 1, day: 1)
        for _ in 0..<146_097 {
            let text = date.description
            guard text == "\(expected.year)-\(padded(expected.month))-\(padded(expected.day))T00:00:00Z" else {
                Issue.record("\(text) is not \(expected)")
                return
            }
            date.seconds += 86_400
            advance(&expected)
        }
        #expect(expected == (2400, 1, 1))
    }

    private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private func advance(_ date: inout (year: Int, month: Int, day: Int)) {
        let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        date.day += 1
        guard date.day > lengths[date.month - 1] else { return }
        date.day = 1
        date.month += 1
        guard date.month > 12 else { return }
        date.month = 1
        date.year += 1
    }
}
