import BotCore
import CEL
import Rules

/// A rules file as a large installation might have it: a hundred rules, most of which look at every session and hold for
/// few. The condition that is rarely met comes last, so that the others have to be evaluated.
enum BenchmarkRules {
    static let count = 100

    /// - Parameter url: the Zimmer that the rules are about.
    static func text(url: String) -> String {
        let rules = equality + mergeReady + stale + patterns + global
        precondition(rules.count == count, "the benchmark says how many rules it has")
        return head(url) + rules.joined()
    }

    /// A file with one rule, for this condition.
    static func text(condition: String) -> String {
        head("https://zimmer.example.com") + rule("condition", condition, "{post: ops, text: Now.}")
    }

    private static func head(_ url: String) -> String {
        """
        zimmer: {url: "\(url)", api_key: {env: ZIMMER_API_KEY}}
        channels: {ops: {adapter: console}}
        notices: {channels: [ops]}
        rules:

        """
    }

    private static let post = "{post: ops, text: '{{ session.title }} is {{ session.status }}: {{ session.url }}'}"

    private static func rule(_ name: String, watch: String = "session", _ condition: String, _ step: String) -> String {
        """
          - name: \(name)
            watch: \(watch)
            if: |
              \(condition)
            do: [\(step)]

        """
    }

    /// An agent root of the board for one rule in ten; for the others one that no session has.
    private static func root(_ number: Int) -> String {
        number % 10 == 0 ? "widgets" : "team-\(number)"
    }

    private static let equality = (0..<30).map { number in
        rule(
            "equal-\(number)",
            "session.status == 'failed' && !session.favorited && session.agent_root == '\(root(number))'",
            post)
    }

    private static let mergeReady = (0..<20).map { number in
        rule(
            "merge-\(number)",
            """
            session.status == 'needs_input' && size(session.prs) > 0 && session.prs.all(p, p.state == 'open' \
            && p.ci == 'pass' && !p.conflict) \
            && session.agent_root == '\(root(number))'
            """, "{follow_up: {prompt: 'Merge {{ session.pr.url }}.'}}")
    }

    /// These read the clock: half as `idle`, half as `now`.
    private static let stale = (0..<30).map { number in
        let idle = number % 2 == 0 ? "session.idle" : "now - session.touched_at"
        let days = 3 + number % 4
        return rule(
            "stale-\(number)",
            """
            session.status == 'needs_input' && \(idle) > duration('\(days * 24)h') \
            && session.agent_root == '\(root(number))'
            """, "{snooze: {for: 7d}}")
    }

    private static let patterns = (0..<12).map { number in
        rule(
            "pattern-\(number)",
            """
            session.title.contains('login') && session.branch.matches('^(fix|hotfix)/[a-z0-9-]+$') \
            || session.title.startsWith('Task \(number): ')
            """, post)
    }

    /// What is decided once per reading.
    private static let global =
        (1...3).map { number in
            rule(
                "board-\(number)", watch: "zimmer",
                "board.filter(s, s.status == 'failed' && s.priority_class == 'priority').size() > \(number * 1_000)",
                "{post: ops, text: 'Many sessions failed.'}")
        } + [
            rule(
                "recovery", watch: "health", "health.queue_recovery_mode.active",
                "{post: ops, text: 'Queue recovery mode is on.'}"),
            rule(
                "recovery-on-full-board", watch: "health", "health.queue_recovery_mode.active && size(board) > 100",
                "{post: ops, text: 'Queue recovery mode is on.'}"),
            rule(
                "unhealthy", watch: "health", "health.overall_status.status == 'critical'",
                "{post: ops, text: 'Zimmer is not well.'}"),
            rule(
                "spent-much", watch: "costs", "costs.totals.cost_usd > 1000.0",
                "{post: ops, text: 'Zimmer spent {{ usd(costs.totals.cost_usd) }} today.'}"),
            rule(
                "spent-at-all", watch: "costs", "costs.totals.api_calls > 100000",
                "{post: ops, text: 'Zimmer was busy today.'}"),
        ]
}

extension BenchmarkRules {
    /// - Throws: `BenchmarkFailure` with everything that is wrong with the text.
    static func load(
        _ text: String, channels: [ChannelSchema] = [ChannelSchema(kind: "console", keys: [])]
    ) throws -> RuleFile {
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: channels, now: Timestamp(seconds: 0))
        guard let file else {
            throw BenchmarkFailure(diagnostics.map { "\($0.position): \($0.message)" }.joined(separator: "\n"))
        }
        return file
    }
}
