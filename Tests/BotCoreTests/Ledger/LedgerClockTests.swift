import AdapterKit
import AdapterKitTesting
import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct LedgerClockTests {
    @Test func `messages wait by this machine's clock, however wrong Zimmer's is`() async throws {
        let text = """
            channels: {ops: {adapter: console}}
            rules:
              - name: unreachable
                watch: zimmer
                if: "!zimmer.reachable"
                do: [{post: ops, text: Zimmer is away}]
            """
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: [ChannelSchema(kind: "console", keys: [])],
            now: Timestamp(seconds: 0))
        let rules = RuleSet(try #require(file, "\(diagnostics)").rules)
        let clock = ManualClock()
        let ledger = try Ledger(
            .memory, rules: rules, channels: ["ops"], notices: nil,
            freshness: Observation.Freshness(boardInterval: .seconds(30), healthInterval: .seconds(120)), clock: clock)
        await ledger.note(skew: .seconds(-7_200))
        _ = try await ledger.take(.failure(ZimmerError(.transport, message: "no route to host", reach: .notSent)))

        let entry = try #require(try await ledger.pending("ops", limit: 1).entries.first)
        #expect(entry.createdAt == clock.now())
        var channel = ChannelQueueState(channel: "ops")
        channel.load(OutboxPage(entries: [entry], total: 1))
        #expect(channel.next(now: clock.now()) == .deliver(Delivery(id: entry.id, message: entry.message, attempt: 1)))
    }
}
