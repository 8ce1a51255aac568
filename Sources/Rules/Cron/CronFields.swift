/// The five fields of a cron expression, as sets.
struct CronFields: Sendable {
    /// Seconds after midnight, in order: every minute of the matching hours.
    let times: [Int64]
    /// Neither the minute nor the hour begins with `*`.
    let isFixedTime: Bool
    /// Neither day field begins with `*`, so that a day matches when either does; otherwise both have to.
    let matchesEitherDay: Bool

    private let months: UInt64
    private let monthDays: MonthDays
    private let weekdays: Weekdays

    init(parsing text: String) throws(CronError) {
        let parts = try Self.split(text)
        let minutes = try CronSet(parts[0], .minute)
        let hours = try CronSet(parts[1], .hour)
        times = (0..<24).filter { hours.contains($0) }.flatMap { hour in
            (0..<60).filter { minutes.contains($0) }.map { Int64(hour * 3_600 + $0 * 60) }
        }
        isFixedTime = !parts[0].startsWithStar && !parts[1].startsWithStar
        monthDays = try MonthDays(parts[2])
        months = try CronSet(parts[3], .month).bits
        weekdays = try Weekdays(parts[4])
        matchesEitherDay = !parts[2].startsWithStar && !parts[4].startsWithStar
    }

    func hasMonth(_ month: Int) -> Bool { months & (1 << UInt64(month)) != 0 }

    func matchesDay(_ date: CivilDate) -> Bool {
        matchesEitherDay
            ? monthDays.contains(date) || weekdays.contains(date) : monthDays.contains(date) && weekdays.contains(date)
    }

    private static let words: [String: String] = [
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
        "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
    ]

    private static func split(_ text: String) throws(CronError) -> [CronPart] {
        let parts = CronPart(text).split(on: [0x20, 0x09]).filter { !$0.text.isEmpty }
        if let word = parts.first, word.text.hasPrefix("@") {
            guard parts.count == 1, let fields = words[word.text.lowercased()] else {
                let known = words.keys.sorted().joined(separator: " ")
                throw CronError("'\(text)' is no schedule word: there are \(known)", at: word.range)
            }
            return CronPart(fields).split(on: [0x20])
        }
        guard parts.count == 5 else {
            throw CronError(
                "a schedule has five fields, minute hour day month weekday; this one has \(parts.count)",
                at: 0..<text.utf8.count)
        }
        return parts
    }
}

/// Which days of a month match.
struct MonthDays: Sendable {
    private var days: UInt64 = 0
    /// `L`.
    private var hasLast = false
    /// `LW`: the last day from Monday to Friday.
    private var hasLastWorkday = false
    /// `15W`: the day from Monday to Friday that is nearest, within the month.
    private var nearestWorkdays: [Int] = []

    init(_ field: CronPart) throws(CronError) {
        for part in field.split(on: [0x2C]) {
            switch part.text.uppercased() {
            case "L": hasLast = true
            case "LW": hasLastWorkday = true
            case let text where text.hasSuffix("W"):
                nearestWorkdays.append(try CronUnit.monthDay.number(part.dropLast()))
            default: days |= try CronSet(item: part, .monthDay).bits
            }
        }
    }

    func contains(_ date: CivilDate) -> Bool {
        let last = date.daysInMonth
        return days & (1 << UInt64(date.day)) != 0
            || hasLast && date.day == last
            || hasLastWorkday && date.day == Self.workday(nearest: last, date)
            || nearestWorkdays.contains { $0 <= last && date.day == Self.workday(nearest: $0, date) }
    }

    private static func workday(nearest day: Int, _ month: CivilDate) -> Int {
        switch CivilDate(year: month.year, month: month.month, day: day).weekday {
        case 6: day > 1 ? day - 1 : day + 2
        case 0: day < month.daysInMonth ? day + 1 : day - 2
        default: day
        }
    }
}

/// Which weekdays match.
struct Weekdays: Sendable {
    /// 0 is Sunday.
    private var days: UInt64 = 0
    /// `1#2`: the second Monday of the month.
    private var nth: [(weekday: Int, number: Int)] = []
    /// `5L`: the last Friday of the month.
    private var last: [Int] = []

    init(_ field: CronPart) throws(CronError) {
        for part in field.split(on: [0x2C]) {
            let halves = part.split(on: [0x23])
            if halves.count == 2 {
                guard let number = Int(halves[1].text), (1...5).contains(number) else {
                    throw CronError("'\(part.text)': a month has weekdays #1 to #5", at: halves[1].range)
                }
                nth.append((try CronUnit.weekday.number(halves[0]) % 7, number))
            } else if part.text.count > 1, part.text.uppercased().hasSuffix("L") {
                last.append(try CronUnit.weekday.number(part.dropLast()) % 7)
            } else {
                days |= try CronSet(item: part, .weekday).bits
            }
        }
        if days & 0x80 != 0 { days |= 1 }
    }

    func contains(_ date: CivilDate) -> Bool {
        let weekday = date.weekday
        return days & (1 << UInt64(weekday)) != 0
            || nth.contains { $0.weekday == weekday && (date.day - 1) / 7 + 1 == $0.number }
            || last.contains { $0 == weekday && date.day + 7 > date.daysInMonth }
    }
}
