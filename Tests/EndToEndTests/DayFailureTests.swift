import AdapterKit
import BotTestSupport
import DemoZimmer
import Testing

/// What is said of sessions that fail, and how it ends.
@Suite struct DayFailureTests {
    static let rule = """
          - name: failed-session
            watch: session
            if: session.status == "failed"
            for: 2m
            do:
              - post: ops
                text: "{{ session.title }} failed: {{ session.failure_reason }}"
              - wait: 15m
              - post: pager
                urgency: high
                text: "{{ session.title }} has been failed for a quarter of an hour."
            resolved:
              - post: ops
                text: "{{ session.title }} is {{ session.status }} now."
        """

    static func simulation(_ rules: String = rule) throws -> Simulation {
        let simulation = try Simulation(rules)
        simulation.server.update { state in
            state.agent.outcome = .keepsRunning
            state.addSession(id: 7, title: "Sync the wiki", status: .running)
        }
        return simulation
    }

    private static func failing() async throws -> Simulation {
        let simulation = try simulation()
        await simulation.pass(.minutes(1))
        simulation.server.update { $0.apply(.fails(session: 7, reason: "process_failed")) }
        return simulation
    }

    @Test func `the subject's title is one printable line, wherever it is shown`() async throws {
        let simulation = try await Self.failing()
        simulation.server.update { $0.edit(7) { $0.title = "Fix\n\u{202E}nigol\u{7}" } }
        await simulation.pass(.minutes(3))
        #expect(simulation.messages.elements.map(\.subject?.title) == ["Fix nigol"])
    }

    @Test func `a failure is said after two minutes, and paged a quarter of an hour later`() async throws {
        let simulation = try await Self.failing()
        await simulation.pass(.minutes(2))
        #expect(simulation.said.isEmpty)
        await simulation.pass(.minutes(1))
        #expect(simulation.said == ["ops: Sync the wiki failed: process_failed"])
        await simulation.pass(.minutes(14))
        #expect(simulation.said.count == 1)
        await simulation.pass(.minutes(2))
        #expect(simulation.said.last == "pager: Sync the wiki has been failed for a quarter of an hour.")
        await simulation.pass(.hours(3))
        #expect(simulation.said.count == 2)
    }

    @Test func `when it goes again in time nobody is paged`() async throws {
        let simulation = try await Self.failing()
        await simulation.pass(.minutes(5))
        simulation.server.update { $0.apply(.restarts(session: 7)) }
        await simulation.pass(.hours(1))
        #expect(simulation.said.count == 2)
        #expect(simulation.said.last == "ops: Sync the wiki is waiting now.")
    }

    @Test func `a failure that is over within two minutes is not mentioned`() async throws {
        let simulation = try await Self.failing()
        await simulation.pass(.minutes(1))
        simulation.server.update { $0.apply(.restarts(session: 7)) }
        await simulation.pass(.hours(1))
        #expect(simulation.said.isEmpty)
    }

    @Test func `a session put in the trash ends it`() async throws {
        let simulation = try await Self.failing()
        await simulation.pass(.minutes(5))
        simulation.server.update { $0.archive(7) }
        await simulation.pass(.hours(1))
        #expect(simulation.said.dropFirst() == ["ops: Sync the wiki is archived now."])
        #expect(try simulation.trail().contains("ended: archived"))
    }

    @Test func `a session that is deleted ends it, spoken of as it was last read`() async throws {
        let simulation = try await Self.failing()
        await simulation.pass(.minutes(5))
        simulation.server.update { $0.sessions[7] = nil }
        await simulation.pass(.hours(1))
        #expect(simulation.said.dropFirst() == ["ops: Sync the wiki is failed now."])
        #expect(try simulation.trail().contains("ended: gone"))
    }

    @Test func `a session that is missing from the board but alive ends nothing`() async throws {
        let simulation = try await Self.failing()
        await simulation.pass(.minutes(5))
        simulation.server.inject(
            .alter {
                $0.body = Array(#"{"sessions":[],"pagination":{"total_count":0,"total_pages":0}}"#.utf8)
            }, on: .board, times: 20)
        await simulation.pass(.minutes(8))
        #expect(simulation.said.count == 1)
        await simulation.pass(.hours(1))
        #expect(simulation.said.count == 2)
        #expect(simulation.said.last?.hasPrefix("pager") == true)
    }

    @Test func `a session that failed before the bot first ran is said once`() async throws {
        let simulation = try Self.simulation()
        simulation.server.update { $0.apply(.fails(session: 7, reason: "process_failed")) }
        await simulation.pass(.minutes(10))
        #expect(simulation.said == ["ops: Sync the wiki failed: process_failed"])
    }
}
