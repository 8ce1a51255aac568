import CEL

@testable import Rules

/// A small world with a session like Zimmer's, for tests of the loader.
enum TestWorld {
    static let pullRequest = ObjectType(
        "pr",
        [
            .init("url", .string), .init("state", .string, knownValues: ["open", "merged", "closed"]),
            .init("ci", .string, knownValues: ["pass", "fail", "pending"]), .init("authorized", .bool),
            .init("authorized_at", .nullable(.timestamp)),
        ])

    static let session = ObjectType(
        "session",
        [
            .init("id", .int), .init("title", .string), .init("url", .string),
            .init("status", .string, knownValues: Language.statuses), .init("failure_reason", .nullable(.string)),
            .init("effective_visibility", .string, knownValues: ["visible", "hidden", "snoozed"]),
            .init("idle", .duration, compute: .init(reads: ["now"], isElapsed: true) { object, _ in object.slots[6] }),
            .init("touched_at", .timestamp), .init("favorited", .nullable(.bool)),
            .init("prs", .list(.object(pullRequest))), .init("pr", .nullable(.object(pullRequest))),
            .init("metadata", .map(.string, .dyn)), .init("visibility", .string), .init("updated_at", .timestamp),
            .init("session_notes", .nullable(.string)), .init("agent_root", .nullable(.string)),
        ])

    static let recovery = ObjectType(
        "queue_recovery_mode", [.init("active", .bool), .init("reason", .nullable(.string))])
    static let health = ObjectType("health", [.init("queue_recovery_mode", .object(recovery))])

    static let totals = ObjectType("totals", [.init("cost_usd", .double)])
    static let root = ObjectType("root", [.init("agent_root", .string), .init("cost_usd", .double)])
    static let costs = ObjectType(
        "costs",
        [
            .init("from", .timestamp), .init("to", .timestamp), .init("totals", .object(totals)),
            .init("by_agent_root", .list(.object(root))),
        ])

    static let vocabulary = Vocabulary(
        watchables: [
            .init("session", session, isCollection: true, hasSession: true),
            .init("health", health, isCollection: false, hasSession: false),
            .init("costs", costs, isCollection: false, hasSession: false),
        ],
        variables: [
            .init("now", .timestamp), .init("board", .list(.object(session)), maximumSize: 10_000),
            .init("health", .object(health)), .init("costs", .object(costs)),
        ])

    static let channels = [
        ChannelSchema(kind: "console", keys: [.init("color", .choice(["auto", "always", "never"]))]),
        ChannelSchema(
            kind: "webhook",
            keys: [
                .init("url", .secret, required: true), .init("format", .choice(["json"], later: ["ntfy"])),
                .init("headers", .headers(reserved: ["webhook-id"])),
                .init("timeout", .duration(atMost: .seconds(300))), .init("retries", .integer),
                .init("verbose", .boolean), .init("tags", .textList), .init("topic", .text),
            ]),
    ]

    static func load(_ text: String) -> (file: RuleFile?, diagnostics: [RuleDiagnostic]) {
        RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: vocabulary, channels: channels,
            now: instant("2026-10-09T12:00:00Z"))
    }

    /// What every file needs, so that a test can show only what it is about.
    static let head = """
        zimmer: {url: "https://zimmer.example.com", api_key: {env: KEY}}
        channels: {ops: {adapter: console}}
        notices: {channels: [ops]}

        """

    /// A file with this one rule, whose lines stand for themselves.
    static func load(rule: String) -> (rule: Rule?, diagnostics: [RuleDiagnostic]) {
        let lines = rule.split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }.joined(separator: "\n")
        let (file, diagnostics) = load(head + "rules:\n" + body + "\n")
        return (file?.rules.first, diagnostics)
    }
}
