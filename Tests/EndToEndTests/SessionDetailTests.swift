import BotTestSupport
import DemoZimmer
import Testing

/// What only a request for each session brings.
@Suite struct SessionDetailTests {
    private static func simulation(_ rule: String, sessions: Int = 0) throws -> Simulation {
        let lines = rule.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        let simulation = try Simulation("  - name: detailed\n" + lines)
        simulation.server.update { state in
            state.addSession(id: 7, title: "Fix login", status: .needsInput)
            state.addSession(id: 8, title: "Sync", status: .running)
            for id in 100..<(100 + sessions) { state.addSession(id: id, title: "Session", status: .needsInput) }
        }
        return simulation
    }

    /// What was asked for beside the board.
    private func paths(_ simulation: Simulation) -> [String] {
        simulation.server.requests.elements.map { $0.request.path.dropFirst(2).joined(separator: "/") }
            .filter { $0 != "sessions" }
    }

    private func say(_ text: String, in session: Int, _ simulation: Simulation) {
        simulation.server.update { state in
            let now = state.now
            state.edit(session) { session in
                session.conversation.append(ConversationMessage(role: "assistant", content: text, timestamp: now))
            }
        }
    }

    @Test func `only a session for which all else holds is read, and only once while nothing changes`() async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.status == "needs_input" && session.last_message.contains("?")
            do: [{post: ops, text: "{{ session.title }}: {{ session.last_message }}"}]
            resolved: [{post: ops, text: "{{ session.last_message }}"}]
            """)
        say("Shall I go on?", in: 7, simulation)
        say("Shall I?", in: 8, simulation)
        await simulation.pass(.minutes(4))
        #expect(simulation.posts == ["ops: Fix login: Shall I go on?"])
        #expect(paths(simulation) == ["sessions/7/conversation"])
        // With another row the words may be others.
        say("Then I will.", in: 7, simulation)
        await simulation.pass(.minutes(1))
        #expect(simulation.posts.last == "ops: Then I will.")
        #expect(paths(simulation).count == 2)
    }

    @Test func `a message that shows a detail waits until it was read`() async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.id == 7 && session.age > duration("15m")
            do: [{post: ops, text: "{{ session.summary }} {{ session.parent_id }} {{ session.children }} {{ usd(session.cost_usd) }} {{ session.queued }} {{ session.undelivered }}"}]
            """)
        simulation.server.update { state in
            state.edit(7) { session in
                session.statusSummary = ["summary": "Done but for tests"]
                session.parentID = 8
            }
            state.addSession(id: 9, title: "Child", status: .running) { $0.parentID = 7 }
            state.enqueue("Go on", for: 7)
            state.ledger.add(Spend(at: state.now, usd: 2.5, root: "widgets", model: "opus", sessionID: 7))
            state.ledger.add(Spend(at: state.now, usd: 4, root: "widgets", model: "opus", sessionID: 8))
        }
        await simulation.pass(.minutes(16))
        #expect(simulation.posts == ["ops: Done but for tests 8 9 $2.50 1 0"])
        #expect(paths(simulation).sorted() == ["costs", "sessions/7", "sessions/7/enqueued_messages"])
    }

    @Test func `what changes beside the row is read again after five minutes`() async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.status == "needs_input" && session.queued > 0
            do: [{post: ops, text: "{{ session.queued }} wait"}]
            """)
        await simulation.pass(.minutes(4))
        #expect(simulation.posts.isEmpty)
        simulation.server.update { _ = $0.enqueue("Go on", for: 7) }
        await simulation.pass(.minutes(2))
        #expect(simulation.posts == ["ops: 1 wait"])
        #expect(paths(simulation).count == 2)
    }

    @Test func `twenty sessions are read at a poll, the newest first`() async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.status == "needs_input" && session.last_message != null
            do: [{post: ops, text: asks}]
            """, sessions: 50)
        await simulation.pass(.zero)
        #expect(paths(simulation).count == 20)
        #expect(Set(paths(simulation)).contains("sessions/149/conversation"))
        await simulation.pass(.seconds(60))
        #expect(Set(paths(simulation)).count == 51)
        #expect(paths(simulation).count == 51)
    }

    @Test func `a detail that cannot be read is cannot tell, and is asked for again`() async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.status == "needs_input" && session.last_message == null
            do: [{post: ops, text: silent}]
            """)
        simulation.server.inject(Fault(.conversation, .answer(.internalError), times: 3))
        await simulation.pass(.seconds(60))
        #expect(simulation.posts.isEmpty)
        #expect(try simulation.trail("detailed").contains { $0.hasPrefix("cannot_tell: Zimmer answered 500") })
        await simulation.pass(.seconds(30))
        #expect(simulation.posts == ["ops: silent"])
    }

    @Test func `the last look before a write reads the details anew`() async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.status == "needs_input" && session.last_message.contains("?")
            do:
              - wait: 40s
              - note: {append: "{{ session.last_message }}"}
            """)
        say("Shall I go on?", in: 7, simulation)
        await simulation.pass(.seconds(30))
        let asked = paths(simulation).count
        await simulation.pass(.seconds(60))
        #expect(simulation.server.state.sessions[7]?.notes == "Shall I go on?")
        // The session as it is now and what it said, and then the session that is written to.
        let look = ["sessions/7", "sessions/7/conversation", "sessions/7", "sessions/7/notes"]
        #expect(Array(paths(simulation).dropFirst(asked).prefix(4)) == look)
    }

    @Test func `a notification can show what its session said`() async throws {
        let simulation = try Self.simulation(
            """
            watch: notification
            if: notification.session.last_message.contains("?")
            do: [{post: ops, text: "{{ notification.session.last_message }}"}]
            """)
        say("Shall I go on?", in: 7, simulation)
        simulation.server.update { $0.notify("needs_input", about: 7) }
        await simulation.pass(.minutes(4))
        #expect(simulation.posts == ["ops: Shall I go on?"])
        #expect(paths(simulation).filter { $0.hasSuffix("conversation") } == ["sessions/7/conversation"])
    }
}
