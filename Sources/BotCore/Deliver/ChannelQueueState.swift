package import AdapterKit
package import CEL

/// Decides what a channel does next: one message at a time, in order, each until it went or is given up.
///
/// Failures hold up the channel as a whole, since whatever kept one message back keeps the next one back too. The wait is
/// the back-off of failures in a row; there is no breaker beside it that could wait longer.
package struct ChannelQueueState: Sendable {
    package enum Action: Hashable, Sendable {
        case deliver(AdapterKit.Delivery)
        /// These are too old to be sent.
        case expire([DeliveryID])
        /// Nothing to do for so long, or until something is put in; nil: until then.
        case wait(Duration?)
    }

    /// What is to be written down about an attempt.
    package enum Record: Hashable, Sendable {
        case delivered(Receipt)
        case retry(attempt: Int, notBefore: Timestamp, reason: String)
        case dead(reason: String)
    }

    package private(set) var status: ChannelStatus
    private let policy: DeliveryPolicy
    private var entries: [OutboxEntry] = []
    /// In a row; what is known of it after a restart is the attempts of the first message.
    private var failures = 0
    /// Tries of the first message that ended in doubt.
    private var uncertainTries = 0

    package init(channel: String, policy: DeliveryPolicy = DeliveryPolicy()) {
        status = ChannelStatus(channel: channel)
        self.policy = policy
    }

    /// Takes what waits now in place of what was known.
    package mutating func load(_ page: OutboxPage) {
        if entries.first?.id != page.entries.first?.id { uncertainTries = 0 }
        entries = page.entries
        status.waiting = page.total
        if let first = entries.first { failures = max(failures, first.attempts) }
    }

    package mutating func next(now: Timestamp) -> Action {
        let expired = entries.filter { isExpired($0, now: now) }.map(\.id)
        guard expired.isEmpty else { return .expire(expired) }
        guard let first = entries.first else { return .wait(nil) }
        let remaining = max(remaining(of: status.pausedUntil, now), remaining(of: first.notBefore, now))
        guard remaining <= .zero else { return .wait(remaining) }
        status.pausedUntil = nil
        return .deliver(AdapterKit.Delivery(id: first.id, message: first.message, attempt: first.attempts + 1))
    }

    /// Takes messages out that `next` found too old.
    package mutating func expired(_ ids: [DeliveryID]) {
        let expired = Set(ids)
        entries.removeAll { expired.contains($0.id) }
        status.waiting -= expired.count
        status.deadLetters += expired.count
    }

    /// Takes the outcome of the delivery that `next` asked for.
    ///
    /// - Parameter jitter: 0 … 1, for the back-off.
    package mutating func finished(
        _ delivery: AdapterKit.Delivery, _ outcome: DeliveryOutcome, now: Timestamp, jitter: Double
    ) -> Record {
        switch outcome {
        case .delivered(let receipt):
            failures = 0
            status.downSince = nil
            status.error = nil
            status.lastDeliveredAt = now
            remove(delivery)
            return .delivered(receipt)
        case .wait(let reason, let hint, _):
            return retry(delivery, reason, after: hint, now: now, jitter: jitter)
        case .maybe(let reason):
            uncertainTries += 1
            guard uncertainTries < policy.maximumUncertainTries else {
                status.error = reason
                return giveUp(delivery, "\(reason) (tried \(uncertainTries) times)")
            }
            return retry(delivery, reason, after: nil, now: now, jitter: jitter)
        case .never(let reason, .message):
            status.error = reason
            return giveUp(delivery, reason)
        case .never(let reason, .channel), .never(let reason, .account):
            // What refused this one would refuse the next: let it be mended first.
            fail(reason, now: now)
            status.pausedUntil = now + policy.maximumDelay
            return giveUp(delivery, reason)
        }
    }

    // MARK: - Steps

    private mutating func retry(
        _ delivery: AdapterKit.Delivery, _ reason: String, after hint: Duration?, now: Timestamp, jitter: Double
    ) -> Record {
        fail(reason, now: now)
        let until = now + policy.delay(failures: failures, hint: hint, jitter: jitter)
        status.pausedUntil = until
        if let index = entries.firstIndex(where: { $0.id == delivery.id }) {
            entries[index].attempts = delivery.attempt
        }
        return .retry(attempt: delivery.attempt, notBefore: until, reason: reason)
    }

    private mutating func fail(_ reason: String, now: Timestamp) {
        failures += 1
        status.error = reason
        status.downSince = status.downSince ?? now
    }

    private mutating func giveUp(_ delivery: AdapterKit.Delivery, _ reason: String) -> Record {
        status.deadLetters += 1
        remove(delivery)
        return .dead(reason: reason)
    }

    private mutating func remove(_ delivery: AdapterKit.Delivery) {
        uncertainTries = 0
        entries.removeAll { $0.id == delivery.id }
        status.waiting = max(0, status.waiting - 1)
    }

    private func isExpired(_ entry: OutboxEntry, now: Timestamp) -> Bool {
        let deadline = entry.message.kind == .notice ? policy.noticeDeadline : policy.deadline
        return entry.message.urgency != .high && now - entry.createdAt > deadline
    }

    /// No wait that was decided is longer than `maximumHint`: a longer one means that the clock was put back.
    private func remaining(of time: Timestamp?, _ now: Timestamp) -> Duration {
        guard let time, time > now else { return .zero }
        let remaining = time - now
        return remaining <= policy.maximumHint ? remaining : .zero
    }
}
