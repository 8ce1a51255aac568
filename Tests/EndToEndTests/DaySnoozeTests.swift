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
    private static func simulation() throws -> Simulation {
        let simulation = try Simulation(rule, polls: "{board: 1h}")
        simulation.server.update { state in
            let touched = state.now - .hours(60)
            state.addSession(id: 7, title: "Try the new queue") { $0.lastUserActivityAt = touched }
        }
        return simulation
    }

    @Test func `a stale session is snoozed once, for seven days`() async throws {
        let simulation = try Self.simulation()
        await simulation.pass(.hours(11))
        #expect(simulation.writes.isEmpty)
        await simulation.pass(.hours(3))
        #expect(simulation.writes == ["PATCH sessions/7/visibility"])
        let session = try #require(simulation.server.state.sessions[7])
        #expect(session.visibility == .snoozed)
        let until = try #require(session.snoozedUntil)
        #expect(until - simulation.server.now > .days(6) && until - simulation.server.now < .days(7))
    }

    @Test func `when the snooze is over it is not repeated`() async throws {
        let simulation = try Self.simulation()
        await simulation.pass(.days(12))
        #expect(simulation.server.state.sessions[7]?.effectiveVisibility(at: simulation.server.now) == .visible)
        #expect(simulation.writes.count == 1)
    }

    @Test func `a snooze that a person took back is left alone until somebody acted`() async throws {
        let simulation = try Self.simulation()
        await simulation.pass(.hours(14))
        simulation.server.update { $0.apply(.unsnoozes(session: 7)) }
        await simulation.pass(.days(2))
        #expect(simulation.writes.count == 1)
        simulation.server.update { $0.apply(.says(session: 7, "Still on it.")) }
        await simulation.pass(.hours(71))
        #expect(simulation.writes.count == 1)
        await simulation.pass(.hours(4))
        #expect(simulation.writes.count == 2)
        #expect(simulation.server.state.sessions[7]?.visibility == .snoozed)
    }

    @Test func `a restart does not repeat it either`() async throws {
        let simulation = try Self.simulation()
        await simulation.pass(.hours(14))
        simulation.server.update { $0.apply(.unsnoozes(session: 7)) }
        try simulation.restart(after: .minutes(10))
        await simulation.pass(.hours(5))
        #expect(simulation.writes.count == 1)
    }
}
