import CEL
import Rules
import Testing

@testable import BotCore

/// What was before of what is no session.
@Suite struct LedgerPreviousTests {
    @Test func `a rule sees that Zimmer went away, once`() async throws {
        let rule = """
              - name: went
                watch: zimmer
                if: previous.reachable && !zimmer.reachable
                do: [{post: ops, text: went}]
            """
        let stage = try LedgerStage(rule)
        #expect(try await stage.failBoard().said.isEmpty, "nothing was before")
        try await stage.board([:])
        #expect(try await stage.failBoard().said == ["went"])
        #expect(try await stage.failBoard().said.isEmpty)
    }

    @Test func `a rule sees that a channel came back`() async throws {
        let rule = """
              - name: back
                watch: channel
                if: previous.state == "down" && channel.state == "up"
                do: [{post: ops, text: "{{ channel.name }}"}]
            """
        let stage = try LedgerStage(rule)
        var status = ChannelStatus(channel: "pager")
        status.enter(.down, at: stage.clock.now(), error: "no route")
        _ = try await stage.ledger.note([status])
        #expect(try await stage.ledger.tick().said.isEmpty)
        status.enter(.up, at: stage.clock.now(), error: nil)
        _ = try await stage.ledger.note([status])
        #expect(try await stage.ledger.tick().said == ["pager"])
        #expect(try await stage.ledger.tick().said.isEmpty)
    }
}
