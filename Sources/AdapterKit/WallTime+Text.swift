extension WallTime {
    /// As RFC 3339 writes it, in UTC and whole seconds: `2026-10-09T12:02:00Z`. Years outside 0 … 9999 are clamped.
    public var rfc3339: String {
        let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799)
        let days = clamped.flooredQuotient(by: 86_400)
        let second = Int(clamped - days * 86_400)
        let (year, month, day) = Self.civil(days: Int(days))
        let date = "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
        let hour = Self.padded(second / 3600, to: 2)
        return "\(date)T\(hour):\(Self.padded(second / 60 % 60, to: 2)):\(Self.padded(second % 60, to: 2))Z"
    }

    /// Reads a date as HTTP headers write it (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`. The two obsolete
    /// forms are not read.
    public init?(httpDate text: String) {
        let parts = text.split(separator: " ")
        guard
            text.utf8.count <= 40, parts.count == 6, parts[5] == "GMT",
            let day = Self.number(parts[1]), let month = Self.months.firstIndex(of: String(parts[2])),
            let year = Self.number(parts[3]), (1...31).contains(day), (1601...9999).contains(year)
        else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false).map(Self.number)
        guard
            time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = Self.days(year: year, month: month + 1, day: day)
        self.init(seconds: Int64(days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    // Both count in years that begin on 1 March, where the leap day is the last one, in eras of 400 years.

    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension BinaryInteger {
    fileprivate func flooredQuotient(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
