package import AdapterKit
package import CEL
import Rules

/// Decides what a channel does next: one message at a time, in order, each until it went or is given up.
///
/// Failures hold up the channel as a whole, since whatever kept one message back keeps the next one back too. The wait is
/// the back-off of failures in a row; there is no breaker beside it that could wait longer.
package struct ChannelQueueState: Sendable {
    package enum Action: Hashable, Sendable {
        case deliver(OutboxEntry)
        /// It may not go now.
        case hold(DeliveryID, until: Timestamp)
        /// What was held like this may go.
        case release(OutboxEntry.Hold)
        /// Messages that could go before these times, and did not, are too old to be sent one by one.
        case foldOverdue(before: Timestamp, notices: Timestamp)
        /// Nothing to do for so long, or until something is put in; nil: until then.
        case wait(Duration?)
    }

    /// What is to be written down about an attempt.
    package enum Record: Hashable, Sendable {
        case delivered(Receipt)
        /// - Parameter notBefore: what the other side has asked for, which a restart heeds too. The bot's own patience ends
        ///   with the process or the rules file: somebody may have mended what failed.
        case retry(attempt: Int, notBefore: Timestamp?, reason: String, isDoubtful: Bool)
        case dead(reason: String)
    }

    package private(set) var status: ChannelStatus
    private let policy: DeliveryPolicy
    private let rules: DeliveryRules
    private var entries: [OutboxEntry] = []
    private var nextRelease: Timestamp?
    /// In a row; what is known of it after a restart is the attempts of the first message.
    private var failures = 0
    /// Tries of the first message that ended in doubt.
    private var uncertainTries = 0
    /// The adapter's own word for its connection.
    private var connection = ConnectionState.up
    /// The other side asked for the wait, so a new connection does not end it.
    private var isAsked = false
    /// There is a connection again: failures before it do not count.
    private var isResumed = false

    package init(channel: String, rules: DeliveryRules = DeliveryRules()) {
        status = ChannelStatus(channel: channel)
        self.rules = rules
        var policy = DeliveryPolicy()
        if let deadline = rules.channels[channel]?.deadline { policy.deadline = deadline }
        self.policy = policy
    }

    /// Takes what waits now in place of what was known.
    package mutating func load(_ page: OutboxPage) {
        if entries.first?.id != page.entries.first?.id { uncertainTries = 0 }
        entries = page.entries
        nextRelease = page.nextRelease
        status.waiting = page.total
        if !isResumed, let first = entries.first { failures = max(failures, first.attempts) }
    }

    /// - Parameter accountDelay: how long the account as a whole has to wait.
    package mutating func next(now: Timestamp, accountDelay: Duration = .zero) -> Action {
        let pause = remaining(of: status.pausedUntil, now)
        if pause <= .zero, status.pausedUntil != nil { endPause(now) }
        guard let first = entries.first else { return .wait(shortest(pause, nextRelease.map { $0 - now })) }
        let wait = max(pause, remaining(of: first.notBefore, now), accountDelay)
        guard wait <= .zero else { return .wait(wait) }
        if let hold = first.hold { return .release(hold) }
        if let end = rules.quietEnd(of: first.message, at: now) { return .hold(first.id, until: end) }
        if entries.contains(where: { isOverdue($0, now: now) }) {
            return .foldOverdue(before: now - policy.deadline, notices: now - policy.noticeDeadline)
        }
        return .deliver(first)
    }

    /// Takes the outcome of an attempt that `next` asked for.
    ///
    /// - Parameter jitter: 0 … 1, for the back-off.
    package mutating func finished(
        _ entry: OutboxEntry, _ outcome: DeliveryOutcome, now: Timestamp, jitter: Double
    ) -> Record {
        switch outcome {
        case .delivered(let receipt):
            failures = 0
            status.lastDeliveredAt = now
            status.pausedUntil = nil
            settle(.up, at: now)
            remove(entry)
            return .delivered(receipt)
        case .wait(let reason, let hint, let scope):
            return retry(entry, reason, after: hint, scope, now: now, jitter: jitter)
        case .lost(let reason):
            return retry(entry, reason, after: nil, .channel, isDoubtful: true, now: now, jitter: jitter)
        case .maybe(let reason):
            uncertainTries += 1
            guard uncertainTries < policy.maximumUncertainTries else {
                status.error = reason
                return giveUp(entry, "\(reason) (tried \(uncertainTries) times)")
            }
            return retry(entry, reason, after: nil, .channel, isDoubtful: true, now: now, jitter: jitter)
        case .never(let reason, .message):
            status.error = reason
            return giveUp(entry, reason)
        case .never(let reason, .channel), .never(let reason, .account):
            // Not this message's fault: it waits until somebody has mended what would refuse the next one too.
            failures += 1
            isResumed = false
            settle(.down, at: now, error: reason)
            status.pausedUntil = now + policy.maximumDelay
            return .retry(attempt: entry.attempts + 1, notBefore: nil, reason: reason, isDoubtful: false)
        }
    }

    /// Takes the adapter's word for its connection.
    package mutating func note(_ connection: ConnectionState, now: Timestamp) {
        guard connection != self.connection else { return }
        self.connection = connection
        switch connection {
        case .down(let reason):
            settle(.down, at: now, error: reason)
        case .up:
            failures = 0
            isResumed = true
            if !isAsked { status.pausedUntil = nil }
            settle(isAsked && status.pausedUntil != nil ? .paused : .up, at: now)
        }
    }

    // MARK: - Steps

    private mutating func retry(
        _ entry: OutboxEntry, _ reason: String, after hint: Duration?, _ scope: DeliveryOutcome.Scope,
        isDoubtful: Bool = false, now: Timestamp, jitter: Double
    ) -> Record {
        failures += 1
        isResumed = false
        // Without a connection nobody asks: when to come back is the adapter's own idea.
        isAsked = scope == .account || hint != nil && connection == .up
        settle(isAsked ? .paused : .down, at: now, error: reason)
        let until = now + policy.delay(failures: failures, hint: hint, jitter: jitter)
        status.pausedUntil = until
        if let index = entries.firstIndex(where: { $0.id == entry.id }) { entries[index].attempts = entry.attempts + 1 }
        return .retry(
            attempt: entry.attempts + 1, notBefore: isAsked ? until : nil, reason: reason, isDoubtful: isDoubtful)
    }

    private mutating func endPause(_ now: Timestamp) {
        status.pausedUntil = nil
        isAsked = false
        if status.state == .paused { settle(.up, at: now) }
    }

    /// The adapter's word that there is no connection stands until it says otherwise.
    private mutating func settle(_ state: ChannelStatus.State, at now: Timestamp, error: String? = nil) {
        if case .down(let reason) = connection, state != .down {
            return status.enter(.down, at: now, error: reason)
        }
        status.enter(state, at: now, error: error)
    }

    private mutating func giveUp(_ entry: OutboxEntry, _ reason: String) -> Record {
        status.deadLetters += 1
        remove(entry)
        return .dead(reason: reason)
    }

    private mutating func remove(_ entry: OutboxEntry) {
        uncertainTries = 0
        entries.removeAll { $0.id == entry.id }
        status.waiting = max(0, status.waiting - 1)
    }

    private func isOverdue(_ entry: OutboxEntry, now: Timestamp) -> Bool {
        // A line that may have arrived would arrive again under another id. What else is overdue takes it along.
        if entry.folded?.isLine == true { return false }
        let deadline = entry.message.kind == .notice ? policy.noticeDeadline : policy.deadline
        return entry.message.urgency != .high && now - entry.dueAt > deadline
    }

    /// No wait that was decided is longer than `maximumHint`: a longer one means that the clock was put back.
    private func remaining(of time: Timestamp?, _ now: Timestamp) -> Duration {
        guard let time, time > now else { return .zero }
        let remaining = time - now
        return remaining <= DeliveryPolicy.maximumHint ? remaining : .zero
    }

    private func shortest(_ pause: Duration, _ release: Duration?) -> Duration? {
        guard pause > .zero else { return release.map { max($0, .zero) } }
        return release.map { max(min($0, pause), .zero) } ?? pause
    }
}
