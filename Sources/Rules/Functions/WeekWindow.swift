/// Times of the week as `within()` names them: `mon-fri 09:00-17:00`, `sat,sun`, `22:00-07:00`.
///
/// The days are those on which a window begins; one that ends before it begins runs past midnight.
struct WeekWindow: Hashable, Sendable {
    static let help = "within() takes days, times or both, such as \"mon-fri 09:00-17:00\""

    /// By weekday, 0 is Sunday.
    private var days: [Bool]
    /// Minutes after midnight; an end beyond 1440 lies on the day after.
    private var start: Int
    private var end: Int

    /// Nil when the text is no window.
    init?(parsing text: String) {
        let words = text.split(separator: " ")
        guard let first = words.first, words.count <= 2 else { return nil }
        var times = words.last
        days = Array(repeating: true, count: 7)
        if let named = Self.days(first) {
            days = named
            times = words.count == 2 ? words[1] : nil
        } else if words.count == 2 {
            return nil
        }
        (start, end) = (0, 1_440)
        guard let times else { return }
        let ends = times.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = Self.minutes(ends[0]), let end = Self.minutes(ends[1]), start < 1_440,
            start != end
        else { return nil }
        self.start = start
        self.end = end < start ? end + 1_440 : end
    }

    /// - Parameter local: seconds on the wall clock, counted as if it were UTC.
    func contains(_ local: Int64) -> Bool {
        end(at: local) != nil
    }

    /// When the window that is open at `local` closes; nil when none is. In local seconds, as `contains`.
    func end(at local: Int64) -> Int64? {
        let day = local.flooredQuotient(86_400)
        let minute = Int(local - day * 86_400) / 60
        let weekday = CivilDate.weekday(Int(day))
        let ends = [(day, days[weekday]), (day - 1, days[(weekday + 6) % 7])].compactMap { begin, opens -> Int64? in
            let passed = minute + Int(day - begin) * 1_440
            return opens && (start..<end).contains(passed) ? begin * 86_400 + Int64(end) * 60 : nil
        }
        return ends.max()
    }

    private static func days(_ text: Substring) -> [Bool]? {
        var days = Array(repeating: false, count: 7)
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = item.split(separator: "-", omittingEmptySubsequences: false).map(weekday)
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
            var day = first
            days[day] = true
            while day != last {
                day = (day + 1) % 7
                days[day] = true
            }
        }
        return days
    }

    private static func weekday(_ name: Substring) -> Int? {
        let name = name.lowercased()
        return CivilDate.weekdayNames.firstIndex { $0 == name || $0.prefix(3) == name }
    }

    /// `09:00`, up to `24:00`.
    private static func minutes(_ text: Substring) -> Int? {
        if text == "24:00" { return 1_440 }
        return LocalMoment.time(text).map { $0.hour * 60 + $0.minute }
    }
}
