import BotTestSupport
import DemoZimmer
import Testing

/// A Zimmer whose clock is hours off this machine's: the bot goes by Zimmer's, from the first answer on.
@Suite struct DayClockTests {
    @Test func `rules see Zimmer's time, schedules go by this machine's`() async throws {
        let rules = """
              - name: morning
                schedule: "15 7 * * *"
                timezone: America/Chicago
                do: [{post: ops, text: "{{ date(slot.time, 'HH:mm') }}, {{ date(now, 'HH:mm') }}, {{ size(board) }}"}]
            """
        // Six in the morning over there, seven here.
        let simulation = try Simulation(rules, offset: .hours(1))
        simulation.server.update { $0.addSession(id: 7, title: "Sync the wiki") }
        await simulation.pass(.minutes(14))
        #expect(simulation.said.isEmpty)
        await simulation.pass(.minutes(2))
        #expect(simulation.said == ["ops: 07:15, 06:15, 1"])
    }

    @Test(arguments: [Duration.hours(1), .zero - .hours(1)])
    func `what lasts is measured on Zimmer's clock alone`(offset: Duration) async throws {
        let rules = """
              - name: idle
                watch: session
                if: session.status == "needs_input" && session.idle > duration("2h")
                do: [{snooze: {for: 1h}}]
            """
        let simulation = try Simulation(rules, offset: offset)
        simulation.server.update { state in
            let touched = state.now - .minutes(90)
            state.addSession(id: 7, title: "Sync the wiki") { $0.lastUserActivityAt = touched }
        }
        await simulation.pass(.minutes(29))
        #expect(simulation.writes.isEmpty)
        await simulation.pass(.minutes(3))
        let session = try #require(simulation.server.state.sessions[7])
        let left = try #require(session.snoozedUntil) - simulation.server.now
        #expect(left > .minutes(57) && left <= .minutes(60))
    }

    @Test(arguments: [Duration.hours(1), .zero - .hours(1)])
    func `our own write is told from a person's by Zimmer's clock`(offset: Duration) async throws {
        let simulation = try DayFollowUpTests.simulation(offset: offset)
        simulation.server.update { $0.agent.followUpsTouch = true }
        await simulation.pass(.minutes(60))
        #expect(simulation.told(7).count == 1)
    }

    @Test(arguments: [Duration.hours(13), .zero - .hours(13)])
    func `what was spent yesterday is asked for by Zimmer's calendar, after a restart too`(
        offset: Duration
    ) async throws {
        let rule = """
              - name: spent
                watch: costs
                costs: yesterday
                if: costs.totals.cost_usd > 0.0
                do: [{post: ops, text: "{{ date(costs.from, 'yyyy-MM-dd') }}"}]
            """
        var state = ZimmerState(now: DemoServer.morning)
        state.ledger.add(Spend(at: try #require(ServerTime(iso8601: "2026-10-08T18:00:00Z")), usd: 1))
        let simulation = try Simulation(rule, on: DemoServer(state: state), offset: offset)
        await simulation.pass(.minutes(1))
        #expect(simulation.said == ["ops: 2026-10-08"])
        try simulation.restart(after: .minutes(1))
        await simulation.pass(.minutes(30))
        #expect(simulation.said == ["ops: 2026-10-08"])
    }

    @Test func `rules that never look at the board have Zimmer's time too`() async throws {
        let rule = """
              - name: noon
                watch: health
                if: now.getHours("UTC") == 11
                do: [{post: ops, text: "{{ date(now, 'HH:mm') }}"}]
            """
        let simulation = try Simulation(rule, on: DemoServer(), polls: "{health: 30s}", offset: .hours(3))
        await simulation.pass(.minutes(10))
        #expect(simulation.said == ["ops: 11:00"])
    }

    @Test func `a clock that is set makes no lost call seem older`() async throws {
        let rules = """
              - name: again
                watch: session
                if: session.status == "failed"
                do: [restart]
            """
        let simulation = try Simulation(rules, polls: "{board: 10s}")
        simulation.server.update { $0.addSession(id: 7, title: "Sync the wiki", status: .failed) }
        simulation.server.inject(.dropRequest, on: .init("POST", "/api/v1/sessions/7/restart"), times: 1)
        await simulation.pass(.seconds(5))
        simulation.server.inject(.alter { $0.showFiveHoursLater() }, on: .init(), times: nil)
        await simulation.pass(.seconds(40))
        #expect(simulation.writes == ["POST sessions/7/restart"])
        #expect(simulation.notices.count { $0.contains("Zimmer's clock was put forward by") } == 1)
        await simulation.pass(.seconds(40))
        let trail = try simulation.trail()
        #expect(simulation.writes.count == 2, "\(trail) \(simulation.notices)")
        #expect(simulation.server.state.sessions[7]?.status != .failed)
    }

    @Test func `nothing is written before Zimmer has told the time`() async throws {
        let rules = """
              - name: minutely
                schedule: "* * * * *"
                do: [{push: {session: 7, message: "It is {{ date(slot.time, 'HH:mm') }}"}}]
            """
        let simulation = try Simulation(rules)
        simulation.server.update { $0.addSession(id: 7, title: "Sync the wiki") }
        simulation.server.inject(.answer(.badGateway), on: .init("GET", "/api/v1/health"), times: nil)
        await simulation.pass(.seconds(90))
        #expect(simulation.writes.isEmpty)
        #expect(try simulation.runs(of: "minutely").allSatisfy { $0.reason?.contains("502") ?? false })
        simulation.server.clearFaults()
        await simulation.pass(.seconds(60))
        #expect(!simulation.writes.isEmpty)
    }
}

extension DayClockTests {
    @Test func `a Zimmer that never says what time it is is written to all the same`() async throws {
        let rules = """
              - name: minutely
                schedule: "* * * * *"
                do: [{push: {session: 7, message: "It is {{ date(slot.time, 'HH:mm') }}"}}]
            """
        let simulation = try Simulation(rules)
        simulation.server.update { $0.addSession(id: 7, title: "Sync the wiki") }
        simulation.server.inject(.alter { $0.headers.removeAll { $0.name == "date" } }, on: .init(), times: nil)
        await simulation.pass(.seconds(150))
        #expect(simulation.writes == ["POST notifications/push", "POST notifications/push"])
        #expect(simulation.server.received(.init("GET", "/api/v1/health")).count == 1, "asked for the time once")
    }
}

extension HTTPResponse {
    /// Says that it is five hours later than it is, which is between eleven and twelve.
    fileprivate mutating func showFiveHoursLater() {
        headers = headers.map { header in
            guard header.name == "date" else { return header }
            return HTTPHeader("date", header.value.replacing(" 11:", with: " 16:"))
        }
    }
}
