import CEL
import Rules
import Testing

@testable import BotCore

/// What of an episode survives the process.
@Suite struct LedgerEpisodeTests {
    private static func failed(_ more: String, text: String = "failed", resolved: String = "over") -> String {
        """
          - name: failed
            watch: session
            if: session.status == "failed"
            \(more)
            do: [{post: ops, text: "\(text)"}]
            resolved: [{post: ops, text: "\(resolved)"}]
        """
    }

    @Test func `what a run knows is there after the wait in which the bot was killed`() async throws {
        let rule = """
              - name: finished
                watch: session
                if: session.status == "needs_input"
                do:
                  - wait: 10m
                  - post: ops
                    text: "{{ fired.status }} {{ previous.status }} {{ episode.runs }}"
            """
        let stage = try LedgerStage(rule)
        try await stage.board([7: "running"])
        try await stage.board([7: "needs_input"])
        try stage.restart()
        #expect(try await stage.board([7: "needs_input"], after: .seconds(600)).said == ["needs_input running 1"])
    }

    @Test func `the reading before is known after a restart`() async throws {
        let rule = """
              - name: finished
                watch: session
                if: previous.status == "running" && session.status == "needs_input"
                do: [{post: ops, text: finished}]
            """
        let stage = try LedgerStage(rule)
        try await stage.board([7: "running"])
        try stage.restart(after: .seconds(3_600))
        try await stage.failBoard()
        #expect(try await stage.board([7: "needs_input"]).said == ["finished"])
        try stage.restart()
        #expect(try await stage.board([7: "needs_input"]).said.isEmpty)
    }

    @Test func `rules that fight are stopped at one subject, by name, and go on at others`() async throws {
        let rules = """
              - name: down
                watch: session
                if: session.status == "failed"
                do: [{post: ops, text: "down {{ session.id }}"}]
              - name: up
                watch: session
                if: session.status == "running"
                do: [{post: ops, text: "up {{ session.id }}"}]
            """
        let stage = try LedgerStage(rules)
        var said: [String] = []
        for round in 0..<30 { said += try await stage.board([7: round.isMultiple(of: 2) ? "failed" : "running"]).said }
        #expect(said.count == 24)
        let notices = try await stage.waiting().filter { $0.contains("left alone") }
        #expect(notices.count == 1)
        #expect(notices.first?.contains("down 12, up 12") == true)
        #expect(try await stage.board([7: "failed", 8: "failed"]).said == ["down 8"])
    }
}
