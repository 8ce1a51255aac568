// Start here: `ChannelQueueState` decides, this acts.

package import AdapterKit
import CEL
import Rules
import Synchronization

/// Works off the messages of one channel. Channels share nothing but their account, so none holds up another.
package final class ChannelWorker: Service {
    package let name: String
    let channel: String
    let rules: DeliveryRules
    private let adapter: any Adapter
    let outbox: any Outbox
    private let accounts: Accounts
    let clock: any BotClock
    let log: any AdapterLog
    private let random: @Sendable () -> Double
    private let isPatient: Bool
    private let bell = Bell()
    private let shared: Mutex<Shared>

    /// What others see or ask for while the loop runs.
    private struct Shared {
        var status: ChannelStatus
        /// What the adapter said of its connection and the loop has not heard yet.
        var connection: ConnectionState?
        var isDraining = false
        var problem: String?
        var hasEnded = false
        /// Since when the adapter has a delivery, as time passes; nil while it has none.
        var deliveringSince: Duration?
        /// Counts what could have made something due.
        var wakes = 0
        /// The count for which nothing is under way and nothing is due.
        var settledAt: Int?
        var waiting: [CheckedContinuation<Void, Never>] = []

        var isSettled: Bool { hasEnded || settledAt == wakes }
    }

    /// How many messages are looked at together. Few, since they are read again before each attempt, so that an urgent one
    /// is seen.
    private static let pageSize = 16

    /// How many messages become one at most; what is beyond them becomes another.
    static let foldSize = 1_000

    /// - Parameters:
    ///   - accounts: shared with the channels that may use the same account.
    ///   - isPatient: false for a single round: where the outbox cannot be read or written it ends, with a `problem`.
    ///   - random: 0 … 1, for the back-off.
    package init(
        channel: String, rules: DeliveryRules = DeliveryRules(), adapter: any Adapter, outbox: any Outbox,
        accounts: Accounts = Accounts(), clock: any BotClock, log: any AdapterLog, isPatient: Bool = true,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        name = "channel \(channel)"
        self.channel = channel
        self.rules = rules
        self.accounts = accounts
        self.adapter = adapter
        self.outbox = outbox
        self.clock = clock
        self.log = log
        self.isPatient = isPatient
        self.random = random
        shared = Mutex(Shared(status: ChannelStatus(channel: channel)))
    }

    package var status: ChannelStatus { shared.withLock { $0.status } }

    /// Why a worker without patience ended early.
    package var problem: String? { shared.withLock { $0.problem } }

    var hasEnded: Bool { shared.withLock { $0.hasEnded } }
    var deliveringSince: Duration? { shared.withLock { $0.deliveringSince } }

    /// Takes the adapter's word for its connection.
    package func report(_ connection: ConnectionState) {
        shared.withLock { shared in
            shared.connection = connection
            shared.wakes += 1
        }
        bell.ring()
    }

    /// Says that something was put into the outbox.
    package func wake() {
        shared.withLock { $0.wakes += 1 }
        bell.ring()
    }

    /// Delivers until cancelled. A delivery under way is then cancelled too, and tried again after the next start; `drain`
    /// first lets it finish.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.adapter.run() }
            group.addTask { await self.work() }
        }
        settle { $0.hasEnded = true }
    }

    /// Starts no further delivery, and returns when the one under way has its outcome written down.
    package func drain() async {
        shared.withLock { $0.isDraining = true }
        wake()
        await settled()
    }

    /// Returns when everything that was due has been tried once; at once where nothing is due.
    package func settled() async {
        await withCheckedContinuation { continuation in
            let isSettled = shared.withLock { shared in
                if !shared.isSettled { shared.waiting.append(continuation) }
                return shared.isSettled
            }
            if isSettled { continuation.resume() }
        }
    }

    private func settle(_ change: (inout Shared) -> Void) {
        let waiting = shared.withLock { shared in
            change(&shared)
            guard shared.isSettled else { return [CheckedContinuation<Void, Never>]() }
            defer { shared.waiting = [] }
            return shared.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    // MARK: - The loop

    private func work() async {
        var queue = ChannelQueueState(channel: channel, rules: rules)
        var storeFailures = 0
        while !Task.isCancelled {
            let (wakes, isDraining) = shared.withLock { ($0.wakes, $0.isDraining) }
            var pause: Duration?
            do {
                if !isDraining, try await step(&queue, &pause) { continue }
                storeFailures = 0
            } catch {
                storeFailures += 1
                pause = DeliveryPolicy().delay(failures: storeFailures, hint: nil, jitter: random())
                log.write(
                    .error, "the outbox cannot be read or written", [("channel", channel), ("error", "\(error)")])
                guard isPatient else {
                    return settle { shared in
                        shared.problem = "the outbox of '\(channel)' was not written: \(error)"
                        shared.hasEnded = true
                    }
                }
            }
            settle { $0.settledAt = wakes }
            await bell.wait(atMost: pause, clock)
        }
    }

    /// Does the next thing that is due; false when there is none before `pause` is over or the bell rings.
    private func step(_ queue: inout ChannelQueueState, _ pause: inout Duration?) async throws -> Bool {
        hear(&queue)
        queue.load(try await outbox.pending(channel, limit: Self.pageSize, now: clock.now()))
        defer { publish(queue.status) }
        let now = clock.now()
        switch queue.next(now: now, accountDelay: accounts.delay(of: adapter.account, rate, now: now)) {
        case .wait(let duration):
            pause = duration
            return false
        case .hold(let id, let end):
            try await outbox.hold(id, as: .quiet, until: end)
        case .release(let hold):
            try await release(hold)
        case .foldOverdue(let before, let notices):
            try await foldOverdue(before: before, notices: notices)
        case .deliver(let entry):
            try await attempt(entry, &queue)
        }
        return true
    }

    /// Tells the queue what the adapter has said of its connection.
    private func hear(_ queue: inout ChannelQueueState) {
        let connection = shared.withLock { shared in
            defer { shared.connection = nil }
            return shared.connection
        }
        if let connection { queue.note(connection, now: clock.now()) }
    }

    /// The file's word goes before the adapter's.
    private var rate: Rate? {
        rules.channels[channel]?.rate.map { Rate(burst: $0.burst, per: $0.interval) } ?? adapter.rate
    }

    private func attempt(_ entry: OutboxEntry, _ queue: inout ChannelQueueState) async throws {
        let context = try await outbox.begin(entry.id, marking: !adapter.recognizesRepeats)
        if let later = context.supersededBy {
            return try await outbox.fold([entry.id], into: nil, reason: "\(later) says it")
        }
        accounts.take(from: adapter.account, rate, now: clock.now())
        let start = clock.elapsed()
        shared.withLock { $0.deliveringSince = start }
        let outcome = await adapter.deliver(delivery(of: entry, context))
        shared.withLock { $0.deliveringSince = nil }
        // Cut off by us: no failure of the channel's, and tried again after the next start.
        if Task.isCancelled, outcome.isCutOff {
            if outcome.isWait, !context.mayBeRepeated { try await outbox.takeBack(entry.id) }
            return
        }
        hear(&queue)
        let record = queue.finished(entry, outcome, now: clock.now(), jitter: random())
        if outcome.isAboutAccount, let until = queue.status.pausedUntil {
            accounts.pause(adapter.account, until: until, isAsked: outcome.isWait)
        }
        publish(queue.status)
        note(record, of: entry)
        try await write(record, of: entry, wasInDoubt: context.mayBeRepeated)
    }

    private func delivery(of entry: OutboxEntry, _ context: OutboxContext) -> AdapterKit.Delivery {
        let settings = rules.channels[channel]
        let message = entry.message(showing: settings?.detail ?? .full)
        return AdapterKit.Delivery(
            id: entry.id, message: message, attempt: entry.attempts + 1, mayBeRepeated: context.mayBeRepeated,
            thread: context.thread, replaces: context.replaces,
            mentions: context.callsPeople ? settings?.mention ?? [] : [],
            picture: adapter.takesPictures ? message.chart.flatMap(ChartPicture.draw) : nil)
    }

    /// Tries until it is written: without its outcome a delivered message would go out again.
    ///
    /// - Parameter wasInDoubt: it may have arrived before: no later attempt that surely failed changes that.
    private func write(
        _ record: ChannelQueueState.Record, of entry: OutboxEntry, wasInDoubt: Bool
    ) async throws {
        var failures = 0
        while true {
            do {
                switch record {
                case .delivered(let receipt): try await outbox.markDelivered(entry.id, receipt)
                case .retry(let attempt, let notBefore, let reason, let isDoubtful):
                    try await outbox.markRetry(
                        entry.id, attempt: attempt, notBefore: notBefore, reason: reason,
                        isDoubtful: isDoubtful || wasInDoubt)
                case .dead(let reason):
                    // It may be let go again, and is no repetition then.
                    if !wasInDoubt { try await outbox.takeBack(entry.id) }
                    try await outbox.markDead(entry.id, reason: reason)
                }
                return
            } catch {
                guard isPatient else { throw error }
                failures += 1
                log.write(.error, "an outcome cannot be written down", [("channel", channel), ("error", "\(error)")])
                let pause = DeliveryPolicy().delay(failures: failures, hint: nil, jitter: random())
                do { try await clock.sleep(for: pause) } catch { return }
            }
        }
    }

    private func publish(_ status: ChannelStatus) {
        shared.withLock { $0.status = status }
    }

    private func note(_ record: ChannelQueueState.Record, of entry: OutboxEntry) {
        let values = [(name: "channel", value: channel), (name: "delivery", value: entry.id.text)]
        switch record {
        case .delivered: log.write(.debug, "a message was delivered", values)
        case .retry(let attempt, _, let reason, _):
            log.write(.warning, "a message waits", values + [("attempt", "\(attempt)"), ("reason", reason)])
        case .dead(let reason): log.write(.error, "a message was given up", values + [("reason", reason)])
        }
    }
}

extension DeliveryOutcome {
    /// What an adapter says that was cancelled before the other side answered.
    fileprivate var isCutOff: Bool {
        switch self {
        case .wait, .lost: true
        case .delivered, .maybe, .never: false
        }
    }

    /// It surely did not go, and will.
    fileprivate var isWait: Bool {
        if case .wait = self { true } else { false }
    }

    fileprivate var isAboutAccount: Bool {
        switch self {
        case .wait(_, _, .account), .never(_, .account): true
        default: false
        }
    }
}
