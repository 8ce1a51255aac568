/// The days on which a schedule's fields match, in order.
struct CivilDays {
    /// After so many days the calendar repeats, weekdays included.
    static let cycle = 146_097

    private let fields: CronFields

    init(_ fields: CronFields) {
        self.fields = fields
    }

    func matches(_ day: Int) -> Bool {
        let date = CivilDate(daysSinceEpoch: day)
        return fields.hasMonth(date.month) && fields.matchesDay(date)
    }

    /// The first matching day from `day` on; nil when no day of the whole calendar matches.
    func next(from day: Int) -> Int? {
        var candidate = day
        while candidate - day <= Self.cycle {
            var date = CivilDate(daysSinceEpoch: candidate)
            if fields.hasMonth(date.month) {
                while date.day <= date.daysInMonth {
                    if fields.matchesDay(date) { return date.daysSinceEpoch }
                    date.day += 1
                }
            }
            candidate = CivilDate(year: date.year, month: date.month, day: 1).daysSinceEpoch + date.daysInMonth
        }
        return nil
    }

    /// The last matching day up to `day`.
    func previous(from day: Int) -> Int? {
        var candidate = day
        while day - candidate <= Self.cycle {
            var date = CivilDate(daysSinceEpoch: candidate)
            if fields.hasMonth(date.month) {
                while date.day >= 1 {
                    if fields.matchesDay(date) { return date.daysSinceEpoch }
                    date.day -= 1
                }
            }
            candidate = CivilDate(year: date.year, month: date.month, day: 1).daysSinceEpoch - 1
        }
        return nil
    }
}
