package import CEL

/// A moment as a rule writes it: `monday 09:00`, `tomorrow 09:00`, `2026-10-12 09:00` on the wall, or an instant.
package enum LocalMoment: Hashable, Sendable {
    /// 0 is Sunday.
    case weekday(Int, hour: Int, minute: Int)
    case tomorrow(hour: Int, minute: Int)
    case date(year: Int, month: Int, day: Int, hour: Int, minute: Int)
    case instant(Timestamp)

    /// Nil when the text is none of those.
    package init?(parsing text: String) {
        if let instant = try? Timestamp(parsing: text) {
            self = .instant(instant)
            return
        }
        let words = text.split(separator: " ")
        guard words.count == 2, let (hour, minute) = Self.time(words[1]) else { return nil }
        let day = words[0].lowercased()
        if day == "tomorrow" {
            self = .tomorrow(hour: hour, minute: minute)
        } else if let index = CivilDate.weekdayNames.firstIndex(where: { $0 == day || $0.prefix(3) == day }) {
            self = .weekday(index, hour: hour, minute: minute)
        } else if let date = CivilDate(parsing: day) {
            self = .date(year: date.year, month: date.month, day: date.day, hour: hour, minute: minute)
        } else {
            return nil
        }
    }

    /// The instant meant at `now`: for a weekday the next one that is still to come. A date may lie in the past.
    package func next(after now: Timestamp, in zone: String) -> Timestamp {
        let clock = LocalClock.named(zone)
        let today = clock.local(now.seconds).flooredQuotient(86_400)
        func instant(_ day: Int64, _ hour: Int, _ minute: Int) -> Timestamp {
            Timestamp(seconds: clock.instant(ofLocal: day * 86_400 + Int64(hour * 3_600 + minute * 60)))
        }
        switch self {
        case .instant(let instant): return instant
        case .tomorrow(let hour, let minute): return instant(today + 1, hour, minute)
        case .date(let year, let month, let day, let hour, let minute):
            return instant(Int64(CivilDate(year: year, month: month, day: day).daysSinceEpoch), hour, minute)
        case .weekday(let weekday, let hour, let minute):
            let ahead = Int64((weekday - CivilDate.weekday(Int(today)) + 7) % 7)
            let first = instant(today + ahead, hour, minute)
            return first > now ? first : instant(today + ahead + 7, hour, minute)
        }
    }

    /// `09:00`, also `9:00`.
    static func time(_ text: some StringProtocol) -> (hour: Int, minute: Int)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = Int(digits: parts[0]), let minute = Int(digits: parts[1]), hour < 24, minute < 60
        else { return nil }
        return (hour, minute)
    }
}

extension CivilDate {
    /// `2026-10-12`.
    init?(parsing text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
            let year = Int(digits: parts[0]), let month = Int(digits: parts[1]), let day = Int(digits: parts[2]),
            year > 0, (1...12).contains(month), day > 0
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard day <= daysInMonth else { return nil }
    }

    /// `2026-10-12`.
    var text: String { "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))" }
}

extension Int {
    /// Only ASCII digits, few enough not to overflow.
    init?(digits text: some StringProtocol) {
        let bytes = text.utf8
        guard (1...18).contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self = bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
