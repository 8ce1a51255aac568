import BotTestSupport
import DemoZimmer
import Testing

/// What nobody touches leaves the board for a week, once for each time that nobody touched it.
@Suite struct DaySnoozeTests {
    private static let rule = """
          - name: snooze-stale
            watch: session
            if: |
              session.status == "needs_input" && session.effective_visibility == "visible"
              && session.idle > duration("72h")
            do:
              - snooze: {for: 7d}
        """

    /// One poll an hour: two weeks pass in a few hundred rounds.
    private static func stage() throws -> Stage {
        let stage = try Stage(rule, polls: "{board: 1h}")
        stage.server.update { state in
            let touched = state.now - .hours(60)
            state.addSession(id: 7, title: "Try the new queue") { $0.lastUserActivityAt = touched }
        }
        return stage
    }

    @Test func `a stale session is snoozed once, for seven days`() async throws {
        let stage = try Self.stage()
        await stage.pass(.hours(11))
        #expect(stage.writes.isEmpty)
        await stage.pass(.hours(3))
        #expect(stage.writes == ["PATCH sessions/7/visibility"])
        let session = try #require(stage.server.state.sessions[7])
        #expect(session.visibility == .snoozed)
        let until = try #require(session.snoozedUntil)
        #expect(until - stage.server.now > .days(6) && until - stage.server.now < .days(7))
    }

    @Test func `when the snooze is over it is not repeated`() async throws {
        let stage = try Self.stage()
        await stage.pass(.days(12))
        #expect(stage.server.state.sessions[7]?.effectiveVisibility(at: stage.server.now) == .visible)
        #expect(stage.writes.count == 1)
    }

    @Test func `a snooze that a person took back is left alone until somebody acted`() async throws {
        let stage = try Self.stage()
        await stage.pass(.hours(14))
        stage.server.update { $0.apply(.unsnoozes(session: 7)) }
        await stage.pass(.days(2))
        #expect(stage.writes.count == 1)
        stage.server.update { $0.apply(.says(session: 7, "Still on it.")) }
        await stage.pass(.hours(71))
        #expect(stage.writes.count == 1)
        await stage.pass(.hours(4))
        #expect(stage.writes.count == 2)
        #expect(stage.server.state.sessions[7]?.visibility == .snoozed)
    }

    @Test func `a restart does not repeat it either`() async throws {
        let stage = try Self.stage()
        await stage.pass(.hours(14))
        stage.server.update { $0.apply(.unsnoozes(session: 7)) }
        try stage.restart(after: .minutes(10))
        await stage.pass(.hours(5))
        #expect(stage.writes.count == 1)
    }
}
