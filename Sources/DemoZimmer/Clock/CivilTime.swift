/// A date and a time of day as written, before anyone says where: `2026-10-12T09:00:00`.
struct CivilTime: Sendable, Hashable {
    var year: Int
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0
    var second = 0
    var millisecond = 0
    /// Seconds east of UTC when the text named them: `Z` is 0, `-05:00` is -18,000.
    var offsetSeconds: Int?

    /// Reads the ISO 8601 forms that Zimmer accepts. Nil for anything else, impossible dates included.
    init?(_ text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
            let day = scanner.number(2), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        if scanner.isAtEnd { return }

        guard scanner.take("T") || scanner.take(" "), let hour = scanner.number(2), scanner.take(":"),
            let minute = scanner.number(2), hour < 24, minute < 60
        else { return nil }
        (self.hour, self.minute) = (hour, minute)
        if scanner.take(":") {
            guard let second = scanner.number(2), second < 60 else { return nil }
            self.second = second
            if scanner.take(".") {
                guard let millisecond = scanner.fraction() else { return nil }
                self.millisecond = millisecond
            }
        }
        if !scanner.isAtEnd {
            guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
            offsetSeconds = offset
        }
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

private struct DigitScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8.prefix(64))[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = rest.first, UInt32(byte) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ width: Int) -> Int? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest.removeFirst(width)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The digits after the point, to the millisecond; further ones are dropped.
    mutating func fraction() -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        return (digits.prefix(3) + repeatElement(0x30, count: max(0, 3 - digits.count)))
            .reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let sign = take("-") ? -1 : take("+") ? 1 : 0
        guard sign != 0, let hours = number(2) else { return nil }
        _ = take(":")
        guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
