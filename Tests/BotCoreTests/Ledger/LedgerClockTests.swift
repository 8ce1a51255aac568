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
            .memory, rules: rules, delivery: DeliveryRules(channels: ["ops"]), notices: nil,
            freshness: Observation.Freshness(boardInterval: .seconds(30), healthInterval: .seconds(120)), clock: clock)
        await ledger.note(skew: .seconds(-7_200))
        _ = try await ledger.take(.failure(ZimmerError(.transport, message: "no route to host", reach: .notSent)))

        let entry = try #require(try await ledger.pending("ops", limit: 1, now: clock.now()).entries.first)
        #expect(entry.createdAt == clock.now())
        var channel = ChannelQueueState(channel: "ops")
        channel.load(OutboxPage(entries: [entry], total: 1))
        #expect(channel.next(now: clock.now()) == .deliver(entry))
    }

    private static func ledger(_ rule: String, _ clock: ManualClock) throws -> Ledger {
        let (file, diagnostics) = RuleFile.load(
            "channels: {ops: {adapter: console}}\nrules: [\(rule)]".utf8, file: "rules.yaml", vocabulary: .zimmer,
            channels: [ChannelSchema(kind: "console", keys: [])], now: Timestamp(seconds: 0))
        return try Ledger(
            .memory, rules: RuleSet(try #require(file, "\(diagnostics)").rules),
            delivery: DeliveryRules(channels: ["ops"]), notices: nil,
            freshness: Observation.Freshness(boardInterval: .seconds(30), healthInterval: .seconds(120)), clock: clock)
    }

    @Test(arguments: [Duration.seconds(18_000), .seconds(-18_000)])
    func `a wait takes as long as it says, whoever sets this machine's clock`(correction: Duration) async throws {
        let clock = ManualClock()
        let rule = "{name: away, watch: zimmer, if: \"!zimmer.reachable\", do: [{wait: 1h}, {post: ops, text: over}]}"
        let ledger = try Self.ledger(rule, clock)
        _ = try await ledger.take(.failure(ZimmerError(.transport, message: "no route to host", reach: .notSent)))
        clock.correct(by: correction)
        #expect(try await ledger.tick().posts.isEmpty)
        clock.clock.advance(by: .seconds(3_600))
        #expect(try await ledger.tick().posts.count == 1)
    }

    @Test func `slots between are not made up for when this machine's clock is put far forward`() async throws {
        let clock = ManualClock()
        let rule = "{name: hourly, schedule: \"0 * * * *\", missed: all, do: [{post: ops, text: hour}]}"
        let ledger = try Self.ledger(rule, clock)
        _ = try await ledger.tick()
        clock.correct(by: .seconds(36_000))
        let jump = try await ledger.tick()
        #expect(jump.posts.isEmpty)
        #expect(jump.events.map(\.detail) == ["this machine's clock was put forward beyond it"])
        clock.clock.advance(by: .seconds(3_600))
        #expect(try await ledger.tick().posts.count == 1)
    }

    @Test func `slots that passed while nothing was decided are made up for`() async throws {
        let clock = ManualClock()
        let rule = "{name: hourly, schedule: \"0 * * * *\", missed: all, do: [{post: ops, text: hour}]}"
        let ledger = try Self.ledger(rule, clock)
        _ = try await ledger.tick()
        clock.clock.advance(by: .seconds(36_000))
        #expect(try await ledger.tick().posts.count == 10)
    }

    @Test func `limits go by Zimmer's clock after a restart too`() async throws {
        let rule = """
              - name: failed
                watch: session
                if: session.status == "failed"
                limit: {per_subject_per_day: 1}
                do: [{post: ops, text: "{{ session.title }}"}]
            """
        let stage = try LedgerStage(rule)
        await stage.ledger.note(skew: .seconds(-52 * 86_400))
        try await stage.board([7: "running"])
        #expect(try await stage.board([7: "failed"]).said == ["Session 7"])
        try await stage.board([7: "running"])
        try stage.restart(after: .seconds(60))
        _ = try await stage.ledger.tick()
        await stage.ledger.note(skew: .seconds(-52 * 86_400))
        try await stage.board([7: "running"])
        #expect(try await stage.board([7: "failed"]).said == [])
    }

    /// What a rule with `for: 2h` makes of Zimmer's clock, in polls of 30 s.
    private func posts(after skews: [Duration]) async throws -> Int {
        let stage = try LedgerStage(
            """
              - name: failed
                watch: session
                if: session.status == "failed"
                for: 2h
                do: [{post: ops, text: late}]
            """)
        var count = 0
        for skew in skews {
            await stage.ledger.note(skew: skew)
            count += try await stage.board([7: "failed"]).said.count
            stage.clock.clock.advance(by: .seconds(30))
        }
        return count
    }

    @Test(arguments: [Duration.seconds(10_800), .seconds(500 * 86_400), .seconds(-86_400)])
    func `an answer with another time on it ends no wait`(jump: Duration) async throws {
        let odd = [Duration.zero, .zero, jump, .zero, jump, .zero, .zero, jump, .zero]
        #expect(try await posts(after: odd) == 0)
    }

    @Test func `a clock of Zimmer's that stays where it was put is believed in the end`() async throws {
        let clock = ManualClock()
        var clocks = LedgerClocks(clock, skew: .zero)
        clocks.learn(.zero)
        let before = clocks.instant
        clocks.learn(.seconds(7_200))
        #expect(clocks.instant == before)
        clock.clock.advance(by: .seconds(30))
        clocks.learn(.seconds(7_200))
        #expect(clocks.instant == before + .seconds(7_230))
    }

    @Test func `nothing is forgotten because a clock jumps years ahead`() async throws {
        let stage = try LedgerStage(
            "  - {name: failed, watch: session, if: session.status == \"failed\", do: [{post: ops, text: it}]}")
        try await stage.board([7: "running"])
        try await stage.board([7: "failed"])
        let trail = try await stage.ledger.trail(["started"])
        try stage.restart(after: .seconds(60))
        await stage.ledger.note(skew: .seconds(500 * 86_400))
        try await stage.board([7: "failed"])
        #expect(trail.map(\.detail) == (try await stage.ledger.trail(["started"])).map(\.detail))
        #expect(!trail.isEmpty)
    }

    @Test func `what is old is forgotten although a clock was years ahead for a while`() async throws {
        let stage = try LedgerStage(
            "  - {name: failed, watch: session, if: session.status == \"failed\", do: [{post: ops, text: it}]}")
        try await stage.board([7: "running"])
        try await stage.board([7: "failed"])
        try stage.restart(after: .seconds(60))
        await stage.ledger.note(skew: .seconds(500 * 86_400))
        try await stage.board([7: "failed"])
        #expect(try await !stage.ledger.trail(["started"]).isEmpty)
        for _ in 0..<2 { await stage.ledger.note(skew: .zero) }
        stage.clock.clock.advance(by: .seconds(100 * 86_400))
        try await stage.board([7: "failed"])
        #expect(try await stage.ledger.trail(["started"]).isEmpty)
    }
}
