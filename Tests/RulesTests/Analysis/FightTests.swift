import Testing

@testable import Rules

/// Two rules that work against each other, or alike.
@Suite struct FightTests {
    struct Pair: Sendable {
        var first: (condition: String, rest: String)
        var second: (condition: String, rest: String)
    }

    static func warnings(_ pair: Pair) -> [String] {
        let rules = [("a", pair.first), ("b", pair.second)].map { name, rule in
            "  - name: \(name)\n    watch: session\n    if: |\n      \(rule.condition)\n    \(rule.rest)\n"
        }
        let (file, diagnostics) = TestWorld.load(TestWorld.head + "rules:\n" + rules.joined())
        #expect(file != nil, "\(diagnostics)")
        #expect(diagnostics.allSatisfy { $0.severity == .warning })
        return diagnostics.map { "\($0.place) \($0.message)" }
    }

    private static let visible = #"session.effective_visibility == "visible""#
    private static let snoozed = #"session.effective_visibility == "snoozed""#

    @Test func `rules that undo each other are shown with a session for which both take turns`() {
        let pair = Pair(
            first: (
                #"session.status == "needs_input" && \#(Self.visible) && session.idle > duration("72h")"#,
                "do: [snooze: {for: 7d}]"
            ),
            second: (#"\#(Self.snoozed) && session.pr.ci == "fail""#, "do: [show]"))
        #expect(
            Self.warnings(pair) == [
                "10:11 'b' and 'a' (rules.yaml:5:11) undo each other, as for a session {effective_visibility: visible, "
                    + "idle: 72h1m, pr.ci: fail, status: needs_input}: once each, until a person acts on it"
            ])
    }

    @Test(arguments: [
        Pair(first: (visible, "do: [hide]"), second: (#"session.visibility != "visible""#, "do: [show]")),
        Pair(
            first: ("\(visible) && session.id > 3", "do: [hide]"),
            second: (#"session.effective_visibility in ["hidden", "snoozed"] && session.id > 5"#, "do: [show]")),
        Pair(
            first: ("session.favorited != true", "do: [favorite: true]"),
            second: ("session.favorited == true", "do: [favorite: false]")),
        Pair(
            first: (#"session.session_notes != "new""#, "do: [note: {replace: new}]"),
            second: (#"session.session_notes == "new" && session.id == 1"#, "do: [note: {replace: old}]")),
        Pair(
            first: ("\(visible) && (session.id == 0 || session.id == 3)", "do: [{post: ops, text: x}, hide]"),
            second: (#"session.visibility == "hidden" && session.prs.exists(p, p.ci == "fail")"#, "do: [show]")),
        Pair(
            first: (#"\#(visible) && session.idle > duration("1h")"#, "do: [hide]"),
            second: (#"session.visibility == "hidden" && now - session.touched_at > duration("2h")"#, "do: [show]")),
    ])
    func `each brings about what the other waits for`(pair: Pair) {
        let warnings = Self.warnings(pair)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains(" undo each other, as for a session {") == true, "\(warnings)")
    }

    @Test func `without a guard they go on for ever`() {
        let pair = Pair(
            first: (Self.visible, "once: episode\n    do: [hide]"),
            second: (#"session.visibility == "hidden""#, "once: episode\n    do: [show]"))
        #expect(Self.warnings(pair).first?.hasSuffix(": in turn, without an end") == true)
    }

    @Test(arguments: [
        // Another session.
        Pair(
            first: (#"\#(visible) && session.status == "failed""#, "do: [hide]"),
            second: (#"\#(snoozed) && session.status == "waiting""#, "do: [show]")),
        // Another kind of being off the board.
        Pair(first: (visible, "do: [hide]"), second: (snoozed, "do: [show]")),
        // At other times.
        Pair(
            first: (#"\#(visible) && within("sat-sun 00:00-24:00")"#, "timezone: UTC\n    do: [hide]"),
            second: (
                #"session.visibility == "hidden" && !within("sat-sun 00:00-24:00")"#, "timezone: UTC\n    do: [show]"
            )),
        Pair(
            first: (#"\#(visible) && within("sat-sun 00:00-24:00")"#, "timezone: UTC\n    do: [hide]"),
            second: (
                #"session.visibility == "hidden" && within("mon-fri 09:00-17:00")"#, "timezone: UTC\n    do: [show]"
            )),
        Pair(
            first: (#"\#(visible) && session.idle > duration("72h")"#, "do: [snooze: {for: 7d}]"),
            second: (#"\#(snoozed) && session.idle < duration("72h")"#, "do: [show]")),
        Pair(
            first: (#"\#(visible) && session.idle > duration("72h")"#, "do: [snooze: {for: 7d}]"),
            second: (#"\#(snoozed) && now - session.touched_at <= duration("1h")"#, "do: [show]")),
        // What hangs together in ways that are not known.
        Pair(
            first: (#"\#(visible) && session.title.startsWith("a")"#, "do: [hide]"),
            second: (#"session.visibility == "hidden" && session.title.startsWith("b")"#, "do: [show]")),
        Pair(
            first: (#"\#(visible) && session.pr.ci == "pass""#, "do: [hide]"),
            second: (#"session.visibility == "hidden" && session.prs.exists(p, p.ci == "fail")"#, "do: [show]")),
        Pair(
            first: (#"\#(visible) && session.status == "waiting""#, "do: [hide]"),
            second: (#"session.visibility == "hidden" && session.failure_reason != null"#, "do: [show]")),
        Pair(
            first: (#"\#(visible) && board.exists(s, s.visibility == "visible")"#, "do: [hide]"),
            second: (#"session.visibility == "hidden""#, "do: [show]")),
        // The first goes on holding, and does not run again.
        Pair(
            first: (#"session.idle > duration("72h")"#, "do: [hide]"),
            second: (#"session.visibility == "hidden""#, "do: [show]")),
        Pair(
            first: ("\(visible) || session.id == 0", "do: [hide]"),
            second: (#"session.visibility == "hidden""#, "do: [show]")),
        // Steps that may be passed over, or wait for a person; episodes that outlast it; only at some times.
        Pair(
            first: (visible, "do: [{hide: , if: session.id > 3}]"),
            second: (#"session.visibility == "hidden""#, "do: [show]")),
        Pair(
            first: (visible, "do: [{hide: , confirm: {in: ops, by: ann}}]"),
            second: (#"session.visibility == "hidden""#, "do: [show]")),
        Pair(first: (visible, "keep: 1h\n    do: [hide]"), second: (#"session.visibility == "hidden""#, "do: [show]")),
        Pair(
            first: (visible, "schedule: '@daily'\n    do: [hide]"),
            second: (#"session.visibility == "hidden""#, "do: [show]")),
        Pair(
            first: (#"\#(visible) && previous.visibility != "hidden""#, "do: [hide]"),
            second: (#"session.visibility == "hidden""#, "do: [show]")),
        // One of them does nothing.
        Pair(
            first: (visible, "mode: dry_run\n    do: [hide]"),
            second: (#"session.visibility == "hidden""#, "do: [show]")),
        Pair(first: (visible, "mode: off\n    do: [hide]"), second: (#"session.visibility == "hidden""#, "do: [show]")),
        // To another session.
        Pair(
            first: (visible, "do: [{hide: , session: 7}]"), second: (#"session.visibility == "hidden""#, "do: [show]")),
        // What the second does besides keeps it from doing it again.
        Pair(
            first: (visible, "do: [hide]"),
            second: (#"session.visibility == "hidden" && session.favorited != true"#, "do: [show, favorite: true]")),
    ])
    func `rules that may live beside each other are left alone`(pair: Pair) {
        #expect(Self.warnings(pair) == [])
    }

    // MARK: - Twice the same

    @Test func `a rule that does what another does already is named with it`() {
        let pair = Pair(
            first: (#"session.status == "failed""#, "do: [{post: ops, text: \"{{ session.title }} failed\"}]"),
            second: (
                #"session.status == "failed" && session.agent_root == "widgets""#,
                "do: [{post: ops, text: \"{{ session.title }} failed\"}]"
            ))
        #expect(
            Self.warnings(pair) == [
                "10:11 'b' does what 'a' (rules.yaml:5:11) does already, which matches whatever this rule matches: it is all "
                    + "done twice"
            ])
    }

    private static let post = "do: [{post: ops, text: x}]"

    @Test(arguments: [
        Pair(first: (#"session.status == "failed""#, post), second: (#""failed" == session.status"#, post)),
        Pair(first: ("session.id > 5", post), second: ("session.id > 7 && session.id < 9", post)),
        Pair(
            first: ("session.id in [3, 4] && session.pr != null", post),
            second: (#"session.id == 3 && session.pr.ci == "pass""#, post)),
        Pair(first: (#"session.status == "failed" || session.id == 1"#, post), second: ("session.id == 1", post)),
        Pair(first: (#"session.id == 1"#, post), second: (#"session.status == "failed" || session.id == 1"#, post)),
        Pair(first: ("true", post), second: (#"session.status == "failed""#, post)),
        Pair(
            first: (#"session.idle > duration("1h")"#, "do: [hide]"),
            second: (#"session.idle > duration("2h")"#, "do: [hide]")),
        Pair(
            first: (#"session.title.startsWith("a")"#, post),
            second: (#"session.title.startsWith("a") && session.prs.size() > 2"#, post)),
    ])
    func `one condition is a part of the other`(pair: Pair) {
        let warnings = Self.warnings(pair)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains(" does already, which ") == true, "\(warnings)")
    }

    @Test(arguments: [
        Pair(first: ("session.id > 5", post), second: ("session.id > 3 && session.pr != null", post)),
        Pair(first: ("session.id > 5", post), second: ("session.id > 7", "do: [{post: ops, text: y}]")),
        Pair(first: ("session.id > 5", post), second: ("session.id > 7", "do: [{post: ops, text: x, urgency: high}]")),
        Pair(first: ("session.id > 5", post), second: ("session.id > 7", "for: 1h\n    \(post)")),
        Pair(first: ("session.id > 5", post), second: ("session.id > 7", "mode: dry_run\n    \(post)")),
        Pair(first: ("session.id > 5", post), second: ("session.id > 7", "key: session.url\n    \(post)")),
        Pair(first: ("session.id > 5", post), second: ("session.id > 7", "quiet: 22:00-07:00\n    \(post)")),
        Pair(
            first: ("who == 'a'", "let: {who: session.title}\n    \(post)"),
            second: ("who == 'a'", "let: {who: session.url}\n    \(post)")),
        Pair(
            first: ("session.id > 5", "let: {who: session.title}\n    do: [{post: ops, text: '{{ who }}'}]"),
            second: ("session.id > 5", "let: {who: session.url}\n    do: [{post: ops, text: '{{ who }}'}]")),
        Pair(
            first: ("session.prs.exists(p, p.url == who)", "let: {who: session.title}\n    \(post)"),
            second: ("session.prs.exists(p, p.url == who)", "let: {who: session.url}\n    \(post)")),
        Pair(first: (#"session.favorited == true"#, post), second: ("session.favorited != true", post)),
    ])
    func `rules that say something else, or of something else, are left alone`(pair: Pair) {
        #expect(Self.warnings(pair) == [])
    }

    @Test func `of many rules that fight each is named once`() {
        let rules = (0..<10).map { index in
            let (from, step) = index % 2 == 0 ? ("visible", "hide") : ("hidden", "show")
            return "  - {name: r\(index), watch: session, if: session.visibility == '\(from)', do: [\(step)]}\n"
        }
        let (file, diagnostics) = TestWorld.load(TestWorld.head + "rules:\n" + rules.joined())
        #expect(file != nil)
        #expect(diagnostics.count { $0.message.contains("undo each other") } == 9)
        #expect(diagnostics.count { $0.message.contains("does already") } == 8)
    }
}
