import BotTestSupport
import DemoZimmer
import Testing

/// A Zimmer that cannot be read, or only in part: nothing is done, nothing is over, and that is said once.
@Suite struct DayTroubleTests {
    /// What becomes of a reading of the board.
    enum Trouble: CaseIterable {
        case refused, dropped, cut, notJSON, partial, rowMissing

        func begin(on server: DemoServer) {
            switch self {
            case .refused: server.inject(.answer(.gatewayTimeout), on: .board, times: nil)
            case .dropped: server.inject(.dropRequest, on: .board, times: nil)
            case .cut: server.inject(.cutBody(after: 40), on: .board, times: nil)
            case .notJSON: server.inject(.answer(.html("<html>Sign in</html>", status: 200)), on: .board, times: nil)
            case .partial:
                server.inject(
                    .alter { $0.replace("\"total_count\":1", with: "\"total_count\":3") }, on: .board, times: nil)
            case .rowMissing:
                let empty = #"{"sessions":[],"pagination":{"page":1,"per_page":100,"total_count":1,"total_pages":1}}"#
                server.inject(.alter { $0.body = Array(empty.utf8) }, on: .board, times: nil)
            }
        }
    }

    private static func failed() async throws -> Simulation {
        let simulation = try DayFailureTests.simulation()
        await simulation.pass(.minutes(1))
        simulation.server.update { $0.apply(.fails(session: 7, reason: "process_failed")) }
        return simulation
    }

    @Test(arguments: Trouble.allCases)
    func `nothing begins while the board cannot be read, and its time does not count`(
        trouble: Trouble
    ) async throws {
        let simulation = try await Self.failed()
        // Seen to fail, then not seen for ten minutes.
        await simulation.pass(.seconds(90))
        trouble.begin(on: simulation.server)
        await simulation.pass(.minutes(10))
        #expect(simulation.posts.isEmpty)
        simulation.server.clearFaults()
        await simulation.pass(.seconds(30))
        #expect(simulation.posts.isEmpty)
        await simulation.pass(.seconds(90))
        #expect(simulation.posts == ["ops: Sync the wiki failed: process_failed"])
    }

    @Test(arguments: Trouble.allCases)
    func `nothing is over while the board cannot be read`(trouble: Trouble) async throws {
        let simulation = try await Self.failed()
        await simulation.pass(.minutes(4))
        #expect(simulation.posts.count == 1)
        trouble.begin(on: simulation.server)
        simulation.server.update { $0.apply(.restarts(session: 7)) }
        await simulation.pass(.hours(1))
        #expect(simulation.posts.count == 1)
        simulation.server.clearFaults()
        await simulation.pass(.minutes(1))
        #expect(simulation.posts.last == "ops: Sync the wiki is running now.")
    }

    @Test func `that a rule cannot be decided is said after a quarter of an hour, and when it is over`() async throws {
        let simulation = try await Self.failed()
        // Zimmer answers; it counts more sessions than it shows.
        simulation.server.inject(
            .answer(.json(["sessions": [], "pagination": ["total_count": 3]])), on: .board, times: nil)
        await simulation.pass(.minutes(14))
        #expect(simulation.notices.isEmpty)
        await simulation.pass(.minutes(3))
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.contains("rule failed-session") == true)
        await simulation.pass(.hours(2))
        #expect(simulation.notices.count == 1)
        simulation.server.clearFaults()
        await simulation.pass(.minutes(2))
        #expect(simulation.notices.count == 2)
        #expect(simulation.notices.last?.hasPrefix("ops: Over: ") == true)
        await simulation.pass(.hours(1))
        #expect(simulation.notices.count == 2)
    }

    @Test func `a session that cannot be told is spoken of until it is gone`() async throws {
        let rule = """
              - name: notes
                watch: session
                if: session.session_notes == "page me"
                do: [{post: ops, text: "x"}]
            """
        let simulation = try DayFailureTests.simulation(rule)
        simulation.server.update { $0.edit(7) { $0.wireOverrides["session_notes"] = 42 } }
        await simulation.pass(.minutes(17))
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.contains("session 7") == true)
        simulation.server.update { $0.archive(7) }
        await simulation.pass(.minutes(2))
        #expect(simulation.notices.last?.hasPrefix("ops: Over: ") == true)
    }

    @Test func `while health is old a rule that reads it beside its subject cannot tell`() async throws {
        let rule = """
              - name: failed
                watch: session
                if: session.status == "failed" && !health.queue_recovery_mode.active
                do: [{post: ops, text: "{{ session.title }}"}]
                resolved: [{post: ops, text: "over"}]
            """
        let simulation = try DayFailureTests.simulation(rule)
        await simulation.pass(.minutes(1))
        simulation.server.inject(.answer(.internalError), on: .health, times: nil)
        // The last reading serves for six minutes.
        await simulation.pass(.minutes(8))
        simulation.server.update { $0.apply(.fails(session: 7, reason: "process_failed")) }
        await simulation.pass(.hours(1))
        #expect(simulation.posts.isEmpty)
        #expect(simulation.notices.first?.contains("cannot tell: 'health' is stale") == true)
        simulation.server.clearFaults()
        await simulation.pass(.minutes(3))
        #expect(simulation.posts == ["ops: Sync the wiki"])
        simulation.server.inject(.answer(.internalError), on: .health, times: nil)
        await simulation.pass(.hours(1))
        #expect(simulation.posts.count == 1)
    }

    @Test func `health that Zimmer says is unchanged, hour after hour, is as good as health that it sends`()
        async throws
    {
        let rules = """
              - name: failed
                watch: session
                if: session.status == "failed" && !health.queue_recovery_mode.active
                do: [{post: ops, text: "{{ session.title }} failed"}]
            """
        let simulation = try Simulation(rules)
        simulation.server.update { $0.addSession(id: 7, title: "Sync the wiki", status: .running) { $0.turn = nil } }
        await simulation.pass(.zero)
        simulation.server.inject(.answer(HTTPResponse(status: 304)), on: .health, times: nil)
        await simulation.pass(.hours(2))
        simulation.server.update { $0.edit(7) { $0.status = .failed } }
        await simulation.pass(.minutes(2))
        #expect(simulation.posts == ["ops: Sync the wiki failed"])
        #expect(simulation.notices.isEmpty)
        let asked = simulation.server.received(.health)
        #expect(asked.count > 50)
        #expect(asked.dropFirst().allSatisfy { $0.request.header("if-none-match") != nil })
    }
}
