import BotTestSupport
import DemoZimmer
import Testing

/// A Zimmer whose clock is an hour behind this machine's.
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
}
