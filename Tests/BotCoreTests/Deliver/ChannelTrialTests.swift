import AdapterKit
import AdapterKitTesting
import CEL
import Rules
import Testing

@testable import BotCore

/// What a channel goes through: doubt, clocks that are put back, rows that nobody can read, thousands of messages.
@Suite(.timeLimit(.minutes(10))) struct ChannelTrialTests {
    private static let failed = """
        - name: failed
          watch: session
          if: session.status == "failed"
          do: [{post: ops, text: "{{ session.id }} failed"}]
        """

    private static let unlimited = failed + "\n  limit: {per_poll: 100000, per_hour: 100000}"

    // MARK: - Doubt

    @Test func `a message that may have gone stays in doubt while the other side is away`() async throws {
        let stage = try LedgerStage(Self.failed)
        try await stage.board([1: "failed"])
        let adapter = ScriptedAdapter(
            [
                .lost(reason: "reset"), .wait(reason: "away", retryAfter: .seconds(1)),
                .never(reason: "no room", affects: .channel),
            ],
            recognizesRepeats: false)
        for _ in 1...4 {
            await stage.workOff(adapter)
            stage.clock.clock.advance(by: .seconds(300))
        }
        #expect(adapter.given.map(\.mayBeRepeated) == [false, true, true, true])
    }

    @Test func `a message that was surely not sent when the bot stopped is no repetition after the next start`()
        async throws
    {
        let stage = try LedgerStage(Self.failed)
        try await stage.board([1: "failed"])
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        let adapter = ScriptedAdapter(held: held, recognizesRepeats: false)
        let worker = ChannelWorker(
            channel: "ops", adapter: adapter, outbox: stage.ledger, clock: stage.clock, log: RecordingLog(),
            random: { 1 })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await worker.run() }
            var started = adapter.started.makeAsyncIterator()
            _ = await started.next()
            group.cancelAll()
        }
        release.finish()
        try stage.restart()
        let next = ScriptedAdapter(recognizesRepeats: false)
        await stage.workOff(next)
        #expect(next.given.map(\.attempt) == [1])
        #expect(next.given.map(\.mayBeRepeated) == [false])
    }

    @Test(arguments: [
        ([DeliveryOutcome.never(reason: "too long")], false),
        ([.lost(reason: "reset"), .never(reason: "too long")], true),
    ])
    func `a message that was given up is a repetition only where it may have gone`(
        outcomes: [DeliveryOutcome], isDoubtful: Bool
    ) async throws {
        let stage = try LedgerStage(Self.failed)
        try await stage.board([1: "failed"])
        let adapter = ScriptedAdapter(outcomes, recognizesRepeats: false)
        for _ in outcomes {
            await stage.workOff(adapter)
            stage.clock.clock.advance(by: .seconds(300))
        }
        let id = try #require(adapter.given.first?.id)
        #expect(try await stage.ask("release", id.text).isDone)
        await stage.workOff(adapter)
        #expect(adapter.given.last?.mayBeRepeated == isDoubtful)
    }

    // MARK: - Holding

    @Test func `after quiet hours that ended while the bot was away, what they held goes as one message`() async throws
    {
        let stage = try LedgerStage(Self.failed, channel: "quiet: \"fri 11:00-14:00\"")
        try await stage.board([1: "failed", 2: "failed"])
        try stage.restart(after: .seconds(4 * 3_600))
        try await stage.replace(Self.failed)
        let adapter = ScriptedAdapter()
        await stage.workOff(adapter)
        #expect(adapter.said == ["- 1 failed\n- 2 failed"])
    }

    @Test func `a clock that was far ahead and is put right holds no group`() async throws {
        let rules = """
            - name: failed
              watch: session
              if: session.status == "failed"
              group: {by: session.visibility, wait: 1m, interval: 10m}
              do: [{post: ops, text: "{{ session.id }} failed"}]
            """
        let stage = try LedgerStage(rules)
        let adapter = ScriptedAdapter()
        stage.clock.correct(by: .seconds(86_400))
        try await stage.board([1: "failed"])
        stage.clock.clock.advance(by: .seconds(60))
        await stage.workOff(adapter)
        try await stage.board([1: "failed", 2: "failed"])
        stage.clock.correct(by: .seconds(-86_400))
        try await stage.board([1: "failed", 2: "failed", 3: "failed"])
        stage.clock.clock.advance(by: .seconds(700))
        await stage.workOff(adapter)
        #expect(adapter.said == ["1 failed", "- 2 failed\n- 3 failed"])
        try await stage.board([1: "failed", 2: "failed", 3: "failed", 4: "failed"])
        stage.clock.clock.advance(by: .seconds(700))
        await stage.workOff(adapter)
        #expect(adapter.said.last == "4 failed")
    }

    @Test func `who is to be called is called by the message of the group too`() async throws {
        let rules = """
            - name: failed
              watch: session
              if: session.status == "failed"
              group: {by: session.visibility, wait: 1m, interval: 10m}
              do: [{post: ops, mention: true, text: "{{ session.id }} failed"}]
            """
        let stage = try LedgerStage(rules, channel: "mention: [alice]")
        try await stage.board([1: "failed", 2: "failed"])
        stage.clock.clock.advance(by: .seconds(60))
        let adapter = ScriptedAdapter()
        await stage.workOff(adapter)
        #expect(adapter.given.map(\.mentions) == [["alice"]])
    }

    // MARK: - Routing

    @Test func `an urgent message is not left to a later one that may be held`() async throws {
        let rules = """
            - name: failed
              watch: session
              if: session.status == "failed"
              quiet: "fri 11:00-14:00"
              do: [{post: ops, urgency: high, text: "{{ session.id }} failed"}, {wait: 1m}, {post: ops, update: true, text: "{{ session.id }} still"}]
            """
        let stage = try LedgerStage(rules)
        try await stage.board([1: "failed"])
        let adapter = ScriptedAdapter([.wait(reason: "away", retryAfter: .seconds(60))])
        await stage.workOff(adapter)
        try await stage.board([1: "failed"], after: .seconds(70))
        try await stage.replace(rules)
        await stage.workOff(adapter)
        #expect(adapter.said == ["1 failed", "1 failed"])
    }

    @Test func `an edit is not what the next message of the thread follows`() async throws {
        let rules = """
            - name: failed
              watch: session
              if: session.status == "failed"
              do: [{post: ops, text: failed}]
              resolved: [{post: ops, update: true, text: over}]
            - name: look
              watch: session
              if: session.status == "failed"
              do: [{post: ops, text: look}]
            - name: archived
              watch: session
              if: session.status == "archived"
              do: [{post: ops, text: archived}]
            """
        let stage = try LedgerStage(rules)
        let adapter = ScriptedAdapter()
        for status in ["failed", "running", "archived"] {
            try await stage.board([1: status])
            await stage.workOff(adapter)
        }
        #expect(adapter.said == ["failed", "look", "over", "archived"])
        #expect(adapter.given[2].replaces == Receipt(id: "$\(adapter.given[0].id)"))
        #expect(adapter.given[3].thread?.latest == Receipt(id: "$\(adapter.given[1].id)"))
    }

    @Test func `a channel that an expression names twice gets one message`() async throws {
        let rules = """
            - name: failed
              watch: session
              if: session.status == "failed"
              do: [{post: "{{ ['ops', 'pager', 'ops'] }}", text: "{{ session.id }} failed"}]
            """
        let stage = try LedgerStage(rules)
        try await stage.board([1: "failed"])
        #expect(try await stage.waiting() == ["1 failed"])
    }

    // MARK: - What is stored

    @Test func `rows that nobody can read any more hold up no other`() async throws {
        let stage = try LedgerStage(Self.unlimited)
        try await stage.board(Dictionary(uniqueKeysWithValues: (1...40).map { ($0, "failed") }))
        try await stage.ledger.spoil(upTo: 39)
        let adapter = ScriptedAdapter()
        await stage.workOff(adapter)
        #expect(adapter.said == ["40 failed"])
    }

    @Test func `the first of thousands is found without a look at the rest`() async throws {
        let stage = try LedgerStage(Self.unlimited)
        let plan = try await stage.ledger.plan(
            of: "SELECT * FROM outbox WHERE channel = 'ops' AND state = 'waiting' ORDER BY \(OutboxStore.order)")
        #expect(plan.contains { $0.contains("outbox_waiting") })
        #expect(!plan.contains { $0.contains("TEMP B-TREE") })
        try await stage.board(Dictionary(uniqueKeysWithValues: (1...1_000).map { ($0, "failed") }))
        let adapter = ScriptedAdapter()
        await stage.workOff(adapter)
        #expect(adapter.said == (1...1_000).map { "\($0) failed" })
    }
}

extension Ledger {
    /// Makes the first messages unreadable.
    fileprivate func spoil(upTo position: Int) throws {
        try database.run("UPDATE outbox SET message = '{' WHERE position <= ?", position)
    }

    /// How SQLite goes about a query.
    fileprivate func plan(of query: String) throws -> [String] {
        try database.query("EXPLAIN QUERY PLAN \(query)") { $0[3] }
    }
}
