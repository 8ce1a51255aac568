// Start here: `ChannelQueueState` decides, this acts.

package import AdapterKit
import CEL
import Synchronization

/// Works off the messages of one channel. Channels share nothing, so none holds up another.
package final class ChannelWorker: Service {
    package let name: String
    private let channel: String
    private let adapter: any Adapter
    private let outbox: any Outbox
    private let clock: any BotClock
    private let log: any AdapterLog
    private let random: @Sendable () -> Double
    private let isPatient: Bool
    private let bell = Bell()
    private let shared: Mutex<Shared>

    /// What others see or ask for while the loop runs.
    private struct Shared {
        var status: ChannelStatus
        var isDraining = false
        var problem: String?
        var hasEnded = false
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

    /// - Parameters:
    ///   - isPatient: false for a single round: where the outbox cannot be read or written it ends, with a `problem`.
    ///   - random: 0 … 1, for the back-off.
    package init(
        channel: String, adapter: any Adapter, outbox: any Outbox, clock: any BotClock, log: any AdapterLog,
        isPatient: Bool = true, random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        name = "channel \(channel)"
        self.channel = channel
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
        var queue = ChannelQueueState(channel: channel)
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
        queue.load(try await outbox.pending(channel, limit: Self.pageSize))
        defer { publish(queue.status) }
        switch queue.next(now: clock.now()) {
        case .wait(let duration):
            pause = duration
            return false
        case .expire(let ids):
            for id in ids {
                try await outbox.markDead(id, reason: "older than the channel's deadline")
                queue.expired([id])
            }
            log.write(.warning, "messages were too old to be sent", [("channel", channel), ("count", "\(ids.count)")])
            return true
        case .deliver(let delivery):
            try await attempt(delivery, &queue)
            return true
        }
    }

    private func attempt(_ delivery: AdapterKit.Delivery, _ queue: inout ChannelQueueState) async throws {
        let outcome = await adapter.deliver(delivery)
        // Cut off by us: no failure of the channel's, and tried again after the next start.
        if Task.isCancelled, case .wait = outcome { return }
        let record = queue.finished(delivery, outcome, now: clock.now(), jitter: random())
        publish(queue.status)
        note(record, of: delivery)
        try await write(record, of: delivery)
    }

    /// Tries until it is written: without its outcome a delivered message would go out again.
    private func write(_ record: ChannelQueueState.Record, of delivery: AdapterKit.Delivery) async throws {
        var failures = 0
        while true {
            do {
                switch record {
                case .delivered(let receipt): try await outbox.markDelivered(delivery.id, receipt)
                case .retry(let attempt, let notBefore, let reason):
                    try await outbox.markRetry(delivery.id, attempt: attempt, notBefore: notBefore, reason: reason)
                case .dead(let reason): try await outbox.markDead(delivery.id, reason: reason)
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

    private func note(_ record: ChannelQueueState.Record, of delivery: AdapterKit.Delivery) {
        let values = [(name: "channel", value: channel), (name: "delivery", value: delivery.id.text)]
        switch record {
        case .delivered: log.write(.debug, "a message was delivered", values)
        case .retry(let attempt, _, let reason):
            log.write(.warning, "a message waits", values + [("attempt", "\(attempt)"), ("reason", reason)])
        case .dead(let reason): log.write(.error, "a message was given up", values + [("reason", reason)])
        }
    }
}

extension Bell {
    /// As `wait`; nil: for as long as it takes.
    fileprivate func wait(atMost duration: Duration?, _ clock: any BotClock) async {
        guard let duration else { return await wait() }
        await wait(atMost: duration, clock)
    }
}
