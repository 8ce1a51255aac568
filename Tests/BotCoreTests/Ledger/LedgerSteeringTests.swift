import AdapterKitTesting
import CEL
import Rules
import Testing

@testable import BotCore

/// What people ask of the rules, through the store of a bot that runs.
@Suite struct LedgerSteeringTests {
    private static func failed(_ more: String = "") -> String {
        """
          - name: failed
            watch: session
            if: session.status == "failed"
            \(more)
            do: [{post: ops, text: failed}]
            resolved: [{post: ops, text: over}]
        """
    }

    private static let report = """
          - name: report
            schedule: "0 9 * * *"
            do: [{post: ops, text: "{{ slot.time }}"}]
        """

    @Test func `a paused rule says nothing until it is resumed, over a restart too`() async throws {
        let stage = try LedgerStage(Self.failed("for: 1m"))
        try await stage.board([7: "failed"])
        #expect(try await stage.ask("pause", "failed").text == "paused until it is resumed")
        try stage.restart()
        #expect(try await stage.board([7: "failed"], after: .seconds(120)).said.isEmpty)
        #expect(try await stage.ask("resume", "failed").isDone)
        #expect(try await stage.board([7: "failed"]).said.isEmpty, "its timer stood still")
        #expect(try await stage.board([7: "failed"], after: .seconds(60)).said == ["failed"])
    }

    @Test func `a rule that was not decided yet can be paused`() async throws {
        let stage = try LedgerStage(Self.failed())
        #expect(try await stage.ask("pause", "failed").isDone)
        #expect(try await stage.board([7: "failed"]).said.isEmpty)
    }

    @Test(arguments: [
        ("pause", "faild", "there is no rule 'faild', did you mean 'failed'?"),
        ("pause", "failed soon", "'soon' is no duration"), ("resume", "failed", "rule 'failed' is not paused"),
        ("run-rule", "failed", "rule 'failed' is active for nothing"), ("ack", "failed", "nothing is active there"),
        ("release", "failed", "rule 'failed' does not wait for a release"),
        ("dance", "failed", "this version does not understand 'dance failed'"),
    ])
    func `what cannot be done is said`(command: String, argument: String, answer: String) async throws {
        let stage = try LedgerStage(Self.failed())
        try await stage.board([7: "running"])
        let said = try await stage.ask(command, argument)
        #expect(said.text == answer)
        #expect(!said.isDone)
    }

    @Test func `a schedule runs once when a person asks, and at its slot all the same`() async throws {
        let stage = try LedgerStage(Self.report)
        _ = try await stage.ledger.tick()
        #expect(try await stage.ask("run-rule", "report").isDone)
        #expect(await stage.ledger.deadline == stage.clock.now())
        #expect(try await stage.ledger.tick().said.count == 1)
        #expect(try await stage.ledger.tick().said.isEmpty)
        stage.clock.clock.advance(by: .seconds(86_400))
        #expect(try await stage.ledger.tick().said.count == 1)
    }

    @Test func `what was asked for before a kill runs after it`() async throws {
        let stage = try LedgerStage(Self.report)
        #expect(try await stage.ask("run-rule", "report").isDone)
        try stage.restart()
        _ = try await stage.ledger.tick()
        #expect(try await stage.ledger.tick().said.count == 1)
    }

    @Test func `a rule that is not done with what it does says so, and does not run again`() async throws {
        let stage = try LedgerStage(
            """
              - name: failed
                watch: session
                if: session.status == "failed"
                do: [{post: ops, text: failed}, {wait: 1h}, {post: ops, text: still}]
            """)
        try await stage.board([7: "failed"])
        let answer = try await stage.ask("run-rule", "failed")
        #expect(answer.text == "rule 'failed' is not done with what it does for all that it is active for")
        #expect(!answer.isDone)
        #expect(try await stage.board([7: "failed"]).said.isEmpty)
        #expect(try await stage.board([7: "failed"], after: .seconds(3_600)).said == ["still"])
        #expect(try await stage.ask("run-rule", "failed").isDone)
    }

    @Test func `what somebody has in hand calls nobody else, and still is resolved`() async throws {
        let rule = """
              - name: failed
                watch: session
                if: session.status == "failed"
                do: [{post: ops, text: failed}, {wait: 15m}, {post: pager, text: still}]
                resolved: [{post: ops, text: over}]
            """
        let stage = try LedgerStage(rule)
        try await stage.board([7: "failed", 8: "failed"])
        #expect(try await stage.ask("ack", "failed 7").text == "acknowledged: failed for session 7")
        try stage.restart()
        let later = try await stage.board([7: "failed", 8: "failed"], after: .seconds(900))
        #expect(later.posts.map { $0.subject?.id.id } == ["8"])
        #expect(try await stage.board([7: "running", 8: "failed"]).said == ["over"])
    }

    @Test func `while the bot is muted only what is urgent goes; the rest goes as one`() async throws {
        let rule =
            Self.failed() + """

                  - name: urgent
                    watch: session
                    if: session.status == "failed"
                    do: [{post: ops, urgency: high, text: urgent}]
                """
        let stage = try LedgerStage(rule)
        #expect(try await stage.ask("mute", "1h").isDone)
        try stage.restart()
        try await stage.board([7: "failed"])
        #expect(try await stage.waiting() == ["urgent"])
        try await stage.ledger.replace(
            await stage.ledger.currentRules, delivery: stage.delivery, notices: nil,
            freshness: .init(boardInterval: .seconds(30), healthInterval: .seconds(30)))
        #expect(try await stage.waiting() == ["urgent"], "a reload does not end it")
        #expect(try await stage.ask("mute", "0s").text == "not muted any more")
        #expect(try await stage.waiting() == ["urgent", "failed"])
    }

    @Test func `each wish is in the trail with who had it`() async throws {
        let stage = try LedgerStage(Self.failed())
        try await stage.board([7: "failed"])
        for (command, argument) in [
            ("pause", "failed"), ("resume", "failed"), ("ack", "failed 7"), ("mute", "1h"), ("run-rule", "failed"),
        ] { _ = try await stage.ask(command, argument) }
        let trail = try await stage.ledger.trail(["paused", "resumed", "acked", "muted", "asked"])
        #expect(trail.map(\.kind) == ["paused", "resumed", "acked", "muted", "asked"])
        #expect(trail.allSatisfy { $0.detail.hasSuffix("by ann") })
    }
}
