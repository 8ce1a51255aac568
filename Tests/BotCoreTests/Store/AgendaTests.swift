import AdapterKitTesting
import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct AgendaTests {
    private static let rules = """
          - name: report
            schedule: "0 9 * * *"
            timezone: Europe/Berlin
            do: [{post: ops, text: report}]
          - name: each-minute
            schedule: "* * * * *"
            do: [{post: ops, text: report}]
          - name: failed
            watch: session
            if: session.status == "failed"
            for: 10m
            keep: 5m
            repeat: {every: 4h, times: 1}
            do: [{post: ops, text: failed}, {wait: 1h}, {post: ops, text: still}]
        """

    private func lines(_ agenda: Agenda, of rule: String = "failed") -> [String] {
        agenda.items.filter { $0.rule == rule }.map { "\($0.kind.rawValue) \($0.subject?.id ?? "")" }
    }

    @Test func `slots are listed for the days asked for, of a busy schedule only the first`() async throws {
        let stage = try LedgerStage(Self.rules)
        _ = try await stage.ledger.tick()
        let agenda = try stage.agenda(days: 3)
        #expect(lines(agenda, of: "report").count == 3)
        #expect(
            agenda.items.filter { $0.rule == "report" }.allSatisfy {
                $0.at.minuteText(in: $0.timeZone).hasSuffix("09:00")
            })
        #expect(lines(agenda, of: "each-minute").count == 14)
    }

    @Test func `what a subject waits for has a time`() async throws {
        let stage = try LedgerStage(Self.rules)
        try await stage.board([7: "failed"])
        #expect(lines(try stage.agenda()) == ["for 7"])
        try await stage.board([7: "failed"], after: .seconds(600))
        #expect(lines(try stage.agenda()) == ["wait 7", "repeat 7"])
        try await stage.board([7: "running"])
        #expect(lines(try stage.agenda()) == ["keep 7", "wait 7"])
    }

    @Test func `timers are told by this machine's clock, however wrong Zimmer's is`() async throws {
        let stage = try LedgerStage(Self.rules)
        await stage.ledger.note(skew: .seconds(-52 * 86_400))
        try await stage.board([7: "failed"])
        let item = try #require(try stage.agenda().items.first { $0.kind == .fire })
        #expect(item.at == stage.clock.now() + .seconds(600))
    }

    @Test func `a timer that stands still has no time`() async throws {
        let stage = try LedgerStage(Self.rules)
        try await stage.board([7: "failed"])
        try await stage.failBoard()
        #expect(lines(try stage.agenda()).isEmpty)
        try await stage.board([7: "failed"])
        stage.clock.clock.advance(by: .seconds(7_200))
        #expect(lines(try stage.agenda()).isEmpty, "nobody has decided for two hours")
    }

    @Test func `pauses, silence and messages that wait have an end`() async throws {
        let stage = try LedgerStage(Self.rules.replacingOccurrences())
        try await stage.board([7: "failed"])
        _ = try await stage.ask("mute", "2h")
        _ = try await stage.ask("pause", "failed 3h")
        let agenda = try stage.agenda()
        #expect(agenda.items.contains { $0.kind == .unmute })
        #expect(agenda.items.contains { $0.kind == .message && $0.rule == "failed" })
        #expect(lines(agenda).contains("resume "))
        #expect(!lines(agenda).contains("repeat 7"))
    }

    @Test func `a schedule's slots after its pause are listed`() async throws {
        let stage = try LedgerStage(Self.rules)
        _ = try await stage.ledger.tick()
        _ = try await stage.ask("pause", "report 1h")
        let listed = lines(try stage.agenda(days: 3), of: "report")
        #expect(listed.first == "resume ")
        #expect(listed.filter { $0 == "slot " }.count >= 2)
        _ = try await stage.ask("pause", "report")
        #expect(lines(try stage.agenda(days: 3), of: "report").isEmpty)
    }

    @Test func `a held message whose time has come while nobody ran is overdue`() async throws {
        let stage = try LedgerStage(Self.rules.replacingOccurrences())
        _ = try await stage.ask("mute", "2h")
        try await stage.board([7: "failed"])
        stage.clock.clock.advance(by: .seconds(3 * 3_600))
        let item = try #require(try stage.agenda().items.first { $0.kind == .message })
        #expect(item.at < stage.clock.now())
    }

    @Test func `a message that waits for quiet hours waits for their end, muted or not`() async throws {
        let stage = try LedgerStage(Self.rules.replacingOccurrences())
        try await stage.board([7: "failed"])
        let quietEnd = stage.clock.now() + .seconds(5 * 3_600)
        try Database(at: stage.directory.databasePath, as: .writer).run(
            "UPDATE outbox SET hold = 'quiet', release_at = ?", quietEnd)
        _ = try await stage.ask("mute", "1h")
        #expect(try stage.agenda().items.first { $0.kind == .message }?.at == quietEnd)
    }
}

extension String {
    /// The same rules without `for`.
    fileprivate func replacingOccurrences() -> String {
        split(separator: "\n").filter { !$0.contains("for: 10m") }.joined(separator: "\n")
    }
}
