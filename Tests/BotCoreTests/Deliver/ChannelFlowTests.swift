import AdapterKit
import AdapterKitTesting
import CEL
import Rules
import Testing

@testable import BotCore

/// From a decision to the adapter, over the real outbox.
@Suite(.timeLimit(.minutes(10))) struct ChannelFlowTests {
    private static let failed = """
        - name: failed
          watch: session
          if: session.status == "failed"
          do: [{post: ops, text: "{{ session.id }} failed"}]
          resolved: [{post: ops, text: "{{ session.id }} is over"}]
        """

    // MARK: - Groups

    private static let grouped = """
        - name: failed
          watch: session
          if: session.status == "failed"
          group: {by: session.visibility, wait: 1m, interval: 10m}
          do: [{post: ops, title: Sessions failed, text: "{{ session.id }} failed"}]
          resolved: [{post: ops, text: "{{ session.id }} is over"}]
        """

    @Test func `posts of one group become one message, and the next waits for the interval`() async throws {
        let stage = try LedgerStage(Self.grouped)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed"])
        try await stage.board([1: "failed", 2: "failed"])
        await stage.workOff(adapter)
        #expect(adapter.given.isEmpty)
        stage.clock.clock.advance(by: .seconds(30))
        await stage.workOff(adapter)
        #expect(adapter.said == ["- 1 failed\n- 2 failed"])
        #expect(adapter.given[0].message.title == "Sessions failed")
        #expect(adapter.given[0].message.kind == .digest)
        #expect(adapter.given[0].message.rule == "failed")
        try await stage.board([1: "failed", 2: "failed", 3: "failed"])
        stage.clock.clock.advance(by: .seconds(500))
        await stage.workOff(adapter)
        #expect(adapter.given.count == 1)
        stage.clock.clock.advance(by: .seconds(70))
        await stage.workOff(adapter)
        #expect(adapter.said.last == "3 failed")
    }

    @Test func `what fired and was resolved inside a group is left out`() async throws {
        let stage = try LedgerStage(Self.grouped)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed", 2: "failed"], after: .seconds(1))
        try await stage.board([1: "running", 2: "failed"], after: .seconds(1))
        stage.clock.clock.advance(by: .seconds(60))
        await stage.workOff(adapter)
        #expect(adapter.said == ["2 failed"])
        #expect(try await stage.waiting().isEmpty)
    }

    @Test func `a restart keeps what a group holds`() async throws {
        let stage = try LedgerStage(Self.grouped)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed", 2: "failed"])
        try stage.restart(after: .seconds(60))
        await stage.workOff(adapter)
        #expect(adapter.said == ["- 1 failed\n- 2 failed"])
    }

    // MARK: - Quiet hours

    /// The stage begins on a Friday, at 12:02 UTC.
    private static let quiet = "quiet: \"fri 11:00-14:00\""

    @Test func `what comes in the quiet hours goes as one message after them, an urgent one at once`() async throws {
        let urgent = """

            - name: urgent
              watch: session
              if: session.id == 9
              do: [{post: ops, urgency: high, text: "{{ session.id }} burns"}]
            """
        let stage = try LedgerStage(Self.failed + urgent, channel: Self.quiet)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed"])
        try await stage.board([1: "failed", 2: "failed", 9: "running"])
        await stage.workOff(adapter)
        #expect(adapter.said == ["9 burns"])
        stage.clock.clock.advance(by: .seconds(7_200))
        await stage.workOff(adapter)
        #expect(adapter.said.last == "- 1 failed\n- 2 failed")
        #expect(adapter.given.last?.message.title == "2 messages from 2026-10-09 12:02 to 2026-10-09 12:03")
    }

    @Test func `one message of the quiet hours goes as it is`() async throws {
        let stage = try LedgerStage(Self.failed, channel: Self.quiet)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed"])
        stage.clock.clock.advance(by: .seconds(7_200))
        await stage.workOff(adapter)
        #expect(adapter.said == ["1 failed"])
        #expect(adapter.given[0].message.kind == .firing)
    }

    @Test func `what fired and was resolved in the quiet hours is left out`() async throws {
        let stage = try LedgerStage(Self.failed, channel: Self.quiet)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed", 2: "failed", 3: "failed"])
        try await stage.board([1: "failed", 2: "running", 3: "failed"])
        stage.clock.clock.advance(by: .seconds(7_200))
        await stage.workOff(adapter)
        #expect(adapter.said == ["- 1 failed\n- 3 failed"])
        #expect(try await stage.waiting().isEmpty)
    }

    @Test func `quiet hours that a reload takes away hold nothing any more`() async throws {
        let quiet = Self.failed + "\n  quiet: \"fri 11:00-14:00\""
        let stage = try LedgerStage(quiet)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed", 2: "failed"])
        await stage.workOff(adapter)
        #expect(adapter.given.isEmpty)
        try await stage.replace(Self.failed)
        await stage.workOff(adapter)
        #expect(adapter.said == ["1 failed", "2 failed"])
    }

    // MARK: - After an outage

    @Test func `after an outage what is too old becomes one line that counts on`() async throws {
        let stage = try LedgerStage(Self.failed)
        try await stage.board([1: "failed", 2: "failed"])
        stage.clock.clock.advance(by: .seconds(3_700))
        let away = ScriptedAdapter([.wait(reason: "away", retryAfter: .seconds(600))])
        await stage.workOff(away)
        #expect(away.said.count == 1)
        try stage.restart()
        try await stage.board([1: "failed", 2: "failed", 3: "failed"])
        stage.clock.clock.advance(by: .seconds(3_700))
        let back = ScriptedAdapter()
        await stage.workOff(back)
        #expect(
            back.said == [
                "3 messages were held from 2026-10-09 12:02 to 2026-10-09 13:04 (failed 3); 'zimmer-bot log' has them."
            ])
        #expect(try await stage.waiting().isEmpty)
    }

    @Test func `what is over by the time it could go is not told any more`() async throws {
        let stage = try LedgerStage(Self.failed)
        try await stage.board([1: "failed", 2: "failed"])
        stage.clock.clock.advance(by: .seconds(600))
        try await stage.board([1: "running", 2: "failed"])
        let adapter = ScriptedAdapter()
        await stage.workOff(adapter)
        #expect(adapter.said == ["2 failed", "1 is over"])
    }

    @Test func `a given up message goes again by its id`() async throws {
        let stage = try LedgerStage(Self.failed)
        try await stage.board([1: "failed"])
        let adapter = ScriptedAdapter([.never(reason: "too long")])
        await stage.workOff(adapter)
        let id = try #require(adapter.given.first?.id)
        #expect(try await stage.ask("release", id.text).isDone)
        await stage.workOff(adapter)
        #expect(adapter.given.map(\.id) == [id, id])
        #expect(try await stage.ask("release", id.text).isDone == false)
    }

    @Test func `what one channel refuses is said through the others`() async throws {
        let stage = try LedgerStage(Self.failed.replacing("post: ops", with: "post: pager"))
        try await stage.board([1: "failed", 2: "failed"])
        let refusing = ScriptedAdapter([.never(reason: "too long"), .never(reason: "too long")])
        await stage.workOff(refusing, channel: "pager")
        try await stage.board([1: "failed", 2: "failed"])
        #expect(
            try await stage.waiting() == ["Channel pager was not given a message: too long ('zimmer-bot status')"])
    }

    // MARK: - Threads and edits

    @Test func `messages about one session stand in the thread of the first`() async throws {
        let stage = try LedgerStage(Self.failed)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed", 2: "failed"])
        await stage.workOff(adapter)
        try await stage.board([1: "running", 2: "failed"])
        await stage.workOff(adapter)
        try await stage.board([1: "failed", 2: "failed"])
        await stage.workOff(adapter)
        let first = adapter.given[0].id
        #expect(adapter.given[0].thread == nil)
        #expect(adapter.given[1].thread == nil)
        #expect(adapter.given[2].thread?.root == Receipt(id: "$\(first)"))
        #expect(adapter.given[3].thread?.root == Receipt(id: "$\(first)"))
        #expect(adapter.given[3].thread?.latest == Receipt(id: "$\(adapter.given[2].id)"))
    }

    private static let updating = """
        - name: failed
          watch: session
          if: session.status == "failed"
          do: [{post: ops, text: "{{ session.id }} failed"}]
          resolved: [{post: ops, update: true, text: "{{ session.id }} is over"}]
        """

    @Test func `an update takes the place of the episode's message`() async throws {
        let stage = try LedgerStage(Self.updating)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed"])
        await stage.workOff(adapter)
        try await stage.board([1: "running"])
        await stage.workOff(adapter)
        #expect(adapter.given.last?.replaces == Receipt(id: "$\(adapter.given[0].id)"))
        try await stage.board([1: "failed"])
        try await stage.board([1: "running"])
        await stage.workOff(adapter)
        #expect(adapter.said.dropFirst(2) == ["1 is over"], "what was not sent yet is not sent to be edited")
        #expect(adapter.given.last?.replaces == nil)
    }

    @Test func `an update that waits stands for the message that it edits, and not for those before that`() async throws
    {
        let two = Self.updating.replacing(
            "do: [{post: ops", with: "do: [{post: ops, text: \"{{ session.id }} fails\"}, {post: ops")
        let stage = try LedgerStage(two)
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed"])
        try await stage.board([1: "running"])
        await stage.workOff(adapter)
        #expect(adapter.said == ["1 fails", "1 is over"])
    }

    // MARK: - Doubt

    @Test func `after a crash in mid-attempt the message says that it may be repeated`() async throws {
        let stage = try LedgerStage(Self.failed)
        try await stage.board([1: "failed", 2: "failed"])
        let entry = try #require(try await stage.ledger.pending("ops", limit: 1, now: stage.clock.now()).entries.first)
        _ = try await stage.ledger.begin(entry.id, marking: true)
        try stage.restart()
        let adapter = ScriptedAdapter(recognizesRepeats: false)
        await stage.workOff(adapter)
        #expect(adapter.given.map(\.mayBeRepeated) == [true, false])
    }

    @Test(arguments: [
        (DeliveryOutcome.lost(reason: "reset"), true), (.maybe(reason: "500"), true),
        (.wait(reason: "busy", retryAfter: .seconds(1)), false),
    ])
    func `an attempt in doubt makes the next one a possible repetition`(
        outcome: DeliveryOutcome, isDoubtful: Bool
    ) async throws {
        let stage = try LedgerStage(Self.failed)
        try await stage.board([1: "failed"])
        let adapter = ScriptedAdapter([outcome], recognizesRepeats: false)
        await stage.workOff(adapter)
        stage.clock.clock.advance(by: .seconds(1))
        await stage.workOff(adapter)
        #expect(adapter.given.map(\.mayBeRepeated) == [false, isDoubtful])
    }

    // MARK: - What a channel is told

    @Test func `an urgent message calls those that the channel names, and nobody else does`() async throws {
        let rules = """
            - {name: a, watch: session, if: session.id == 1, do: [{post: ops, urgency: high, text: "@room burns"}]}
            - {name: b, watch: session, if: session.id == 1, do: [{post: ops, text: "@room"}]}
            - {name: c, watch: session, if: session.id == 1, do: [{post: ops, mention: true, text: look}]}
            """
        let stage = try LedgerStage(rules, channel: "mention: [\"@alice:example.com\"]")
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed"])
        await stage.workOff(adapter)
        #expect(adapter.given.map(\.mentions) == [["@alice:example.com"], [], ["@alice:example.com"]])
    }

    @Test(arguments: [
        ("full", "Fix login failed", "Fix login"), ("title", "failed: firing: Session 1", "Session 1"),
        ("kind", "failed: firing", nil),
    ])
    func `a third party sees so much and no more`(detail: String, text: String, title: String?) async throws {
        let rules = """
            - name: failed
              watch: session
              if: session.status == "failed"
              do: [{post: ops, title: Fix login, text: Fix login failed}]
            """
        let stage = try LedgerStage(rules, channel: "detail: \(detail)")
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed"])
        await stage.workOff(adapter)
        #expect(adapter.said == [text])
        #expect(adapter.given[0].message.title == (detail == "full" ? "Fix login" : nil))
        #expect(adapter.given[0].message.subject?.title == (detail == "full" ? "Session 1" : title))
        #expect((adapter.given[0].message.subject?.url == nil) == (detail != "full"))
    }

    @Test(arguments: [
        ("title", "- failed: firing: Session 1\n- failed: firing: Session 2"),
        ("kind", "- failed: firing\n- failed: firing"),
    ])
    func `of what goes as one message a third party sees so much of each`(detail: String, text: String) async throws {
        let stage = try LedgerStage(Self.grouped, channel: "detail: \(detail)")
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed", 2: "failed"])
        stage.clock.clock.advance(by: .seconds(60))
        await stage.workOff(adapter)
        #expect(adapter.said == [text])
        #expect(adapter.given.map(\.message.title) == [nil])
    }

    @Test func `a third party is told how many messages were too old`() async throws {
        let stage = try LedgerStage(Self.failed, channel: "detail: kind")
        let adapter = ScriptedAdapter()
        try await stage.board([1: "failed", 2: "failed"])
        stage.clock.clock.advance(by: .seconds(2 * 3600))
        await stage.workOff(adapter)
        #expect(adapter.said.count == 1)
        #expect(adapter.said.first?.hasPrefix("2 messages were held from ") == true)
    }

    // MARK: - Channels as values

    @Test func `a rule sees how channels fare`() async throws {
        let rules = """
            - name: away
              watch: channel
              if: channel.state == "down"
              for: 1m
              do: [{post: ops, text: "{{ channel.name }}: {{ channel.error }}"}]
              resolved: [{post: ops, text: "{{ channel.name }} is back"}]
            - name: seen
              watch: session
              if: channels.ops.state == "down" && channels.ops.waiting > 2
              do: [{post: ops, text: "{{ session.id }} saw it"}]
            """
        let stage = try LedgerStage(rules)
        var status = ChannelStatus(channel: "ops")
        _ = try await stage.ledger.note([status])
        #expect(try await stage.board([1: "running"]).said.isEmpty)
        status.enter(.down, at: stage.clock.now(), error: "no *connection*")
        status.waiting = 3
        #expect(try await stage.ledger.note([status]))
        #expect(try await stage.ledger.note([status]) == false)
        #expect(try await stage.board([1: "running"]).said == ["1 saw it"])
        #expect(try await stage.board([1: "running"], after: .seconds(60)).said == ["ops: no *connection*"])
        status.enter(.up, at: stage.clock.now())
        _ = try await stage.ledger.note([status])
        #expect(try await stage.ledger.tick().said == ["ops is back"])
    }
}
