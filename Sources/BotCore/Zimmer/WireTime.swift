package import CEL

/// Reading and writing the forms of time that Zimmer uses, without a calendar library.
package enum WireTime {
    /// An ISO 8601 instant: whole seconds or a fraction, `Z` or an offset. Nil when it is anything else.
    static func instant(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        var reader = DigitReader(text)
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"),
            let day = reader.digits(2), reader.take("T") || reader.take(" "), let hour = reader.digits(2),
            reader.take(":"), let minute = reader.digits(2), reader.take(":"), let second = reader.digits(2),
            let nanoseconds = reader.fraction(), let offset = reader.offset(), reader.isAtEnd,
            let days = Days.since1970(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let local = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + min(second, 59))
        let time = Timestamp(seconds: local - Int64(offset), nanoseconds: Int32(nanoseconds))
        return year >= 1 ? time : nil
    }

    package static func instant(_ text: String) -> Timestamp? {
        var text = text
        return text.withUTF8 { instant($0) }
    }

    /// The form of HTTP's `Date` header: `Fri, 09 Oct 2026 12:00:00 GMT`.
    package static func httpDate(_ text: String) -> Timestamp? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]), year <= 9999,
            let month = monthNames.firstIndex(of: String(words[2])),
            let days = Days.since1970(year: year, month: month + 1, day: day)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, 0..<24 ~= clock[0], 0..<60 ~= clock[1], 0...60 ~= clock[2] else { return nil }
        return Timestamp(seconds: Int64(days) * 86_400 + Int64(clock[0] * 3600 + clock[1] * 60 + clock[2]))
    }

    /// `2026-10-09T12:00:00` in UTC, whole seconds, without a zone.
    package static func wallClock(_ time: Timestamp) -> String {
        let (days, second) = time.seconds.quotientAndModulus(86_400)
        let (year, month, day) = Days.date(Int(days))
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T"
            + "\(pad(Int(second) / 3600, 2)):\(pad(Int(second) / 60 % 60, 2)):\(pad(Int(second) % 60, 2))"
    }

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Days of the proleptic Gregorian calendar, counted in years that begin in March so that leap days come last.
    enum Days {
        static func since1970(year: Int, month: Int, day: Int) -> Int? {
            guard 1...12 ~= month, 0...9999 ~= year, day >= 1, day <= length(of: month, in: year) else { return nil }
            let shifted = month > 2 ? year : year - 1
            let era = (shifted >= 0 ? shifted : shifted - 399) / 400
            let yearOfEra = shifted - era * 400
            let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
            return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        }

        static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
            let shifted = days + 719_468
            let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
            let dayOfEra = shifted - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let month = (5 * dayOfYear + 2) / 153
            let civil = month < 10 ? month + 3 : month - 9
            return (yearOfEra + era * 400 + (civil <= 2 ? 1 : 0), civil, dayOfYear - (153 * month + 2) / 5 + 1)
        }

        private static func length(of month: Int, in year: Int) -> Int {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        }
    }

    private struct DigitReader {
        private let text: UnsafeBufferPointer<UInt8>
        private var index = 0

        init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

        var isAtEnd: Bool { index == text.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            guard index + count <= text.count else { return nil }
            var value = 0
            for byte in text[index..<(index + count)] {
                guard ASCII.isDigit(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            index += count
            return value
        }

        /// Nanoseconds; further digits are cut off.
        mutating func fraction() -> Int? {
            guard take(".") else { return 0 }
            let start = index
            var value = 0
            while index < text.count, ASCII.isDigit(text[index]) {
                if index - start < 9 { value = value * 10 + Int(text[index] - UInt8(ascii: "0")) }
                index += 1
            }
            guard index > start else { return nil }
            for _ in min(index - start, 9)..<9 { value *= 10 }
            return value
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int? {
            if take("Z") || take("z") { return 0 }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
            _ = take(":")
            guard let minutes = digits(2), minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}

extension Int64 {
    /// Division rounded down, so that the modulus is never negative.
    fileprivate func quotientAndModulus(_ divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
