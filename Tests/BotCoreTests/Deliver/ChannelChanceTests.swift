import AdapterKit
import AdapterKitTesting
import BotTestSupport
import CEL
import Synchronization
import Testing

@testable import BotCore

/// Whatever happens, in whatever order: no message is lost, waits for good or goes twice without saying so.
@Suite(.timeLimit(.minutes(10))) struct ChannelChanceTests {
    private static let rules = """
        - name: grouped
          watch: session
          if: session.status == "failed"
          group: {by: session.id % 2, wait: 1m, interval: 10m}
          limit: {per_poll: 1000, per_hour: 10000}
          do: [{post: ops, text: "{{ session.id }} failed"}]
          resolved: [{post: ops, text: "{{ session.id }} is over"}]
        - name: edited
          watch: session
          if: session.status == "failed"
          quiet: ["fri 13:00-15:00", "22:00-02:30"]
          timezone: Europe/Berlin
          limit: {per_poll: 1000, per_hour: 10000}
          do: [{post: ops, text: "{{ session.id }} broke"}, {wait: 2m}, {post: ops, update: true, text: "{{ session.id }} still"}]
          resolved: [{post: ops, update: true, text: "{{ session.id }} works"}]
        - name: urgent
          watch: session
          if: session.status == "failed" && session.id > 6
          limit: {per_poll: 1000, per_hour: 10000}
          do: [{post: ops, urgency: high, text: "{{ session.id }} burns"}]
        """

    @Test(arguments: 1...25) func `everything comes to an end`(seed: Int) async throws {
        var chance = Moments(seed: UInt64(seed))
        let stage = try LedgerStage(Self.rules, channel: "quiet: \"12:00-12:30\", deadline: 30m")
        let adapter = WhimsicalAdapter(seed: UInt64(seed))
        var sessions: [Int64: String] = [:]
        for _ in 1...80 {
            switch Int.random(in: 0...9, using: &chance) {
            case 0...4:
                sessions[.random(in: 1...9, using: &chance)] = Bool.random(using: &chance) ? "failed" : "running"
                try await stage.board(sessions, after: .seconds(Int.random(in: 1...120, using: &chance)))
            case 5: stage.clock.clock.advance(by: .seconds(Int.random(in: 1...7_200, using: &chance)))
            case 6: stage.clock.correct(by: .seconds(Int.random(in: -90_000...90_000, using: &chance)))
            case 7: try stage.restart(after: .seconds(Int.random(in: 0...600, using: &chance)))
            case 8: try await stage.replace(Self.rules)
            default: await stage.workOff(adapter)
            }
        }
        adapter.behave()
        // As the daemon, which puts its rules in force when it starts, and reads on.
        try await stage.replace(Self.rules)
        for _ in 1...60 {
            try await stage.board(sessions, after: .seconds(1_200))
            await stage.workOff(adapter)
        }
        // The last of it may be quiet's: a day holds it no longer.
        for _ in 1...72 {
            stage.clock.clock.advance(by: .seconds(1_200))
            await stage.workOff(adapter)
        }
        #expect(try await stage.ledger.pending("ops", limit: 1, now: stage.clock.now()).total == 0)
        #expect(adapter.unmarked.isEmpty)
    }
}

/// Answers at random.
private final class WhimsicalAdapter: Adapter {
    let account = "whimsical"
    let recognizesRepeats = false
    private struct State {
        var chance: Moments
        var behaves = false
        var doubtful: Set<DeliveryID> = []
        var unmarked: [DeliveryID] = []
    }
    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(chance: Moments(seed: seed)))
    }

    /// Deliveries that could have been repetitions and did not say so, or the other way round.
    var unmarked: [DeliveryID] { state.withLock { $0.unmarked } }

    func behave() { state.withLock { $0.behaves = true } }

    func deliver(_ delivery: AdapterKit.Delivery) async -> DeliveryOutcome {
        state.withLock { state in
            if delivery.mayBeRepeated != state.doubtful.contains(delivery.id) { state.unmarked.append(delivery.id) }
            let delivered = DeliveryOutcome.delivered(delivery.replaces ?? Receipt(id: "$\(delivery.id)"))
            if state.behaves { return delivered }
            switch Int.random(in: 0...9, using: &state.chance) {
            case 0...3: return delivered
            case 4, 5: return .wait(reason: "busy", retryAfter: .seconds(20))
            case 6:
                state.doubtful.insert(delivery.id)
                return .lost(reason: "reset")
            case 7:
                state.doubtful.insert(delivery.id)
                return .maybe(reason: "500")
            case 8: return .never(reason: "no room", affects: .channel)
            default: return .never(reason: "too long")
            }
        }
    }

    func render(_ delivery: AdapterKit.Delivery) -> [RenderedPart] { [] }
}
