import BotTestSupport
import DemoZimmer
import Testing

/// Every step that changes something, from the rules file to the far side.
@Suite struct StepTests {
    /// Sessions 7 (which failed), 8 (which rests) and 9 (which runs), a trigger 3 and a notification.
    static func simulation(_ rule: String, polls: String = "{board: 30s, health: 30s, inbox: 30s, triggers: 30s}")
        throws
        -> Simulation
    {
        let simulation = try Simulation("  - name: it\n" + rule.indented(by: 4), polls: polls)
        simulation.server.update { state in
            state.addSession(id: 7, title: "Fix login", status: .failed)
            state.addSession(id: 8, title: "Rename it", status: .needsInput)
            state.addSession(id: 9, title: "Upgrade", status: .running) { $0.turn = nil }
            state.triggers = [Trigger(id: 3, name: "Nightly sweep", createdAt: state.now)]
            state.notify("session_failed", about: 7)
        }
        return simulation
    }

    @Test(arguments: [
        ("restart", "failed", "POST sessions/7/restart"),
        ("restart: {from: [needs_input]}", "needs_input", "POST sessions/8/restart"),
        ("retry_failed", "failed", "POST health/retry_sessions"),
        ("sleep", "needs_input", "POST sessions/8/sleep"),
        ("refresh", "needs_input", "POST sessions/8/refresh"),
        ("set: {title: Better, precedence: 5}", "needs_input", "PATCH sessions/8"),
        ("set: {scheduling_class: spot, place: top_of_spot}", "needs_input", "PATCH sessions/8"),
        ("heartbeat: {enabled: true, interval: 5m}", "needs_input", "PATCH sessions/8/heartbeat"),
        ("model: opus", "needs_input", "PATCH sessions/8/model"),
        ("push: {message: Look at it}", "needs_input", "POST notifications/push"),
        ("mark_all_read", "needs_input", "PATCH notifications/mark_all_read"),
        ("cleanup_processes", "needs_input", "POST health/cleanup_processes"),
        ("enter_recovery: {reason: Too much, ttl: 30m}", "needs_input", "POST health/enter_queue_recovery_mode"),
        ("exit_recovery", "needs_input", "POST health/exit_queue_recovery_mode"),
        ("backfill_costs", "needs_input", "POST costs/backfill"),
        ("start: {agent_root: widgets, prompt: Look}", "needs_input", "POST sessions"),
        ("trigger: {id: 3, enabled: false}", "needs_input", "POST triggers/3/toggle"),
        ("invoke: {id: 3, variables: {text: now}}", "needs_input", "POST triggers/3/invoke"),
        ("mark_read: {id: 5001}", "needs_input", "PATCH notifications/5001/mark_read"),
    ])
    func `a step is one call, made once`(step: String, status: String, write: String) async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.status == "\(status)"
            do:
              - \(step)
              - {post: ops, text: done}
            """)
        await simulation.pass(.minutes(5))
        #expect(simulation.writes == [write])
        #expect(simulation.posts == ["ops: done"])
        #expect(simulation.notices.isEmpty)
    }

    @Test func `what asks to be asked again at once is asked with pauses all the same`() async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.status == "failed"
            do: [{note: {append: Look}}]
            """)
        simulation.server.inject(
            .answer(.tooManyRequests(retryAfter: 0)), on: .init("PATCH", "/api/v1/sessions/7/notes"), times: nil)
        await simulation.pass(.minutes(30))
        let trail = try simulation.trail()
        #expect(simulation.writes.count > 2, "\(trail)")
        #expect(simulation.writes.count < 30)
    }

    @Test func `an answer that confirms nothing is looked into`() async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.status == "needs_input"
            do: [{note: {append: Look}}, {follow_up: {prompt: Go on}}]
            """)
        simulation.server.inject(.answer(.json([:])), on: .init("PATCH", "/api/v1/sessions/8/notes"), times: 1)
        simulation.server.inject(
            .alter { $0.body = Array("{}".utf8) }, on: .init("POST", "/api/v1/sessions/8/follow_up"), times: 1)
        await simulation.pass(.minutes(10))
        #expect(simulation.server.state.sessions[8]?.notes == "Look")
        #expect(simulation.writes.filter { $0.hasSuffix("follow_up") }.count == 1)
        #expect(simulation.notices.isEmpty)
    }

    @Test func `a session is started once, whatever becomes of the answers`() async throws {
        let simulation = try Self.simulation(
            """
            watch: session
            if: session.status == "failed"
            do:
              - start: {agent_root: widgets, prompt: "Look at {{ session.title }}", title: Helper, model: opus}
              - {post: ops, text: "{{ result.title }} looks at it"}
            """)
        simulation.server.inject(.loseAnswer, on: .init("POST", "/api/v1/sessions"), times: 1)
        simulation.server.inject(.answer(.badGateway), on: .init("POST", "/api/v1/sessions"), skip: 1, times: 2)
        await simulation.pass(.minutes(20))
        let started = simulation.server.state.sessions.all.filter { $0.title == "Helper" }
        #expect(started.map(\.prompt) == ["Look at Fix login"])
        #expect(simulation.posts == ["ops: Helper looks at it"])
    }

    @Test func `a trigger that failed counts as off, and is not turned on by turning it off`() async throws {
        let simulation = try Self.simulation(
            """
            watch: trigger
            if: trigger.status == "failed"
            do: [{trigger: {enabled: false}}, {post: ops, text: off}]
            """)
        simulation.server.update { $0.triggers[0].status = "failed" }
        await simulation.pass(.minutes(5))
        #expect(simulation.writes.isEmpty)
        #expect(simulation.posts == ["ops: off"])
        #expect(simulation.server.state.triggers[0].status == "failed")
    }

    @Test func `a trigger whose answer was lost is turned over once`() async throws {
        let simulation = try Self.simulation(
            """
            watch: trigger
            if: trigger.status == "enabled"
            do: [{trigger: {enabled: false}}, {post: ops, text: off}]
            """)
        simulation.server.inject(.loseAnswer, on: .init("POST", "/api/v1/triggers/3/toggle"))
        await simulation.pass(.minutes(5))
        #expect(simulation.writes == ["POST triggers/3/toggle"])
        #expect(simulation.server.state.triggers[0].status == "disabled")
        #expect(simulation.posts == ["ops: off"])
    }

    @Test func `an unread notification is read before it is dismissed`() async throws {
        let simulation = try Self.simulation(
            """
            watch: notification
            do: [mark_read, dismiss]
            """)
        await simulation.pass(.minutes(5))
        #expect(simulation.writes == ["PATCH notifications/5001/mark_read", "DELETE notifications/5001/dismiss"])
        #expect(simulation.server.state.notifications.isEmpty)
    }

    @Test func `what is unread is not dismissed, and the trail says how it would be`() async throws {
        let simulation = try Self.simulation("watch: notification\ndo: [dismiss]")
        await simulation.pass(.minutes(5))
        #expect(simulation.writes.isEmpty)
        #expect(try simulation.trail("it").contains { $0.contains("put 'mark_read' before") })
    }

    @Test(arguments: [
        ("restart", "needs_input"), ("pause", "needs_input"), ("start_now", "needs_input"), ("sleep", "failed"),
        ("retry_failed", "needs_input"),
    ])
    func `a step that makes no sense for how a session is, is withdrawn before the call`(
        step: String, status: String
    ) async throws {
        let simulation = try Self.simulation("watch: session\nif: session.status == \"\(status)\"\ndo: [\(step)]")
        await simulation.pass(.minutes(3))
        #expect(simulation.writes.isEmpty)
        #expect(try simulation.trail("it").contains { $0.contains("the session is \(status)") })
    }

    @Test func `two retries within half a minute are two calls, the second when Zimmer takes it`() async throws {
        let simulation = try Self.simulation("watch: session\nif: session.status == \"failed\"\ndo: [retry_failed]")
        simulation.server.update { _ = $0.addSession(id: 10, title: "Another", status: .failed) }
        await simulation.pass(.minutes(5))
        let retried = simulation.server.requests.elements.filter { $0.request.path.last == "retry_sessions" }
        #expect(retried.count { $0.status == 200 } == 2)
        #expect(simulation.server.state.sessions.all.allSatisfy { $0.status != .failed })
    }

    private static let invocation = """
        watch: session
        if: session.status == "failed"
        do:
          - {invoke: {id: 3, variables: {link: "about  {{ session.title }}", text: now}}}
          - {post: ops, text: "{{ result.title }} has begun"}
        """

    @Test(arguments: ["Handle {{link}}", "Handle {{link}} for {{author}}", "Handle it"])
    func `a trigger whose answer was lost is known by what it started, and that by our words`(
        template: String
    ) async throws {
        let simulation = try Self.simulation(Self.invocation)
        simulation.server.update { $0.triggers[0].promptTemplate = template }
        simulation.server.inject(.loseAnswer, on: .init("POST", "/api/v1/triggers/3/invoke"))
        await simulation.pass(.minutes(5))
        #expect(simulation.writes == ["POST triggers/3/invoke"])
        #expect(simulation.posts == ["ops: Nightly sweep has begun"])
    }

    @Test func `what somebody else starts by the same trigger at that moment is not taken for ours`() async throws {
        let simulation = try Self.simulation(Self.invocation)
        simulation.server.inject(.dropRequest, on: .init("POST", "/api/v1/triggers/3/invoke"))
        simulation.server.update { _ = $0.invoke(trigger: 3, ["link": "about something else"]) }
        await simulation.pass(.zero)
        simulation.server.update { _ = $0.invoke(trigger: 3, ["link": "about something else, too"]) }
        await simulation.pass(.minutes(5))
        #expect(simulation.posts.isEmpty)
        #expect(simulation.notices.contains { $0.contains("invoke for trigger 3 is unknown, and is not repeated") })
    }

    @Test func `what the same trigger started just before is not taken for ours, whatever its prompt`() async throws {
        let simulation = try Self.simulation(Self.invocation)
        simulation.server.update { state in
            state.triggers[0].promptTemplate = "Handle it"
            state.invoke(trigger: 3)
        }
        simulation.server.inject(.dropRequest, on: .init("POST", "/api/v1/triggers/3/invoke"))
        await simulation.pass(.minutes(5))
        #expect(simulation.posts.isEmpty)
        #expect(simulation.notices.contains { $0.contains("invoke for trigger 3 is unknown, and is not repeated") })
    }

    @Test func `a trigger that will not fire now is refused or waited for, as Zimmer says`() async throws {
        let rule = "watch: session\nif: session.status == \"failed\"\ndo: [{invoke: {id: 3}}, {post: ops, text: fired}]"
        let pending = try Self.simulation(rule)
        pending.server.update { state in
            state.triggers[0].skipsIfPending = true
            state.invoke(trigger: 3)
        }
        await pending.pass(.minutes(5))
        #expect(pending.writes == ["POST triggers/3/invoke"])
        #expect(pending.posts.isEmpty)
        #expect(pending.notices.contains { $0.contains("invoke for trigger 3 was refused") })

        let bursting = try Self.simulation(rule)
        bursting.server.update { state in
            state.triggers[0].maximumPerMinute = 0
            state.addSession(id: 11, title: "Another", status: .failed)
        }
        await bursting.pass(.minutes(10))
        #expect(bursting.notices.contains { $0.contains("Zimmer left a notice instead of a session") })
    }
}
