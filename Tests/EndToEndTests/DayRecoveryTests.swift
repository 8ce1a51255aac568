import BotTestSupport
import DemoZimmer
import Testing

/// Queue recovery mode goes on and off.
@Suite struct DayRecoveryTests {
    private static let rule = """
          - name: queue-recovery
            watch: health
            if: health.queue_recovery_mode.active
            do:
              - post: [ops, pager]
                urgency: high
                text: "On: {{ health.queue_recovery_mode.reason }}"
            resolved:
              - post: ops
                text: "Off."
        """

    private static func entered() async throws -> Simulation {
        let simulation = try Simulation(rule)
        await simulation.pass(.minutes(10))
        #expect(simulation.said.isEmpty)
        simulation.server.update { $0.apply(.recoveryBegins(reason: "Database stall", .hours(5))) }
        await simulation.pass(.minutes(3))
        return simulation
    }

    @Test func `it is said once that it is on and once that it is off`() async throws {
        let simulation = try await Self.entered()
        await simulation.pass(.hours(1))
        #expect(simulation.said == ["ops: On: Database stall", "pager: On: Database stall"])
        simulation.server.update { $0.apply(.recoveryEnds) }
        await simulation.pass(.hours(1))
        #expect(simulation.said.dropFirst(2) == ["ops: Off."])
    }

    @Test func `while health cannot be read it is not over`() async throws {
        let simulation = try await Self.entered()
        simulation.server.inject(.answer(.internalError), on: .health, times: nil)
        await simulation.pass(.hours(1))
        #expect(simulation.posts.count == 2)
        simulation.server.clearFaults()
        await simulation.pass(.minutes(10))
        #expect(simulation.posts.count == 2)
        simulation.server.update { $0.apply(.recoveryEnds) }
        await simulation.pass(.minutes(3))
        #expect(simulation.posts.last == "ops: Off.")
    }
}
