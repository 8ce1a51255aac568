// RFC 3339 text, read and written without a date formatter.
extension Timestamp: CustomStringConvertible {
    /// From 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    static let validSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// The same without the part of a second: for people, and as wide as any other in a column.
    package var wholeSeconds: Timestamp { Timestamp(seconds: seconds) }

    var isValid: Bool { Timestamp.validSeconds.contains(seconds) }

    /// Reads RFC 3339 text such as `2009-02-13T23:31:30.5+01:00`. Digits past the nanosecond are dropped.
    ///
    /// - Throws: `invalidArgument` when it is none; `overflow` when it lies outside the years 1 to 9999.
    package init(parsing text: String) throws(EvaluationError) {
        guard let time = Timestamp(unchecked: text) else {
            throw EvaluationError(
                .invalidArgument, "'\(text.prefix(40))' is not a timestamp, which looks like 2026-10-09T12:00:00Z")
        }
        try self.init(checking: time.seconds, nanoseconds: time.nanoseconds)
    }

    /// - Throws: `overflow` outside the years 1 to 9999.
    package init(checking seconds: Int64, nanoseconds: Int32 = 0) throws(EvaluationError) {
        guard Timestamp.validSeconds.contains(seconds) else {
            throw EvaluationError(.overflow, "the time is outside the years 1 to 9999")
        }
        self.init(seconds: seconds, nanoseconds: nanoseconds)
    }

    private init?(unchecked text: String) {
        var scanner = ByteScanner(text)
        guard
            let year = scanner.digits(4), scanner.skip("-"),
            let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), scanner.skip("T"),
            let hour = scanner.digits(2), scanner.skip(":"),
            let minute = scanner.digits(2), scanner.skip(":"),
            let second = scanner.digits(2),
            (1...12).contains(month), day >= 1, day <= CivilDate.daysIn(month: month, of: year),
            hour < 24, minute < 60, second < 60,
            let nanoseconds = scanner.fraction(),
            let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        self.init(
            seconds: Int64(days * 86_400 + hour * 3_600 + minute * 60 + second - offset),
            nanoseconds: Int32(nanoseconds))
    }

    /// RFC 3339 in UTC, with as many digits of the second as there are.
    package var description: String {
        let (date, secondOfDay) = civil(offset: 0)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
            + "T\(padded(secondOfDay / 3_600, 2)):\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2))"
            + "\(fractionText(Int(nanoseconds)))Z"
    }

    /// The date and the second of the day, `offset` seconds east of UTC.
    func civil(offset: Int) -> (date: CivilDate, secondOfDay: Int) {
        let local = Int(seconds) + offset
        let secondOfDay = (local % 86_400 + 86_400) % 86_400
        return (CivilDate(daysSince1970: (local - secondOfDay) / 86_400), secondOfDay)
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return digits.utf8.count >= width ? digits : String(repeating: "0", count: width - digits.utf8.count) + digits
}

/// `.5` for 500,000,000 nanoseconds, nothing for none.
func fractionText(_ nanoseconds: Int) -> String {
    guard nanoseconds > 0 else { return "" }
    var digits = padded(nanoseconds, 9)
    while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
    return "." + digits
}

/// Reads fixed formats byte by byte.
struct ByteScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() -> UInt8? { rest.popFirst() }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skip(word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest.removeFirst(word.utf8.count)
        return true
    }

    /// Exactly `count` digits.
    mutating func digits(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    mutating func digit() -> Int? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }

    /// The nanoseconds of an optional `.123…`; nil for a point without digits.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        guard var number = digit() else { return nil }
        var scale = 100_000_000
        number *= scale
        while let digit = digit() {
            scale /= 10
            number += digit * scale
        }
        return number
    }

    /// `Z` or `±hh:mm`, in seconds east of UTC.
    mutating func offset() -> Int? {
        if skip("Z") { return 0 }
        let sign = skip("-") ? -1 : skip("+") ? 1 : 0
        guard sign != 0, let hours = digits(2), skip(":"), let minutes = digits(2), hours < 24, minutes < 60 else {
            return nil
        }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
