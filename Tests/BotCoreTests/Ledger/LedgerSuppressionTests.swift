import AdapterKit
import CEL
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
            do: [{post: pager, text: "{{ session.id }}"}]
            resolved: [{post: pager, text: "{{ session.id }} over"}]
        """

    private func pager(_ stage: LedgerStage) async throws -> [String] {
        try await stage.ledger.pending("pager", limit: 100, now: stage.clock.now()).entries.map(
            \.message.body.plainText)
    }

    @Test func `messages of a silenced rule wait until the other one is over, kill or not`() async throws {
        let stage = try LedgerStage(Self.rules)
        try await stage.board([7: "waiting", 8: "failed"])
        #expect(try await pager(stage) == ["8"])
        try stage.restart()
        try await stage.board([7: "waiting", 8: "failed"])
        #expect(try await pager(stage) == ["8"])
        try await stage.board([7: "failed", 8: "failed"])
        #expect(try await pager(stage) == ["7", "8"])
    }

    @Test func `what is over before the other one is dropped, its ending too`() async throws {
        let rules = Self.rules.replacing(
            "if: session.status == \"waiting\"", with: "if: session.status != \"failed\"")
        let stage = try LedgerStage(rules)
        try await stage.board([7: "waiting"])
        let ended = try await stage.board([7: "running"])
        #expect(ended.said == ["7 over"])
        #expect(try await pager(stage).isEmpty)
        try await stage.board([7: "failed"])
        #expect(try await pager(stage) == ["7"])
    }

    @Test func `a rule that is gone silences nobody`() async throws {
        let stage = try LedgerStage(Self.rules)
        try await stage.board([7: "waiting"])
        #expect(try await pager(stage).isEmpty)
        try await stage.replace(Self.rules.replacing("    suppress: stuck\n", with: ""))
        try await stage.board([7: "waiting"])
        #expect(try await pager(stage) == ["7"])
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }
}
