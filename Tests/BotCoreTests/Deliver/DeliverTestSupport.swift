import AdapterKit
import AdapterKitTesting
import CEL
import Synchronization
import Testing

@testable import BotCore

/// A clock that moves when a test says so.
struct ManualClock: BotClock {
    let clock = TestClock()
    private let correction = Correction()

    private final class Correction: Sendable {
        let amount = Mutex(Duration.zero)
    }

    func now() -> Timestamp {
        let now = clock.now
        return Timestamp(seconds: now.seconds, nanoseconds: now.nanoseconds) + correction.amount.withLock { $0 }
    }

    func elapsed() -> Duration {
        Timestamp(seconds: clock.now.seconds, nanoseconds: clock.now.nanoseconds) - Timestamp(seconds: 0)
    }

    /// Puts the wall clock forward, or back. No time passes by that.
    func correct(by amount: Duration) {
        correction.amount.withLock { $0 += amount }
    }

    func sleep(for duration: Duration) async throws {
        try await clock.sleep(for: duration)
    }
}

/// An outbox in memory that refuses what the real one refuses: a second outcome, a retry of what is gone.
actor MemoryOutbox: Outbox {
    enum Outcome: Hashable {
        case delivered(Receipt)
        case dead(String)
        case folded(String)
    }
    struct Failure: Error {}
    struct WrittenTwice: Error {}

    private(set) var waiting: [OutboxEntry] = []
    private(set) var outcomes: [DeliveryID: Outcome] = [:]
    private(set) var retries: [(id: DeliveryID, attempt: Int, reason: String)] = []
    /// So many writes are refused.
    private var refusals = 0

    func append(_ id: String, urgency: Message.Urgency = .normal, at time: Timestamp) {
        waiting.append(.test(id, urgency: urgency, at: time))
    }

    func refuseWrites(_ count: Int) {
        refusals = count
    }

    func begin(_ id: DeliveryID, marking: Bool) -> OutboxContext { OutboxContext() }

    func takeBack(_ id: DeliveryID) {}

    func hold(_ id: DeliveryID, as hold: OutboxEntry.Hold, until: Timestamp) {}

    func released(_ channel: String, _ hold: OutboxEntry.Hold, now: Timestamp, limit: Int) -> [OutboxEntry] { [] }

    func overdue(_ channel: String, before: Timestamp, notices: Timestamp, limit: Int) -> [OutboxEntry] {
        waiting.filter { $0.message.urgency != .high && $0.dueAt < before }
    }

    func fold(_ ids: [DeliveryID], into message: FoldedMessage?, reason: String) throws {
        for id in ids { try end(id, .folded(reason)) }
        guard let message, let first = ids.first else { return }
        let now = Timestamp(seconds: message.message.time.seconds)
        let id = DeliveryID("dlv_of_\(first)")
        waiting.insert(OutboxEntry(id: id, message: message.message, createdAt: now), at: 0)
    }

    func letGo(_ ids: [DeliveryID]) {}

    func pending(_ channel: String, limit: Int, now: Timestamp) -> OutboxPage {
        let urgent = waiting.filter { $0.message.urgency == .high }
        let rest = waiting.filter { $0.message.urgency != .high }
        return OutboxPage(entries: Array((urgent + rest).prefix(limit)), total: waiting.count)
    }

    func markDelivered(_ id: DeliveryID, _ receipt: Receipt) throws {
        try end(id, .delivered(receipt))
    }

    func markRetry(_ id: DeliveryID, attempt: Int, notBefore: Timestamp?, reason: String, isDoubtful: Bool) throws {
        try refuse()
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { throw WrittenTwice() }
        waiting[index].attempts = attempt
        waiting[index].notBefore = notBefore
        retries.append((id, attempt, reason))
    }

    func markDead(_ id: DeliveryID, reason: String) throws {
        try end(id, .dead(reason))
    }

    private func end(_ id: DeliveryID, _ outcome: Outcome) throws {
        try refuse()
        guard outcomes[id] == nil else { throw WrittenTwice() }
        outcomes[id] = outcome
        waiting.removeAll { $0.id == id }
    }

    private func refuse() throws {
        guard refusals > 0 else { return }
        refusals -= 1
        throw Failure()
    }
}

extension OutboxEntry {
    static func test(
        _ id: String, kind: Message.Kind = .firing, urgency: Message.Urgency = .normal, at time: Timestamp,
        attempts: Int = 0, notBefore: Timestamp? = nil
    ) -> OutboxEntry {
        var message = AdapterContract.message
        message.kind = kind
        message.urgency = urgency
        return OutboxEntry(
            id: DeliveryID(id), message: message, createdAt: time, attempts: attempts, notBefore: notBefore)
    }
}

extension OutboxPage {
    static func of(_ entries: OutboxEntry...) -> OutboxPage {
        OutboxPage(entries: entries, total: entries.count)
    }
}

extension LedgerStage {
    /// Lets a channel work off what is due.
    func workOff(_ adapter: any Adapter, channel: String = "ops") async {
        let log = RecordingLog()
        let worker = ChannelWorker(
            channel: channel, rules: delivery, adapter: adapter, outbox: ledger, clock: clock, log: log, random: { 1 })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await worker.run() }
            await worker.settled()
            group.cancelAll()
        }
        #expect(!log.lines.contains { $0.contains("cannot be") })
    }
}
