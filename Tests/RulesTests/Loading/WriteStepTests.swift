import Testing

@testable import Rules

/// Steps that change something in Zimmer, as they are written.
@Suite struct WriteStepTests {
    static let mistakes: [(String, String, String)] = [
        ("session", "start: {↓agent_root: web}", "'start' needs 'prompt': without one nothing runs"),
        ("session", "↓start: {prompt: x}", "'start' needs 'agent_root' or 'git_root'"),
        ("session", "start: {agent_root: web, prompt: x, ↓custom_metadata: {a: b}}", "has no key 'custom_metadata'"),
        ("session", "start: {agent_root: web, prompt: x, precedence: 1, ↓place: top_of_spot}", "say the same twice"),
        ("session", "start: {agent_root: web, prompt: x, scheduling_class: ↓spott}", "did you mean 'spot'?"),
        ("session", "↓set: {}", "'set' sets one of"),
        ("session", "set: {title: ↓\"\"}", "'title' is empty"),
        ("session", "follow_up: {prompt: ↓\"  \"}", "'prompt' is empty"),
        ("session", "start: {agent_root: web, prompt: ↓\"\"}", "'prompt' is empty"),
        ("session", "start: {agent_root: web, prompt: x, ↓git_root: y}", "not both"),
        ("session", "push: {message: x, session: 5}\n      ↓session: 6", "names its session already"),
        ("session", "set: {↓tite: x}", "did you mean 'title'?"),
        ("session", "set: {precedence: ↓2000000000}", "-1000000000 to 1000000000"),
        ("session", "heartbeat: {enabled: true, interval: ↓10s}", "at least 30 s"),
        ("session", "heartbeat: {↓interval: 5m}", "'heartbeat' needs 'enabled'"),
        ("session", "pause: ↓7", "'pause' takes no value"),
        ("session", "restart: {from: [↓archived]}", "not 'archived'"),
        ("session", "restart: ↓always", "'restart' takes a map"),
        ("session", "↓trigger: {enabled: false}", "elsewhere name one with 'id'"),
        ("session", "trigger: {↓id: 3}", "'trigger' needs 'enabled'"),
        ("session", "↓mark_read", "'mark_read' goes with 'watch: notification'"),
        ("session", "invoke: {id: 3, variables: {↓prompt: x}}", "has no key 'prompt'"),
        ("session", "↓authorize_merge", "is for a person to decide: add 'confirm"),
        ("health", "↓push: {message: x}", "'push' writes to a session, and this rule has none"),
        ("health", "enter_recovery: {↓ttl: 30m}", "'enter_recovery' needs 'reason'"),
        ("health", "enter_recovery: {reason: x, ttl: ↓1m}", "at least 5 min"),
        ("session", "mark_all_read: \n      ↓session: 7", "goes with what is written to a session"),
    ]

    @Test(arguments: mistakes)
    func `what does not fit is said at its place`(watched: String, step: String, words: String) {
        let source = MarkedText(
            TestWorld.head + "rules:\n  - name: a\n    watch: \(watched)\n    do:\n    - \(step)\n")
        let (file, diagnostics) = TestWorld.load(source.text)
        #expect(file == nil)
        #expect(diagnostics.map(\.place) == source.marks, "\(diagnostics.map(\.description).joined(separator: "\n"))")
        #expect(diagnostics.contains { $0.description.contains(words) }, "\(diagnostics.map(\.description))")
    }

    @Test(arguments: [
        ("session", "start_now"), ("session", "set: {goal: \"\"}"), ("session", "push: {session: 7, message: x}"),
        ("session", "model: \"{{ session.title }}\""), ("health", "push: {session: 7, message: x}"),
        ("health", "retry_failed: \n      session: 7"), ("session", "dismiss: {id: 3}"),
        ("session", "{authorize_merge: , confirm: {in: ops, by: [ann]}}"),
    ])
    func `what fits is taken`(watched: String, step: String) {
        let head = TestWorld.head.replacing(
            "api_key: {env: KEY}", with: "api_key: {env: KEY}, sign_in: {client: zimmer-ios, person: ann}")
        let (file, diagnostics) = TestWorld.load(
            head + "rules:\n  - name: a\n    watch: \(watched)\n    do:\n    - \(step)\n")
        #expect(file != nil, "\(diagnostics.map(\.description))")
    }

    @Test func `'allow' narrows every step`() {
        let source = MarkedText(
            TestWorld.head.replacing("api_key: {env: KEY}", with: "api_key: {env: KEY}, allow: [snooze]")
                + "rules:\n  - name: a\n    watch: session\n    do:\n    - ↓start: {agent_root: web, prompt: x}\n")
        let (_, diagnostics) = TestWorld.load(source.text)
        #expect(diagnostics.contains { $0.description.contains("not among the steps that 'zimmer.allow' names") })
    }
}
