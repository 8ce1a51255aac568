package import CEL

/// Times of the week in which messages wait: `quiet` of a rule or a channel.
package struct QuietHours: Hashable, Sendable {
    private let windows: [WeekWindow]
    package let timeZone: String

    /// Nil when a text is no window.
    package init?(_ windows: [String], timeZone: String) {
        let parsed = windows.compactMap(WeekWindow.init)
        guard parsed.count == windows.count else { return nil }
        self.init(parsed, timeZone)
    }

    /// The same times on the wall clock of another zone.
    func moved(to timeZone: String) -> QuietHours {
        QuietHours(windows, timeZone)
    }

    private init(_ windows: [WeekWindow], _ timeZone: String) {
        self.windows = windows
        self.timeZone = timeZone
    }

    /// When the quiet that holds at `time` is over; nil where none holds. Windows that touch are one.
    ///
    /// The wall clock decides, so a night in which it is changed is an hour shorter or longer.
    ///
    /// - Complexity: O(windows), a few times.
    package func end(at time: Timestamp) -> Timestamp? {
        let clock = LocalClock.named(timeZone)
        var end = clock.local(time.seconds)
        var isQuiet = false
        // A week of windows that touch: nothing shorter goes round.
        for _ in 0..<Self.mostWindows {
            guard let next = windows.compactMap({ $0.end(at: end) }).max() else { break }
            isQuiet = true
            end = next
        }
        guard isQuiet else { return nil }
        // Of an end in the hour that comes twice the first counts: when that is past, so is the quiet.
        let instant = Timestamp(seconds: clock.instant(ofLocal: end))
        return instant > time ? instant : nil
    }

    /// The windows leave no time at all in which a message could go.
    package var isEndless: Bool {
        let anyTime: Int64 = 0
        var end = anyTime
        while end < anyTime + 8 * 86_400 {
            guard let next = windows.compactMap({ $0.end(at: end) }).max() else { return false }
            end = next
        }
        return true
    }

    /// Of several that hold for one message: together they leave no time, in the eight days from `time`, in which it could
    /// go.
    static func areEndless(_ hours: [QuietHours], from time: Timestamp) -> Bool {
        let end = time + .seconds(8 * 86_400)
        var now = time
        while now < end {
            guard let next = hours.compactMap({ $0.end(at: now) }).max() else { return false }
            now = next
        }
        return true
    }

    private static let mostWindows = 20
}

extension Timestamp {
    /// `2026-10-09 22:14` on the wall clock of a zone.
    package func minuteText(in timeZone: String) -> String {
        let clock = LocalClock.named(timeZone)
        return (try? DatePattern("yyyy-MM-dd HH:mm").format(self, on: clock)) ?? "\(self)"
    }
}
