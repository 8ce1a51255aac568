import AdapterKit
import Testing

@Suite struct WallTimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1_791_547_320, "2026-10-09T12:02:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
        (-62_135_596_800, "0001-01-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"), (Int64.max, "9999-12-31T23:59:59Z"), (.min, "0000-01-01T00:00:00Z"),
    ])
    func `a time is written in UTC`(seconds: Int64, text: String) {
        #expect(WallTime(seconds: seconds).rfc3339 == text)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800),
    ])
    func `a header's date is read`(text: String, seconds: Int64) {
        #expect(WallTime(httpDate: text) == WallTime(seconds: seconds))
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    ])
    func `what is no date is refused`(text: String) {
        #expect(WallTime(httpDate: text) == nil)
    }

    @Test(arguments: [
        (Duration.seconds(1), WallTime(seconds: 11, nanoseconds: 500_000_000)),
        (.milliseconds(-600), WallTime(seconds: 9, nanoseconds: 900_000_000)),
        (.milliseconds(500), WallTime(seconds: 11)), (.milliseconds(-500), WallTime(seconds: 10)),
        (.milliseconds(-11_500), WallTime(seconds: -1)),
    ])
    func `adding and subtracting agree`(offset: Duration, sum: WallTime) {
        let start = WallTime(seconds: 10, nanoseconds: 500_000_000)
        #expect(start + offset == sum)
        #expect(sum - start == offset)
    }
}
