package import CEL

/// A time in which Zimmer cannot be read.
package struct Outage: Hashable, Sendable, Codable {
    package var trouble: ZimmerTrouble
    /// Why the last reading failed, in words.
    package var reason: String
    /// When the first reading failed.
    package var since: Timestamp
    /// Since when it is this trouble.
    package var troubleSince: Timestamp
    package var failedReadings = 0
    package var missedSlots = 0

    package init(_ failure: ZimmerReach.Failure) {
        trouble = failure.error.trouble ?? .unreachable
        reason = failure.error.description
        since = failure.since
        troubleSince = failure.since
    }

    /// Goes on, perhaps for another reason.
    mutating func goOn(_ error: ZimmerError, at now: Timestamp) {
        let next = error.trouble ?? trouble
        if next != trouble { troubleSince = now }
        trouble = next
        reason = error.description
    }
}

/// The outage that lasts, and the one that has just ended.
struct Outages: Sendable {
    /// Kept over restarts.
    private(set) var current: Outage?
    /// Until it was said.
    private(set) var ended: Outage?
    private(set) var endedAt: Timestamp?

    init(current: Outage? = nil) {
        self.current = current
    }

    /// Takes what a reading said of Zimmer.
    mutating func note(_ trouble: ZimmerReach.Failure?, failed: Bool, at now: Timestamp) {
        guard let trouble else {
            guard let outage = current else { return }
            (ended, endedAt, current) = (outage, now, nil)
            return
        }
        current = current ?? Outage(trouble)
        current?.goOn(trouble.error, at: now)
        if failed { current?.failedReadings += 1 }
    }

    /// Counts slots that passed without running.
    mutating func count(missedSlots: Int) {
        current?.missedSlots += missedSlots
        ended?.missedSlots += missedSlots
    }

    /// What ended was said.
    mutating func forgetEnded() {
        ended = nil
    }
}
