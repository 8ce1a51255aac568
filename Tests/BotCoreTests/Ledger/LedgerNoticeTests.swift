import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct LedgerNoticeTests {
    private let rules = """
          - name: failed
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: failed}]
        """

    @Test func `a restart neither ends what is wrong nor says it again`() async throws {
        let stage = try LedgerStage(rules)
        for _ in 1...31 { try await stage.failBoard() }
        #expect(try await stage.waiting().count == 1)
        try stage.restart()
        _ = try await stage.ledger.tick()
        for _ in 1...31 { try await stage.failBoard() }
        #expect(try await stage.waiting().count == 1)
    }

    @Test func `what ended while the bot was away is said to be over`() async throws {
        let stage = try LedgerStage(rules)
        for _ in 1...31 { try await stage.failBoard() }
        try stage.restart()
        for _ in 1...61 { try await stage.board([7: "running"]) }
        let said = try await stage.waiting()
        #expect(said.count == 2)
        #expect(said.last?.hasPrefix("Zimmer can be read again.") == true)
    }
}
