import Testing

@testable import Rules

/// Rules that make themselves run again.
@Suite struct RestartTests {
    private func warnings(_ condition: String, _ rest: String) -> [String] {
        let (rule, diagnostics) = TestWorld.load(
            rule: "name: a\nwatch: session\nif: |\n  \(condition)\n\(rest)")
        #expect(rule != nil, "\(diagnostics)")
        return diagnostics.map(\.message)
    }

    private static let prompt = "do: [follow_up: {prompt: Go on.}]"

    @Test(arguments: [
        (#"session.status == "needs_input""#, "once: episode\n\(prompt)", "after each prompt"),
        (
            #"session.status == "needs_input" && session.idle > duration("2h") && session.agent_root == "widgets""#,
            "once: episode\nfor: 10m\n\(prompt)", "after each prompt"
        ),
        (#"session.status == "needs_input""#, "once: session.updated_at\n\(prompt)", "after each prompt"),
        (
            #"now - session.updated_at > duration("72h")"#, "once: episode\ndo: [note: {append: Nobody came.}]",
            "'note' moves session.updated_at, and its condition holds again 3 d later"
        ),
        (
            #"session.updated_at < now - duration("72h") && session.status == "failed""#,
            "once: episode\ndo: [log: {text: still failed}]", "'log' moves session.updated_at"
        ),
        (
            #"session.status == "failed""#, "once: episode\nkey: session.updated_at\ndo: [note: {append: failed}]",
            "'note' moves session.updated_at, which its 'key' reads"
        ),
        (
            #"session.status == "failed""#,
            "once: session.updated_at\nkey: string(session.session_notes)\ndo: [note: {append: failed}]",
            "'note' moves session.session_notes, which its 'key' reads"
        ),
    ])
    func `a write that starts its own rule again is a warning`(condition: String, rest: String, words: String) {
        let warnings = warnings(condition, rest)
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("'a' makes itself run again: \(words)") == true, "\(warnings)")
    }

    @Test(arguments: [
        // Once until a person acts, unless the rule says otherwise.
        (#"session.status == "needs_input""#, prompt),
        (#"now - session.updated_at > duration("72h")"#, "do: [note: {append: Nobody came.}]"),
        (#"session.status == "failed""#, "key: session.updated_at\ndo: [note: {append: failed}]"),
        // How often is meant.
        (#"session.status == "needs_input""#, "once: episode\nlimit: {per_subject_per_day: 1}\n\(prompt)"),
        // The prompt may change what is asked for.
        (#"session.status == "needs_input" && session.pr.ci == "fail""#, "once: episode\n\(prompt)"),
        (#"session.status == "needs_input" && !session.title.contains("x")"#, "once: episode\n\(prompt)"),
        (#"session.status == "needs_input" && session.idle < duration("2h")"#, "once: episode\n\(prompt)"),
        (#"session.status != "failed""#, "once: episode\n\(prompt)"),
        (#"session.status == "failed""#, "once: episode\n\(prompt)"),
        // Its write ends what it waits for, for good.
        (
            #"now - session.updated_at > duration("72h") && session.visibility == "visible""#,
            "once: episode\ndo: [hide]"
        ),
        (#"session.favorited != true"#, "once: episode\nkey: session.updated_at\ndo: [favorite: true]"),
        (#"session.idle > duration("72h")"#, "once: episode\ndo: [note: {append: Nobody came.}]"),
        (#"now - session.updated_at < duration("1h")"#, "once: episode\ndo: [note: {append: Busy.}]"),
        (#"now - session.updated_at > duration("72h")"#, "once: episode\ndo: [archive]"),
        (#"now - session.updated_at > duration("72h")"#, "once: episode\ndo: [{post: ops, text: x}]"),
        (#"now - session.updated_at > duration("72h")"#, "mode: dry_run\nonce: episode\ndo: [note: {append: x}]"),
    ])
    func `a rule that comes to an end is left alone`(condition: String, rest: String) {
        #expect(warnings(condition, rest) == [])
    }
}
