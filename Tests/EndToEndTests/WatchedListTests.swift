import BotTestSupport
import DemoZimmer
import Testing

/// Rules over what Zimmer lists beside the board.
@Suite struct WatchedListTests {
    private static func simulation(_ rule: String) throws -> Simulation {
        let simulation = try Simulation("  - name: watched\n" + rule.indented(by: 4))
        simulation.server.update { state in
            state.addSession(id: 7, title: "Fix login", status: .failed)
            state.addSession(id: 8, title: "Rename it", status: .running)
            state.triggers = [Trigger(id: 3, name: "Nightly sweep", createdAt: state.now)]
        }
        return simulation
    }

    @Test func `a notification is announced once, with its session, and is over when it leaves the inbox`() async throws
    {
        let simulation = try Self.simulation(
            """
            watch: notification
            if: notification.notification_type == "session_failed" && notification.session.status == "failed"
            do: [{post: ops, text: "{{ notification.session.title }} failed"}]
            resolved: [{post: ops, text: "{{ notification.session.title }} goes on"}]
            """)
        simulation.server.update { $0.notify("session_failed", about: 7) }
        await simulation.pass(.minutes(5))
        #expect(simulation.posts == ["ops: Fix login failed"])
        simulation.server.update { $0.notifications[0].isStale = true }
        await simulation.pass(.minutes(5))
        #expect(simulation.posts == ["ops: Fix login failed", "ops: Fix login goes on"])
    }
}

extension String {
    fileprivate func indented(by width: Int) -> String {
        split(separator: "\n").map { String(repeating: " ", count: width) + $0 }.joined(separator: "\n")
    }
}
