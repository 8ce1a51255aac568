import CEL
import Rules
import Testing

@testable import BotCore

/// What is wrong with a file of tests is said all at once, each at its place.
@Suite struct ScenarioMistakeTests {
    private static let rules = """
          - name: failed-session
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: x}]
        """

    /// A line of a step, and what is said of it.
    private func complaints(_ line: String) -> [String] {
        let text = """
            rules: rules.yaml
            start: 2026-10-09T12:00:00Z
            tests:
              - name: it
                steps:
                  - at: 1m
                    \(line)
            """
        return Play.load(text, rules: Self.rules).diagnostics.map(\.headline)
    }

    @Test(arguments: [
        ("seshions: []", "a step has no key 'seshions', did you mean 'sessions'?"),
        ("sessions: {}", "'sessions' is a list: begin each with '- {id: …}'"),
        ("sessions: [{title: x}]", "'session' needs 'id'"),
        ("sessions: [{id: 7}, {id: 7}]", "there is a session 7 already in this step"),
        ("sessions: [{id: 7, titel: x}]", "'session' has no key 'titel', did you mean 'title'?"),
        ("sessions: [{id: seven}]", "'id' takes a whole number in plain decimal, not 'seven'"),
        (
            "sessions: [{id: 7, idle: 3d, touched_at: -3d}]",
            "'idle' counts from 'touched_at': write one of them"
        ),
        (
            "sessions: [{id: 7, idle: long}]",
            "'idle': 'long' is no duration: write 30s, 5m, 2h, 3d, 1w or a sum such as 1h30m"
        ),
        (
            "sessions: [{id: 7, created_at: yesterday}]",
            "'created_at' takes a time such as 2026-10-09T12:00:00Z, or -2h for two hours before the step, not 'yesterday'"
        ),
        ("sessions: [{id: 7, favorited: yes}]", "'favorited' takes true or false, not 'yes': write true"),
        ("sessions: [{id: 7, all_mcp_servers: a}]", "'all_mcp_servers' takes a list"),
        (
            "sessions: [{id: 7, pr: {authorization: live}}]",
            "'authorization' follows from other fields: write 'authorized' and 'authorized_at'"
        ),
        ("costs: {totals: {cost_usd: much}}", "'cost_usd' takes a number, not 'much'"),
        ("zimmer: {server_time_skew: 3s}", "'server_time_skew' follows from other fields: a test has one clock"),
        ("health: []", "'health' has to be a map of keys and values"),
        ("gone: [seven]", "'gone' takes a whole number in plain decimal, not 'seven'"),
        ("gone: {notifications: [a]}", "'notifications' takes a whole number in plain decimal, not 'a'"),
        (
            "notifications: [{id: 3, session: {id: 7}}]",
            "'session' follows from other fields: write 'session_id'"
        ),
        ("clis: {tools: [gh]}", "'tools' has to be a map of keys and values"),
        ("restart: {away: 2h}", "'restart' has no key 'away': there are down"),
        ("restart: soon", "'restart' takes true or false, not 'soon'"),
        ("release: failed-sesion", "there is no rule 'failed-sesion', did you mean 'failed-session'?"),
        ("run-rule: failed-sesion", "there is no rule 'failed-sesion', did you mean 'failed-session'?"),
        ("run_rule: failed-session", "a step has no key 'run_rule', did you mean 'run-rule'?"),
        ("ack: failed-sesion", "there is no rule 'failed-sesion', did you mean 'failed-session'?"),
        ("ack: {session: 7}", "'ack' needs 'rule'"),
        ("ack: {rule: failed-session, sesion: 7}", "'ack' has no key 'sesion', did you mean 'session'?"),
        (
            "pause: {rule: failed-session, for: long}",
            "'for': 'long' is no duration: write 30s, 5m, 2h, 3d, 1w or a sum such as 1h30m"
        ),
        ("pause: {rule: failed-session, for: 0s}", "'for' takes at least 1 s"),
        ("mute: 30", "'mute': '30' is no duration: it needs a unit, s m h d or w"),
        (
            "writes: refuse",
            "'writes' takes done, refused, unavailable, lost, found, not 'refuse', did you mean 'refused'?"
        ),
        ("writes: {folow_up: lost}", "'writes' has no key 'folow_up', did you mean 'follow_up'?"),
        ("expect: nothing", "'expect' is a list, '[]' where nothing is to happen"),
        ("expect: [post]", "an expectation has to be a map of keys and values"),
        ("expect: [{rule: other, post: ops}]", "there is no rule 'other'"),
        ("expect: [{post: opps}]", "there is no channel 'opps', did you mean 'ops'?"),
        ("expect: [{post: ops, txt: x}]", "an expectation has no key 'txt', did you mean 'text'?"),
        ("expect: [{post: ops, archive: 7}]", "an expectation is about one thing: 'post' stands here already"),
        ("expect: [{post: ops, kind: alarm}]", "'kind' takes firing, repeat, resolved, report, digest, not 'alarm'"),
        (
            "expect: [{post: ops, urgency: higher}]",
            "'urgency' takes low, normal, high, not 'higher', did you mean 'high'?"
        ),
        ("expect: [{post: ops, count: 0}]", "'count' takes 1 to 1000, not 0"),
        ("expect: [{snooze: 7, until: soon}]", "'until' takes a time such as 2026-10-09T12:00:00Z, not 'soon'"),
        ("expect: [{snooze: all}]", "'snooze' takes a whole number in plain decimal, not 'all'"),
        ("reload: [a]", "'reload' takes the path of a rules file, not a list"),
    ])
    func `a mistake in a step is named`(line: String, text: String) {
        #expect(complaints(line) == [text])
    }

    @Test func `a reader that is none is named with those that there are`() throws {
        let text = try #require(complaints("fail: [bord]").first)
        #expect(text.hasPrefix("'fail' takes board, health, costs"))
        #expect(text.hasSuffix("not 'bord', did you mean 'board'?"))
    }

    @Test func `what cannot happen in an expectation is named with what can`() throws {
        let text = try #require(complaints("expect: [{rule: failed-session}]").first)
        #expect(text.hasPrefix("an expectation says what is to happen: one of post, "))
        let hold = try #require(complaints("expect: [{held: onec}]").first)
        #expect(hold.hasSuffix("not 'onec', did you mean 'once'?"))
    }

    @Test func `what fails cannot be read in the same step`() {
        #expect(complaints("{fail: [board], sessions: []}".inlined) == ["'board' cannot fail and be read in one step"])
        #expect(complaints("{fail: health, works: health}".inlined) == ["'health' cannot fail and be read in one step"])
    }

    @Test func `a word that no server is known to send is a warning`() {
        let text =
            "'status' is waiting, running, failed, archived, needs_input as far as is known, not 'faild', did you mean 'failed'?"
        #expect(complaints("sessions: [{id: 7, status: faild}]") == [text])
        let file = Play.load(
            "rules: r.yaml\nstart: 2026-10-09T12:00:00Z\ntests: [{name: a, steps: [{at: 0m, sessions: [{id: 7, status: new}]}]}]",
            rules: Self.rules
        ).file
        #expect(file != nil)
    }

    @Test(arguments: [
        ("rules: r.yaml\nstart: 2026-10-09T12:00:00Z", ["a file of tests needs 'tests'"]),
        (
            "start: 2026-10-09T12:00:00Z\ntests: []",
            ["a file of tests needs 'rules': the path of a rules file, relative to this one"]
        ),
        ("rules: []\nstart: 2026-10-09T12:00:00Z\ntests: []", ["'rules' names no file"]),
        ("rules: r.yaml\nstart: noon\ntests: []", ["'start' takes a time such as 2026-10-09T12:00:00Z, not 'noon'"]),
        ("rules: r.yaml\ntests: {}", ["'tests' is a list of tests: begin each with '- name: …'"]),
        ("rules: r.yaml\ntests: [{name: a, steps: []}]", ["a test needs 'start', its own or that of the file"]),
        ("rules: r.yaml\nstart: 2026-10-09T12:00:00Z\ntests: [{name: a}]", ["a test needs 'steps'"]),
        ("rules: r.yaml\nstart: 2026-10-09T12:00:00Z\ntests: [{steps: []}]", ["a test needs 'name'"]),
        (
            "rules: r.yaml\nstart: 2026-10-09T12:00:00Z\ntests: [{name: a, steps: []}, {name: a, steps: []}]",
            ["there is a test 'a' already, in line 3"]
        ),
        (
            "rules: r.yaml\nstart: 2026-10-09T12:00:00Z\ntests: [{name: a, steps: {}}]",
            ["'steps' is a list of steps: begin each with '- at: …'"]
        ),
        (
            "rules: r.yaml\nstart: 2026-10-09T12:00:00Z\ntests: [{name: a, steps: [{expect: []}]}]",
            ["a step needs 'at': how long after the start"]
        ),
        (
            "rules: r.yaml\nstart: 2026-10-09T12:00:00Z\ntests: [{name: a, steps: [{at: 90s}, {at: 1m}]}]",
            ["steps go forward in time, and the one before is at 1m30s"]
        ),
        (
            "rules: r.yaml\nstart: 2026-10-09T12:00:00Z\ntests: [{name: a, only: [other], steps: []}]",
            ["there is no rule 'other'"]
        ),
        (
            "rules: [r.yaml, r.yaml]\nstart: 2026-10-09T12:00:00Z\ntests: []",
            ["there is a rule 'failed-session' in another of these files"]
        ),
    ])
    func `a mistake around the steps is named`(text: String, complaints: [String]) {
        #expect(Play.load(text, rules: Self.rules).diagnostics.map(\.headline) == complaints)
    }

    @Test func `all of them are said in one pass, with line and column`() {
        let text = """
            rules: rules.yaml
            start: 2026-10-09T12:00:00Z
            tests:
              - name: it
                steps:
                  - at: 1
                    sessions: [{id: 7, statsu: failed}]
                  - at: 2m
                    expect: [{rule: failed-sesion, post: ops}]
            """
        let (file, diagnostics) = Play.load(text, rules: Self.rules)
        #expect(file == nil)
        #expect(diagnostics.map { "\($0.position.line):\($0.position.column)" } == ["6:13", "7:28", "9:25"])
    }

    @Test func `what is not UTF-8 is refused`() {
        let (file, diagnostics) = ScenarioFile.load([0xFF], file: "test.yaml", words: .zimmer) { _ in nil }
        #expect(file == nil)
        #expect(diagnostics.map(\.headline) == ["this is not UTF-8, the only encoding of tests"])
    }

    @Test func `rules with errors leave the names in expectations alone`() {
        let text = """
            rules: rules.yaml
            start: 2026-10-09T12:00:00Z
            tests: [{name: it, steps: [{at: 1m, expect: [{rule: anything, post: anywhere}]}]}]
            """
        let (file, diagnostics) = ScenarioFile.load(text.utf8, file: "test.yaml", words: .zimmer) { _ in nil }
        #expect(file == nil)
        #expect(diagnostics.isEmpty)
    }
}

extension String {
    /// A map in braces as the further lines of a step.
    fileprivate var inlined: String {
        String(dropFirst().dropLast()).replacing("], ", with: "]\n        ")
            .replacing("health, ", with: "health\n        ")
    }
}

extension RuleDiagnostic {
    /// What a person reads first, without the place.
    fileprivate var headline: String {
        let first = description.split(separator: "\n").first.map(String.init) ?? ""
        return String(first.dropFirst("\(position): \(severity.rawValue): ".count))
    }
}
