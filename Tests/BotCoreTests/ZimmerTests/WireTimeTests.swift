import CEL
import Testing

@testable import BotCore

@Suite struct WireTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0, 0), ("2026-10-09T12:00:00Z", 1_791_547_200, 0),
        ("2026-10-09T12:00:00.512Z", 1_791_547_200, 512_000_000),
        ("2026-10-09T11:00:00.250+02:00", 1_791_536_400, 250_000_000),
        ("2026-10-09T12:00:00-0130", 1_791_552_600, 0), ("2024-02-29T23:59:59z", 1_709_251_199, 0),
        ("1969-12-31T23:59:59.1234567891Z", -1, 123_456_789), ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
        ("9999-12-31T23:59:59Z", 253_402_300_799, 0), ("2000-02-29 00:00:00Z", 951_782_400, 0),
    ])
    func `instants are read to the nanosecond`(text: String, seconds: Int64, nanoseconds: Int32) {
        #expect(WireTime.instant(text) == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(arguments: [
        "", "soon", "2026-10-09", "2026-10-09T12:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-00-10T00:00:00Z", "2026-10-00T00:00:00Z", "2026-10-09T24:00:00Z",
        "2026-10-09T12:60:00Z", "2026-10-09T12:00:61Z", "2026-10-09T12:00:00.Z", "2026-10-09T12:00:00Zx",
        "2026-10-09T12:00:00+25:00", "+026-10-09T12:00:00Z", "0000-01-01T00:00:00Z", "２026-10-09T12:00:00Z",
        "99999-10-09T12:00:00Z", "2026-10-09T12:00:00+", "1791547200",
    ])
    func `what is no instant is none`(text: String) {
        #expect(WireTime.instant(text) == nil)
    }

    @Test func `every day of four centuries is written as it is read`() {
        var seconds: Int64 = -62_135_596_800 + 43_261
        while seconds < -62_135_596_800 + 146_097 * 86_400 {
            let time = Timestamp(seconds: seconds)
            #expect(WireTime.instant(WireTime.wallClock(time) + "Z") == time)
            seconds += 86_400
        }
    }

    @Test(
        arguments: [
            ("Fri, 09 Oct 2026 12:00:00 GMT", 1_791_547_200), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("09 Oct 2026 12:00:00 GMT", nil),
            ("Fri, 09 Oct 2026 12:00 GMT", nil), ("Fri, 99 Oct 2026 12:00:00 GMT", nil),
            ("Fri, 09 Oct 99999999999999999999 12:00:00 GMT", nil), ("Fri, 09 Foo 2026 12:00:00 GMT", nil),
            ("Fri, 09 Oct 2026 12:00:99999999999999999 GMT", nil), ("", nil),
        ] as [(String, Int64?)])
    func `the form of HTTP dates is read`(text: String, seconds: Int64?) {
        #expect(WireTime.httpDate(text) == seconds.map { Timestamp(seconds: $0) })
    }

    @Test func `a time is written without a zone`() {
        #expect(WireTime.wallClock(Timestamp(seconds: 1_791_547_200, nanoseconds: 9)) == "2026-10-09T12:00:00")
        #expect(WireTime.wallClock(Timestamp(seconds: -1)) == "1969-12-31T23:59:59")
    }
}
