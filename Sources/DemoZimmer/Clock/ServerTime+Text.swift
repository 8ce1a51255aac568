extension ServerTime {
    /// `2026-10-09T10:00:00Z`: how most of the API writes a time.
    package var iso8601: String {
        let (date, clock, _) = fields
        return "\(dateText(date))T\(clockText(clock))Z"
    }

    /// `2026-10-09T10:00:00.123Z`: how the health report writes some times.
    package var iso8601WithMilliseconds: String {
        let (date, clock, milliseconds) = fields
        return "\(dateText(date))T\(clockText(clock)).\(padded(milliseconds, 3))Z"
    }

    /// `2026-10-09`: the UTC day.
    package var day: String { dateText(fields.date) }

    /// `Fri, 09 Oct 2026 10:00:00 GMT`: the `Date` header.
    package var httpDate: String {
        let (date, clock, _) = fields
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let days = millisecondsSince1970.floorDivided(by: 86_400_000)
        let weekday = weekdays[Int(days - days.floorDivided(by: 7) * 7)]
        return "\(weekday), \(padded(date.day, 2)) \(months[date.month - 1]) \(padded(date.year, 4)) "
            + "\(clockText(clock)) GMT"
    }

    /// Reads `2026-10-09`, `2026-10-09T10:00`, with seconds, a fraction, `Z` or an offset; without one it is UTC.
    package init?(iso8601 text: String) {
        guard let parsed = CivilTime(text) else { return nil }
        self.init(parsed, offsetSeconds: parsed.offsetSeconds ?? 0)
    }

    /// A wall-clock reading at a known distance from UTC.
    init(_ civil: CivilTime, offsetSeconds: Int) {
        let days = daysSince1970(year: civil.year, month: civil.month, day: civil.day)
        let seconds = days * 86_400 + civil.hour * 3600 + civil.minute * 60 + civil.second - offsetSeconds
        self.init(millisecondsSince1970: Int64(seconds) * 1000 + Int64(civil.millisecond))
    }

    private typealias DateFields = (year: Int, month: Int, day: Int)
    private typealias ClockFields = (hour: Int, minute: Int, second: Int)

    private var fields: (date: DateFields, clock: ClockFields, milliseconds: Int) {
        let days = millisecondsSince1970.floorDivided(by: 86_400_000)
        let rest = Int(millisecondsSince1970 - days * 86_400_000)
        let clock = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60)
        return (civilDate(daysSince1970: Int(days)), clock, rest % 1000)
    }

    private func dateText(_ date: DateFields) -> String {
        "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    }

    private func clockText(_ clock: ClockFields) -> String {
        "\(padded(clock.hour, 2)):\(padded(clock.minute, 2)):\(padded(clock.second, 2))"
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Days from 1970-01-01 to a date of the Gregorian calendar. Years are taken to begin in March, so that the leap
/// day comes last and every month before it has a fixed place.
private func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year.floorDivided(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

private func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
}
