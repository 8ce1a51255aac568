package import CEL
package import Foundation
package import Rules

/// A window of costs with its ends fixed.
package struct CostsInterval: Hashable, Sendable {
    package var from: Timestamp
    package var to: Timestamp
    package var agentRoot: String?
    /// Of one session alone.
    package var session: Int64?

    package init(from: Timestamp, to: Timestamp, agentRoot: String? = nil, session: Int64? = nil) {
        self.from = from
        self.to = to
        self.agentRoot = agentRoot
        self.session = session
    }

    /// The window at an instant: days, weeks (from Monday) and months of the calendar in `zone`. `today`, `week` and
    /// `month` end at the instant, `yesterday` ends where today begins.
    package init(_ window: CostsWindow, in zone: TimeZone, at instant: Timestamp) {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: Double(instant.seconds))
        let today = calendar.startOfDay(for: date)
        let from: Date
        var to = instant
        switch window.span {
        case .today: from = today
        case .yesterday:
            // From the middle of the day before, as a day may have 23 or 25 hours.
            from = calendar.startOfDay(for: today.addingTimeInterval(-12 * 3600))
            to = Timestamp(today)
        case .week: from = calendar.dateInterval(of: .weekOfYear, for: date)?.start ?? today
        case .month: from = calendar.dateInterval(of: .month, for: date)?.start ?? today
        case .back(let duration):
            self.init(from: instant - duration, to: instant, agentRoot: window.agentRoot)
            return
        }
        self.init(from: Timestamp(from), to: to, agentRoot: window.agentRoot)
    }
}

extension Timestamp {
    /// Whole seconds: the ends of calendar days have no more.
    fileprivate init(_ date: Date) {
        self.init(seconds: Int64(date.timeIntervalSince1970.rounded(.down)))
    }
}
