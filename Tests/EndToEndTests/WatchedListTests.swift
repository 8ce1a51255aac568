import BotTestSupport
import DemoZimmer
import Testing

/// Rules over what Zimmer lists beside the board.
@Suite struct WatchedListTests {
    private static func simulation(_ rules: String...) throws -> Simulation {
        let entries = rules.enumerated().map { "  - name: \($0 == 0 ? "watched" : "also")\n" + $1.indented(by: 4) }
        let simulation = try Simulation(entries.joined(separator: "\n"))
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

    @Test func `a trigger that fails is told, and when it works again`() async throws {
        let simulation = try Self.simulation(
            """
            watch: trigger
            if: trigger.status == "failed"
            do: [{post: ops, text: "{{ trigger.name }}: {{ trigger.last_error }} ({{ trigger.conditions[0].condition_type }})"}]
            resolved: [{post: ops, text: "{{ trigger.name }} is {{ trigger.status }}"}]
            """)
        await simulation.pass(.minutes(6))
        simulation.server.update { $0.apply(.triggerFails(3, error: "no such root")) }
        await simulation.pass(.minutes(6))
        simulation.server.update { $0.triggers[0].status = "enabled" }
        await simulation.pass(.minutes(6))
        #expect(simulation.posts == ["ops: Nightly sweep: no such root (schedule)", "ops: Nightly sweep is enabled"])
    }

    @Test func `a trigger that was deleted is gone, as it was last read, also after a restart`() async throws {
        let simulation = try Self.simulation(
            """
            watch: trigger
            do: [{post: ops, text: "there is {{ trigger.name }}"}]
            resolved: [{post: ops, text: "{{ trigger.name }} is no more"}]
            """)
        await simulation.pass(.minutes(6))
        try simulation.restart(after: .minutes(1))
        simulation.server.update { $0.triggers = [] }
        await simulation.pass(.minutes(6))
        #expect(simulation.posts == ["ops: there is Nightly sweep", "ops: Nightly sweep is no more"])
        #expect(try simulation.trail("watched").contains("ended: gone"))
    }

    @Test func `a question of a tool is told once, with its words, and is over when it was answered`() async throws {
        let simulation = try Self.simulation(Self.questions)
        await simulation.pass(.minutes(2))
        simulation.server.update { $0.apply(.asks(session: 8, "Rename it?", tool: "rename_bucket")) }
        await simulation.pass(.minutes(4))
        #expect(simulation.posts == ["ops: Rename it asks by rename_bucket: Rename it?"])
        simulation.server.update { $0.apply(.answers(session: 8)) }
        await simulation.pass(.minutes(4))
        #expect(simulation.posts.last == "ops: answered")
        #expect(simulation.posts.count == 2)
    }

    /// Whatever the reason: the credential, or a Zimmer that is too old.
    @Test(arguments: [401, 403, 404, 422])
    func `where questions are not listed, the session and the inbox tell of them`(status: Int) async throws {
        let simulation = try Self.simulation(Self.questions)
        let answer = status == 404 ? HTTPResponse.html("", status: 404) : .refusal(status, "No", "Not to you.")
        simulation.server.inject(Fault(.elicitations, .answer(answer), times: nil))
        simulation.server.update { $0.apply(.asks(session: 8, "Rename it?", tool: "rename_bucket")) }
        await simulation.pass(.minutes(4))
        #expect(simulation.posts == ["ops: Rename it asks by -: -"])
        // One after the other, so fast that the session never seems to go on.
        simulation.server.update { state in
            state.apply(.answers(session: 8))
            state.apply(.asks(session: 8, "And this?", tool: "rename_bucket"))
        }
        await simulation.pass(.minutes(4))
        #expect(simulation.posts.filter { $0.contains("asks") }.count == 2)
        #expect(simulation.posts.filter { $0.contains("answered") }.count == 1)
    }

    private static let questions = """
        watch: elicitation
        if: elicitation.session.status == "needs_input"
        do: [{post: ops, text: "{{ elicitation.session.title }} asks by {{ elicitation.tool_name }}: {{ elicitation.message }}"}]
        resolved: [{post: ops, text: answered}]
        """

    @Test func `work that waits too long is told`() async throws {
        let simulation = try Self.simulation(
            """
            watch: backlog
            if: now - backlog.added_at > duration("48h") && backlog.estimated_cost == "small"
            do: [{post: ops, text: "{{ backlog.key }}: {{ backlog.title }}"}]
            """)
        simulation.server.update { state in
            state.backlog = [
                BacklogItem(
                    id: 14, key: "widgets#212", repository: "example/widgets", title: "Return totals",
                    addedAt: state.now - .hours(47))
            ]
        }
        await simulation.pass(.minutes(50))
        #expect(simulation.posts.isEmpty)
        await simulation.pass(.minutes(40))
        #expect(simulation.posts == ["ops: widgets#212: Return totals"])
    }

    @Test func `a tool that is signed out is told`() async throws {
        let simulation = try Self.simulation(
            """
            watch: clis
            if: clis.unauthenticated.size() > 0
            do: [{post: ops, text: "{{ clis.unauthenticated }} of {{ clis.tools.size() }}: {{ clis.tools.gh.auth_instructions }}"}]
            resolved: [{post: ops, text: all signed in}]
            """)
        await simulation.pass(.minutes(4))
        simulation.server.update { $0.apply(.tool("gh", isAuthenticated: false)) }
        await simulation.pass(.minutes(4))
        simulation.server.update { $0.apply(.tool("gh", isAuthenticated: true)) }
        await simulation.pass(.minutes(4))
        #expect(simulation.posts == ["ops: gh of 2: gh login", "ops: all signed in"])
    }

    @Test func `a list that fails or comes in part decides nothing`() async throws {
        let simulation = try Self.simulation(
            """
            watch: trigger
            do: [{post: ops, text: "there is {{ trigger.name }}"}]
            resolved: [{post: ops, text: "{{ trigger.name }} is no more"}]
            """)
        await simulation.pass(.minutes(6))
        simulation.server.update { $0.triggers = [] }
        for effect in [
            Fault.Effect.answer(.internalError), .answer(.json(["triggers": [], "pagination": ["total_count": 1]])),
        ] {
            simulation.server.inject(Fault(.triggers, effect, times: nil))
            await simulation.pass(.minutes(6))
            simulation.server.clearFaults()
        }
        #expect(simulation.posts.count == 1)
        await simulation.pass(.minutes(6))
        #expect(simulation.posts.count == 2)
    }

    @Test func `a write for a notification goes to its session after a last look at both`() async throws {
        let simulation = try Self.simulation(
            """
            watch: notification
            if: notification.session.status == "failed"
            do:
              - wait: 3m
              - note: {append: "Told by {{ notification.notification_type }}"}
            """)
        simulation.server.update { state in
            state.notify("session_failed", about: 7)
            state.addSession(id: 9, title: "Sync", status: .failed)
            state.notify("session_failed", about: 9)
        }
        await simulation.pass(.minutes(2))
        // It goes on, and nobody has read the inbox since.
        simulation.server.update { $0.edit(9) { $0.status = .running } }
        await simulation.pass(.minutes(3))
        #expect(simulation.writes == ["PATCH sessions/7/notes"])
        #expect(simulation.server.state.sessions[7]?.notes == "Told by session_failed")
    }

    @Test func `what was before is known of lists and of health, across a restart`() async throws {
        let simulation = try Self.simulation(
            """
            watch: trigger
            if: previous != null && previous.status != trigger.status
            do: [{post: ops, text: "{{ trigger.name }}: {{ previous.status }} → {{ trigger.status }}"}]
            """,
            """
            watch: health
            if: previous != null && previous.queue_recovery_mode.active != health.queue_recovery_mode.active
            do: [{post: ops, text: "recovery mode: {{ health.queue_recovery_mode.active }}"}]
            """)
        await simulation.pass(.minutes(6))
        try simulation.restart(after: .minutes(1))
        simulation.server.update { state in
            state.apply(.triggerFails(3, error: "no such root"))
            state.apply(.recoveryBegins(reason: "test", .hours(1)))
        }
        await simulation.pass(.minutes(11))
        #expect(simulation.posts == ["ops: recovery mode: true", "ops: Nightly sweep: enabled → failed"])
    }

    @Test func `nothing is read that no rule needs`() async throws {
        let simulation = try Self.simulation(
            "watch: clis\nif: clis.unauthenticated.size() > 9\ndo: [{post: ops, text: x}]")
        await simulation.pass(.minutes(20))
        let paths = Set(simulation.server.requests.elements.map { $0.request.path.joined(separator: "/") })
        #expect(paths == ["api/v1/clis/status"])
        #expect(try simulation.readers == ["clis"])
    }
}

extension String {
    func indented(by width: Int) -> String {
        split(separator: "\n").map { String(repeating: " ", count: width) + $0 }.joined(separator: "\n")
    }
}
