/// Date and time of day in the proleptic Gregorian calendar, without a zone.
package struct CivilTime: Hashable, Sendable {
    package var year: Int
    /// 1 ... 12.
    package var month: Int
    /// 1 ... 31.
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The civil time that many seconds after 1970-01-01T00:00:00.
    package init(secondsSince1970 seconds: Int64) {
        let (days, rest) = seconds.dividedRoundingDown(by: 86_400)
        // Years are counted from March, so that the leap day is the last day of one; eras are 400 of them.
        let (era, dayOfEra) = (days + 719_468).dividedRoundingDown(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.init(
            year: Int(era * 400 + yearOfEra + (month <= 2 ? 1 : 0)), month: Int(month),
            day: Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1),
            hour: Int(rest / 3_600), minute: Int(rest / 60 % 60), second: Int(rest % 60))
    }

    /// The inverse of `init(secondsSince1970:)` for a valid civil time.
    package var secondsSince1970: Int64 {
        let yearFromMarch = Int64(month <= 2 ? year - 1 : year)
        let (era, yearOfEra) = yearFromMarch.dividedRoundingDown(by: 400)
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// Whether the month has this day and the day has this time. No leap seconds.
    package var isValid: Bool {
        (1...12).contains(month) && (1...Self.days(in: month, of: year)).contains(day)
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
    }

    /// 1 on the first of January.
    package var dayOfYear: Int {
        let newYear = CivilTime(year: year, month: 1, day: 1).secondsSince1970
        return Int((CivilTime(year: year, month: month, day: day).secondsSince1970 - newYear) / 86_400) + 1
    }

    /// 0 on Sundays.
    package var dayOfWeek: Int {
        // The first of January 1970 was a Thursday.
        let days = CivilTime(year: year, month: month, day: day).secondsSince1970 / 86_400
        return Int((days + 4).dividedRoundingDown(by: 7).remainder)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// Quotient and remainder for a positive divisor, the remainder never negative.
    func dividedRoundingDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
