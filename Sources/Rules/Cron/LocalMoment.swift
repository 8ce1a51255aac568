package import CEL

/// A wall-clock moment as a rule writes it: `monday 09:00`, `tomorrow 09:00`, `2026-10-12 09:00`.
package enum LocalMoment: Hashable, Sendable {
    case weekday(Int, hour: Int, minute: Int)
    case tomorrow(hour: Int, minute: Int)
    case date(year: Int, month: Int, day: Int, hour: Int, minute: Int)

    /// The first such moment after `now`, in a zone.
    package func next(after now: Timestamp, in zone: String) -> Timestamp {
        now
    }
}
