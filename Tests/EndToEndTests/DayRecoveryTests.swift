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

    private static func entered() async throws -> Stage {
        let stage = try Stage(rule)
        await stage.pass(.minutes(10))
        #expect(stage.said.isEmpty)
        stage.server.update { $0.apply(.recoveryBegins(reason: "Database stall", .hours(5))) }
        await stage.pass(.minutes(3))
        return stage
    }

    @Test func `it is said once that it is on and once that it is off`() async throws {
        let stage = try await Self.entered()
        await stage.pass(.hours(1))
        #expect(stage.said == ["ops: On: Database stall", "pager: On: Database stall"])
        stage.server.update { $0.apply(.recoveryEnds) }
        await stage.pass(.hours(1))
        #expect(stage.said.dropFirst(2) == ["ops: Off."])
    }

    @Test func `while health cannot be read it is not over`() async throws {
        let stage = try await Self.entered()
        stage.server.inject(.answer(.internalError), on: .health, times: nil)
        await stage.pass(.hours(1))
        #expect(stage.posts.count == 2)
        stage.server.clearFaults()
        await stage.pass(.minutes(10))
        #expect(stage.posts.count == 2)
        stage.server.update { $0.apply(.recoveryEnds) }
        await stage.pass(.minutes(3))
        #expect(stage.posts.last == "ops: Off.")
    }
}
