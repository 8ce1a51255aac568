package import CEL

extension CronSchedule {
    /// What has come due.
    package struct Due: Hashable, Sendable {
        /// To run, oldest first.
        package var slots: [Slot] = []
        /// Passed without running, oldest first; the latest ones when there are more than `most`.
        package var skipped: [Timestamp] = []
        /// The first slot after now.
        package var next: Timestamp?
    }

    /// So many slots run at once under `missed: all`.
    static let most = 24
    /// A slot that is younger counts as on time, so that a reading that takes long or fails once does not make it missed.
    private static let punctual: Duration = .seconds(300)
    private static let oldest: Duration = .seconds(6 * 3_600)

    /// Wall clocks are corrected by so much now and then; what was run already is not run again for that.
    package static let correction: Duration = .seconds(3 * 3_600)

    /// Whether `next`, which was the slot after some instant, cannot have been that a short while ago: the clock was far
    /// ahead then.
    package func isBeyondReach(_ next: Timestamp, now: Timestamp, in zone: String) -> Bool {
        guard next > now, let latest = self.next(after: now + Self.correction, in: zone) else { return false }
        return next > latest
    }

    /// Sorts the slots from `first` on, up to `now`, into those to run and those to leave out.
    package func due(from first: Timestamp, now: Timestamp, in zone: String, missed: Missed) -> Due {
        guard first <= now else { return Due(next: first) }
        var passed: [Timestamp] = []
        var latest = self.latest(atOrBefore: now, in: zone)
        while let time = latest, time >= first, passed.count <= Self.most {
            passed.append(time)
            latest = self.latest(atOrBefore: time - .nanoseconds(1), in: zone)
        }
        var due = Due(next: next(after: now, in: zone))
        guard let last = passed.first else { return due }
        let age = now - last
        let half = due.next.map { ($0 - last) / 2 } ?? Self.oldest
        let isOnTime = age < min(Self.punctual, half)
        let running: Int
        switch missed {
        case .skip: running = isOnTime ? 1 : 0
        case .once: running = isOnTime || age < min(Self.oldest, half) ? 1 : 0
        case .all: running = min(passed.count, Self.most)
        }
        due.slots = passed.prefix(running).reversed().map {
            Slot(time: $0, missed: $0 < last || !isOnTime)
        }
        due.skipped = passed.dropFirst(running).prefix(Self.most).reversed()
        return due
    }
}
