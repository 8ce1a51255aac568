import BotTestSupport
import DemoZimmer
import Testing

/// A bot that stops and starts again goes on where it was.
@Suite struct DayRestartTests {
    private static func failing(for time: Duration) async throws -> Simulation {
        let simulation = try DayFailureTests.simulation()
        await simulation.pass(.minutes(1))
        simulation.server.update { $0.apply(.fails(session: 7, reason: "process_failed")) }
        // Noticed at the next round, half a minute later.
        await simulation.pass(.seconds(30) + time)
        return simulation
    }

    @Test func `time while the bot was down does not count towards how long something must hold`() async throws {
        let simulation = try await Self.failing(for: .seconds(60))
        try simulation.restart(after: .hours(1))
        await simulation.pass(.seconds(30))
        #expect(simulation.said.isEmpty)
        await simulation.pass(.seconds(30))
        #expect(simulation.said == ["ops: Sync the wiki failed: process_failed"])
    }

    @Test func `it counts towards a wait between two steps`() async throws {
        let simulation = try await Self.failing(for: .minutes(3))
        #expect(simulation.said.count == 1)
        try simulation.restart(after: .minutes(14))
        await simulation.pass(.minutes(1))
        #expect(simulation.said.last == "pager: Sync the wiki has been failed for a quarter of an hour.")
        await simulation.pass(.hours(1))
        #expect(simulation.said.count == 2)
    }

    @Test func `nobody is paged about what was over when the bot came back`() async throws {
        let simulation = try await Self.failing(for: .minutes(3))
        simulation.server.update { $0.apply(.restarts(session: 7)) }
        try simulation.restart(after: .minutes(30))
        await simulation.pass(.hours(1))
        #expect(simulation.said.count == 2)
        #expect(simulation.said.last == "ops: Sync the wiki is running now.")
    }

    @Test func `nor while Zimmer cannot be read after the start`() async throws {
        let simulation = try await Self.failing(for: .minutes(3))
        simulation.server.inject(.answer(.gatewayTimeout), on: .board, times: nil)
        try simulation.restart(after: .minutes(30))
        await simulation.pass(.minutes(10))
        #expect(simulation.posts.count == 1)
        simulation.server.clearFaults()
        await simulation.pass(.minutes(1))
        #expect(simulation.posts.last?.hasPrefix("pager: ") == true)
    }

    @Test func `a session that was deleted meanwhile is spoken of as it was last read`() async throws {
        let simulation = try await Self.failing(for: .minutes(3))
        simulation.server.update { $0.sessions[7] = nil }
        try simulation.restart(after: .minutes(30))
        await simulation.pass(.minutes(10))
        #expect(simulation.said.dropFirst() == ["ops: Sync the wiki is failed now."])
    }

    @Test func `a follow-up that waits for recovery mode to end is sent once, after the restart`() async throws {
        let simulation = try DayFollowUpTests.simulation()
        simulation.server.update { $0.apply(.recoveryBegins(reason: "Stall", .hours(2))) }
        await simulation.pass(.minutes(10))
        try simulation.restart(after: .minutes(1))
        await simulation.pass(.minutes(10))
        #expect(simulation.writes.isEmpty)
        simulation.server.update { $0.apply(.recoveryEnds) }
        await simulation.pass(.minutes(3))
        #expect(simulation.told(7).count == 1)
        try simulation.restart(after: .minutes(30))
        await simulation.pass(.minutes(30))
        #expect(simulation.told(7).count == 1)
    }

    @Test(arguments: [true, false])
    func `a follow-up whose answer was lost is looked for after the restart`(wasApplied: Bool) async throws {
        let simulation = try DayFollowUpTests.simulation()
        simulation.server.inject(wasApplied ? .loseAnswer : .dropRequest, on: .followUp)
        // It cannot be looked for before the bot stops.
        let conversation = RequestPattern("GET", "/api/v1/sessions/*/conversation")
        simulation.server.inject(.answer(.internalError), on: conversation, times: 1)
        await simulation.pass(.minutes(5))
        try simulation.restart(after: .minutes(20))
        await simulation.pass(.minutes(30))
        #expect(simulation.writes == ["POST sessions/7/follow_up"])
        #expect(simulation.told(7).count == (wasApplied ? 1 : 0))
        #expect(simulation.notices.count == (wasApplied ? 0 : 1))
    }

    @Test func `what one bot said the next does not say again`() async throws {
        let simulation = try DayFailureTests.simulation()
        simulation.server.update { $0.apply(.fails(session: 7, reason: "process_failed")) }
        for _ in 0..<8 {
            await simulation.pass(.minutes(4))
            try simulation.restart(after: .minutes(1))
        }
        #expect(simulation.said.count == 2)
    }

    @Test func `a longer wait for a write than a day ends it`() async throws {
        let rule = DayFollowUpTests.rule.replacing(#"duration("24h")"#, with: #"duration("72h")"#)
        let simulation = try DayFollowUpTests.simulation(rule, polls: "{board: 10m, health: 10m}")
        simulation.server.update { $0.recovery.handPaused = ["pollers"] }
        await simulation.pass(.hours(26))
        simulation.server.update { $0.recovery.handPaused = [] }
        await simulation.pass(.hours(2))
        #expect(simulation.writes.isEmpty)
        #expect(try simulation.trail("finish").contains { $0.hasPrefix("gave_up: ") })
    }

    @Test func `our own write is told from a person's after a restart too`() async throws {
        let simulation = try DayFollowUpTests.simulation()
        simulation.server.update { $0.agent.followUpsTouch = true }
        await simulation.pass(.minutes(5))
        #expect(simulation.told(7).count == 1)
        try simulation.restart(after: .seconds(10))
        await simulation.pass(.minutes(60))
        #expect(simulation.told(7).count == 1)
    }
}
