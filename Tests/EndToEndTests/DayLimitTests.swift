import BotTestSupport
import DemoZimmer
import Testing

/// However much happens at once, what the bot says and does stays within bounds.
@Suite struct DayLimitTests {
    private static let posting = """
          - name: failed
            watch: session
            if: session.status == "failed"
            limit: {per_poll: 3}
            do: [{post: ops, text: "{{ session.title }}"}]
        """

    private static let hiding = """
          - name: tidy
            watch: session
            if: session.status == "failed" && session.effective_visibility == "visible"
            limit: {per_poll: 3, per_hour: 10}
            do: [hide]
        """

    /// So many sessions that run, or that failed already.
    private static func simulation(
        _ rules: String, poll: String = "30s", limit: String = "{per_hour: 120, per_day: 600}", count: Int,
        status: Session.Status = .running
    ) throws -> Simulation {
        let simulation = try Simulation(rules, polls: "{board: \(poll)}", limit: limit)
        simulation.server.update { state in
            for id in 1...count { state.addSession(id: id, title: "Session \(id)", status: status) }
        }
        return simulation
    }

    private static func failAll(_ simulation: Simulation) {
        simulation.server.update { state in
            for id in state.sessions.ids { state.apply(.fails(session: id, reason: "process_failed")) }
        }
    }

    private static func hidden(_ simulation: Simulation) -> Int {
        let state = simulation.server.state
        return state.sessions.ids.count { state.sessions[$0]?.visibility == .hidden }
    }

    @Test func `messages beyond the limit of a poll go out as one that lists them`() async throws {
        let simulation = try Self.simulation(Self.posting, count: 9)
        await simulation.pass(.seconds(10))
        Self.failAll(simulation)
        await simulation.pass(.minutes(1))
        #expect(simulation.said.count == 4)
        #expect(simulation.said.prefix(3) == ["ops: Session 1", "ops: Session 2", "ops: Session 3"])
        #expect(simulation.said.last?.hasPrefix("ops: 6 more from failed: ") == true)
        for id in 4...9 { #expect(simulation.said.last?.contains("Session \(id)") == true) }
        await simulation.pass(.hours(1))
        #expect(simulation.said.count == 4)
    }

    @Test func `writes beyond the limit of a poll are held and worked off`() async throws {
        let simulation = try Self.simulation(Self.hiding, count: 8)
        await simulation.pass(.seconds(10))
        Self.failAll(simulation)
        await simulation.pass(.seconds(30))
        #expect(Self.hidden(simulation) == 3)
        await simulation.pass(.seconds(30))
        #expect(Self.hidden(simulation) == 6)
        await simulation.pass(.minutes(5))
        #expect(Self.hidden(simulation) == 8)
        #expect(simulation.writes.count == 8)
    }

    @Test func `a held write whose reason is gone by then is not made`() async throws {
        let simulation = try Self.simulation(Self.hiding, count: 4)
        await simulation.pass(.seconds(10))
        Self.failAll(simulation)
        await simulation.pass(.seconds(25))
        #expect(Self.hidden(simulation) == 3)
        simulation.server.update { $0.apply(.restarts(session: 4)) }
        await simulation.pass(.minutes(10))
        #expect(Self.hidden(simulation) == 3)
    }

    @Test func `writes beyond the limit of an hour wait, and that is said once`() async throws {
        let simulation = try Self.simulation(Self.hiding, count: 14)
        await simulation.pass(.seconds(10))
        Self.failAll(simulation)
        await simulation.pass(.minutes(50))
        #expect(Self.hidden(simulation) == 10)
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.contains("tidy") == true)
        // A restart does not begin a new hour.
        try simulation.restart(after: .minutes(1))
        await simulation.pass(.minutes(5))
        #expect(Self.hidden(simulation) == 10)
        await simulation.pass(.minutes(30))
        #expect(Self.hidden(simulation) == 14)
        #expect(simulation.notices.last?.hasPrefix("ops: Over: ") == true)
    }

    @Test func `all rules together write no more than the server's limit`() async throws {
        let rules = """
            \(Self.hiding)
              - name: star
                watch: session
                if: session.status == "failed"
                do: [{favorite: true}]
            """
        let simulation = try Self.simulation(rules, poll: "10m", limit: "{per_hour: 4, per_day: 6}", count: 5)
        await simulation.pass(.seconds(10))
        Self.failAll(simulation)
        await simulation.pass(.minutes(50))
        #expect(simulation.writes.count == 4)
        #expect(simulation.notices.contains { $0.contains("zimmer.limit") })
        await simulation.pass(.hours(5))
        #expect(simulation.writes.count == 6)
        await simulation.pass(.hours(20))
        #expect(simulation.writes.count == 10)
    }

    @Test func `what is written when episodes end keeps to the server's limit, too`() async throws {
        let rule = """
              - name: tell
                watch: session
                if: session.status == "failed"
                do: [{post: ops, text: "{{ session.title }}"}]
                resolved: [{note: {append: "went on"}}]
            """
        let simulation = try Self.simulation(rule, poll: "10m", limit: "{per_hour: 2, per_day: 600}", count: 5)
        simulation.server.update { $0.agent.outcome = .keepsRunning }
        await simulation.pass(.seconds(10))
        Self.failAll(simulation)
        await simulation.pass(.minutes(10))
        simulation.server.update { state in
            for id in state.sessions.ids { state.apply(.restarts(session: id)) }
        }
        await simulation.pass(.minutes(50))
        #expect(simulation.writes.count == 2)
        // What waits for room is not read again and again.
        #expect(simulation.server.received(.session).count < 20)
        try simulation.restart()
        await simulation.pass(.minutes(30))
        #expect(simulation.writes.count == 4)
        await simulation.pass(.hours(1))
        #expect(simulation.writes.count == 5)
    }

    @Test func `a spending step counts as five`() async throws {
        let rule = """
              - name: go-on
                watch: session
                if: session.status == "needs_input"
                do: [{follow_up: {prompt: "Go on."}}]
            """
        let simulation = try Self.simulation(
            rule, limit: "{per_hour: 14, per_day: 600}", count: 5, status: .needsInput)
        simulation.server.update { $0.agent.outcome = .keepsRunning }
        await simulation.pass(.minutes(30))
        #expect(simulation.writes.count == 2)
    }

    @Test func `a new rule that matches much at once writes nothing until a person releases it`() async throws {
        let simulation = try Self.simulation(Self.hiding, count: 7, status: .failed)
        await simulation.pass(.hours(2))
        #expect(simulation.writes.isEmpty)
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.contains("zimmer-bot release tidy") == true)
        #expect(simulation.notices.first?.contains("(7: ") == true)
        #expect(simulation.notices.first?.contains("session 1") == true)
        try simulation.ask("release", "tidy")
        await simulation.pass(.minutes(5))
        #expect(Self.hidden(simulation) == 7)
        #expect(simulation.notices.last?.hasPrefix("ops: Over: ") == true)
    }

    @Test func `an old rule that suddenly matches much does not wait for a person`() async throws {
        let simulation = try Self.simulation(Self.hiding, count: 7)
        await simulation.pass(.minutes(5))
        Self.failAll(simulation)
        await simulation.pass(.minutes(5))
        #expect(Self.hidden(simulation) == 7)
    }

    @Test func `a session that fails all day is mentioned twelve times`() async throws {
        let simulation = try Self.simulation(Self.posting, count: 1)
        for _ in 0..<20 {
            Self.failAll(simulation)
            await simulation.pass(.minutes(3))
            simulation.server.update { $0.apply(.restarts(session: 1)) }
            await simulation.pass(.minutes(3))
        }
        #expect(simulation.posts.count == 12)
    }
}
