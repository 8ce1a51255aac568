import AdapterKit
import AdapterKitTesting
import CEL
import Rules
import Testing

@testable import BotCore

/// What a channel goes through: doubt, clocks that are put back, rows that nobody can read, thousands of messages.
@Suite(.timeLimit(.minutes(2))) struct ChannelTrialTests {
    private static let failed = """
        - name: failed
          watch: session
          if: session.status == "failed"
          do: [{post: ops, text: "{{ session.id }} failed"}]
        """

    private static let unlimited = failed + "\n  limit: {per_poll: 100000, per_hour: 100000}"

    // MARK: - Doubt

    // MARK: - Holding

    // MARK: - Routing

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
