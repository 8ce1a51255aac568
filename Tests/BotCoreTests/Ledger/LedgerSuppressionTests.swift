import AdapterKit
import Rules
import Testing

@testable import BotCore

@Suite struct LedgerSuppressionTests {
    private static let rules = """
          - name: stuck
            watch: session
            if: session.status == "waiting"
            do: [{post: ops, text: "{{ session.id }}"}]
          - name: failed
            watch: session
            if: session.status == "failed" || session.status == "waiting"
            suppress: stuck
            do: [{note: {append: failed}}, {post: pager, text: "{{ session.id }}"}]
        """

    private func pager(_ stage: LedgerStage) async throws -> [String] {
        try await stage.ledger.pending("pager", limit: 100, now: stage.clock.now()).entries.map(
            \.message.body.plainText)
    }

    @Test func `what follows a write is held back too`() async throws {
        let stage = try LedgerStage(Self.rules)
        try await stage.board([7: "waiting", 8: "failed"])
        let ledger = stage.ledger
        for run in await ledger.currentMemory.runs.values {
            let request = WriteRequest("note", session: 7, kind: .appendNote("failed"))
            let attempt = try #require(try await ledger.begin(run.key, request))
            let rule = try #require(await ledger.currentRules.rule(run.key.rule))
            _ = try await ledger.finish(attempt, .done(""), subject: await ledger.latest(run.key.subject, for: rule))
        }
        #expect(try await pager(stage) == ["8"])
        try await stage.board([7: "failed", 8: "failed"])
        #expect(try await pager(stage).sorted() == ["7", "8"])
    }
}
