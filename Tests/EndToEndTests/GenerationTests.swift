import BotTestSupport
import DemoZimmer
import Testing
import WebhookAdapter

@testable import zimmer_bot

/// The whole bot against servers that are older and newer than it.
@Suite struct GenerationTests {
    private static let rules = """
          - name: failed
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: "{{ session.title }} failed"}, {snooze: {for: 7d}}]
          - name: not-known
            watch: session
            if: session.title == "Odd" && session.goal_check == null
            do: [{note: {append: hello}}]
          - name: words
            watch: session
            if: session.status == "needs_input" && session.last_message.contains("Shall I")
            do: [{post: ops, text: "{{ session.title }} says {{ session.last_message }}"}]
          - name: inbox
            watch: notification
            if: notification.notification_type == "session_failed"
            do: [{post: ops, text: "inbox: {{ notification.session.title }}"}]
          - name: triggers
            watch: trigger
            if: trigger.status == "failed"
            do: [{post: ops, text: "trigger {{ trigger.name }} with {{ trigger.conditions.size() }} conditions"}]
          - name: questions
            watch: elicitation
            do: [{post: ops, text: "{{ elicitation.session.title }} asks: {{ elicitation.message }}"}]
          - name: backlog
            watch: backlog
            do: [{post: ops, text: "backlog {{ backlog.key }}"}]
          - name: tools
            watch: clis
            if: clis.unauthenticated.size() > 0
            do: [{post: ops, text: "signed out: {{ clis.unauthenticated }}"}]
          - name: trouble
            watch: health
            if: health.problems.exists(p, p.section == "warm_pool_health")
            do: [{post: ops, text: cold}]
          - name: spent
            watch: costs
            if: costs.totals.cost_usd >= 0.0
            do: [{post: ops, text: costs}]
          - name: away
            watch: zimmer
            if: "!zimmer.reachable || zimmer.sign_in != 'ok'"
            do: [{post: ops, text: away}]
          - name: quiet-channel
            watch: channel
            if: channel.state == "down"
            do: [{post: ops, text: down}]
        """

    private static func simulation(
        _ generation: Generation, polls: String = "{board: 30s, health: 2m}"
    ) throws -> Simulation {
        let simulation = try Simulation(rules, polls: polls)
        simulation.server.update { state in
            state.generation = generation
            state.addSession(id: 7, title: "Fix login", status: .failed)
            state.notify("session_failed", about: 7)
            state.addSession(id: 8, title: "Chatty")
            state.addSession(id: 9, title: "Asking", status: .running)
            state.addSession(id: 10, title: "Odd") { session in
                guard generation == .tomorrow else { return }
                session.wireOverrides = [
                    "status": "hibernating", "genesis": "dream", "effective_visibility": "translucent",
                    "goal_check": .null,
                ]
            }
            let now = state.now
            state.edit(8) {
                $0.conversation = [ConversationMessage(role: "assistant", content: "Shall I?", timestamp: now)]
            }
            state.apply(.asks(session: 9, "Rename it?", tool: "rename_bucket"))
            state.triggers = [Trigger(id: 3, name: "Nightly", createdAt: now)]
            state.apply(.triggerFails(3, error: "no such root"))
            state.backlog = [BacklogItem(id: 1, key: "web#2", repository: "a/b", title: "It", addedAt: now)]
            state.tools = [("gh", false)]
        }
        return simulation
    }

    private static let everywhere = [
        "Fix login failed", "inbox: Fix login", "signed out: gh", "costs", "trigger Nightly with",
    ]

    @Test(arguments: Generation.allCases)
    func `every rule decides what can be decided`(generation: Generation) async throws {
        let simulation = try Self.simulation(generation)
        await simulation.pass(.minutes(20))
        var expected = Set(Self.everywhere.dropLast().map { "ops: \($0)" })
        expected.insert("ops: trigger Nightly with \(generation == .tomorrow ? 2 : 1) conditions")
        expected.insert("ops: Asking asks: \(generation == .august ? "-" : "Rename it?")")
        if generation != .august { expected.formUnion(["ops: Chatty says Shall I?", "ops: backlog web#2"]) }
        if generation == .tomorrow { expected.insert("ops: cold") }
        #expect(Set(simulation.posts) == expected)
        #expect(simulation.posts.count == expected.count)
        #expect(simulation.writes.filter { $0.contains("/10") }.count == (generation == .tomorrow ? 0 : 1))
        #expect(simulation.writes.filter { $0.contains("/7/") } == ["PATCH sessions/7/visibility"])
        let isRefused = try simulation.trail("failed").contains { $0.contains("too old to snooze") }
        #expect(isRefused == (generation == .august))
    }

    @Test func `what an old server lacks is asked for once a day and said once, also over a restart`() async throws {
        let simulation = try Self.simulation(.august, polls: "{board: 10m, health: 10m}")
        await simulation.pass(.hours(10))
        try simulation.restart(after: .minutes(5))
        await simulation.pass(.hours(10))
        // Conversations are asked for side by side, three of them at the most here.
        for (path, count) in [
            ("work_backlog_items", 1), ("sessions/*/conversation", 3), ("sessions/*/elicitations", 1),
        ] {
            let asked = simulation.server.received(RequestPattern("GET", "/api/v1/\(path)"))
            #expect((1...count).contains(asked.count), "\(path)")
        }
        // Beside them one for the write that was refused.
        func said() -> [String] { simulation.notices.filter { $0.hasPrefix("ops: This Zimmer") } }
        #expect(said().count == 5)
        #expect(Set(said()).count == 5)
        #expect(said().contains { $0.contains("no backlog") && $0.contains("rule backlog") })
        #expect(simulation.notices.allSatisfy { !$0.contains("Nothing can be decided about 'backlog'") })
        await simulation.pass(.hours(10))
        #expect(simulation.server.received(RequestPattern("GET", "/api/v1/work_backlog_items")).count == 2)
        #expect(said().count == 5)
    }

    @Test func `a server that was made new has it the next day`() async throws {
        let simulation = try Self.simulation(.august, polls: "{board: 10m, health: 10m}")
        await simulation.pass(.hours(1))
        simulation.server.update { $0.generation = .today }
        await simulation.pass(.hours(25))
        #expect(simulation.posts.contains("ops: backlog web#2"))
        #expect(simulation.notices.contains { $0.hasPrefix("ops: Over: This Zimmer has no backlog") })
        #expect(simulation.notices.contains { $0.hasPrefix("ops: Over: This Zimmer knows no visibility") })
    }

    @Test func `a wrong address is not an old server`() async throws {
        let simulation = try Self.simulation(.today)
        simulation.server.inject(Fault(.any, .answer(.routeNotFound), times: nil))
        await simulation.pass(.minutes(30))
        #expect(simulation.notices.allSatisfy { !$0.contains("his Zimmer") })
        simulation.server.clearFaults()
        await simulation.pass(.minutes(30))
        #expect(simulation.posts.contains("ops: backlog web#2"))
    }

    @Test(arguments: Generation.allCases)
    func `the example rules live through a day of each`(generation: Generation) async throws {
        let pager = try RecordingWebhook()
        defer { pager.stop() }
        let text = String(decoding: PackageResources.rules_example_yaml, as: UTF8.self)
            .replacing("{board: 30s, inbox: 1m, health: 2m, costs: 15m}", with: "{board: 10m, health: 10m}")
        let server = try DemoServer(day: .friday)
        server.update { $0.generation = generation }
        let simulation = try Simulation(
            file: text, on: server, kinds: { [RecordingKind("console", into: $0), WebhookKind()] }, pager: pager.url)
        await simulation.pass(.hours(8))
        #expect(simulation.posts.contains { $0.hasPrefix("ops: Sync the wiki failed") })
        #expect(simulation.posts.contains { $0.hasPrefix("ops: Zimmer spent") })
        #expect(simulation.notices.filter { $0.hasPrefix("ops: This Zimmer") }.count == (generation == .august ? 1 : 0))
    }
}
