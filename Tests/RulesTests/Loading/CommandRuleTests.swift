import CEL
import Testing

@testable import Rules

@Suite struct CommandRuleTests {
    @Test func `a rule that a person calls reads the call, and answers`() throws {
        let (rule, diagnostics) = TestWorld.load(
            rule: """
                name: bring-back
                command: bring-back
                let: {why: "command.args.size() > 0 ? command.args[0] : command.text"}
                if: command.session != null && command.by != "guest"
                do:
                  - unarchive
                  - show:
                    if: command.session.effective_visibility != "visible"
                  - post: ops
                    text: "{{ command.by }} in {{ command.channel }}: {{ why }}"
                  - reply: "{{ command.session.title }} is back."
                """)
        #expect(diagnostics.map(\.description) == [])
        guard case .command("bring-back") = try #require(rule).trigger else {
            Issue.record("it has the trigger 'command'")
            return
        }
        #expect(rule?.steps.count == 4)
    }

    @Test func `nothing that is read calls it`() throws {
        let (rule, _) = TestWorld.load(rule: "name: a\ncommand: hello\ndo: [{reply: hello}, {post: ops, text: x}]")
        var memory = Memory()
        let decision = RuleSet([try #require(rule)]).decide(World(now: instant("2026-10-09T12:00:00Z")), &memory)
        #expect(decision.posts.isEmpty && decision.runs.isEmpty && decision.events.isEmpty)
    }

    @Test func `a step may ask a person first`() throws {
        let (rule, diagnostics) = TestWorld.load(
            rule: """
                name: a
                watch: session
                do:
                  - archive:
                    confirm: {in: ops, by: ["@ann:example.com", bob], within: 2h}
                  - follow_up: {prompt: Go on.}
                    confirm: {in: ops, by: ann}
                """)
        #expect(diagnostics.map(\.description) == [])
        #expect(
            try #require(rule).steps.map(\.confirmation) == [
                Confirmation(channel: "ops", people: ["@ann:example.com", "bob"], within: .seconds(7_200)),
                Confirmation(channel: "ops", people: ["ann"], within: .seconds(3_600)),
            ])
    }

    @Test(arguments: [
        ("name: a\ncommand: ↓Hello\ndo: [{reply: x}]", "did you mean 'hello'?"),
        ("name: a\ncommand: ↓\"!hello\"\ndo: [{reply: x}]", "without the '!'"),
        ("name: a\ncommand: ↓7days\ndo: [{reply: x}]", "did you mean 'days'?"),
        ("name: a\ncommand: ↓[hello]\ndo: [{reply: x}]", "takes the word of a command, not a list"),
        ("name: a\ncommand: ↓archive\ndo: [{reply: x}]", "'!archive' has a meaning already"),
        ("name: a\ncommand: hello\n↓watch: session\ndo: [{reply: x}]", "it has one trigger"),
        ("name: a\ncommand: hello\n↓schedule: \"@daily\"\ndo: [{reply: x}]", "it has one trigger"),
        ("name: a\ncommand: hello\n↓for: 5m\ndo: [{reply: x}]", "'for' goes with 'watch', not with 'command'"),
        ("name: a\ncommand: hello\n↓once: episode\ndo: [{reply: x}]", "'once' goes with 'watch', not with 'command'"),
        (
            "name: a\ncommand: hello\n↓missed: all\ndo: [{reply: x}]",
            "'missed' goes with 'schedule', not with 'command'"
        ),
        ("name: a\ncommand: hello\nif: command.↓who == 'a'\ndo: [{reply: x}]", "undefined field 'who' of command"),
        ("name: a\ncommand: hello\ndo: [{reply: \"{{ ↓session.id }}\"}]", "did you mean"),
        ("name: a\ncommand: hello\ndo: [{reply: \"{{ ↓episode.number }}\"}]", "other rules have no episodes"),
        ("name: a\nwatch: session\ndo: [{↓reply: x}]", "'reply' goes with 'command'"),
        ("name: a\nwatch: session\ndo: [↓unarchive]", "'unarchive' goes with 'command'"),
        ("name: a\nwatch: session\nif: ↓command.by == 'a'\ndo: [hide]", "only in a rule that has 'command'"),
        ("name: a\ncommand: hello\ndo: [{↓reply: }]", "'reply' has no value"),
        ("name: a\ncommand: hello\ndo: [{unarchive: ↓7}]", "'unarchive' takes no value"),
        ("name: a\ncommand: hello\ndo: [↓mark_read]", "'mark_read' goes with 'watch: notification'"),
        ("name: a\nwatch: session\ndo: [{hide: , confirm: {in: ↓opps, by: ann}}]", "there is no channel 'opps'"),
        ("name: a\nwatch: session\ndo: [{hide: , confirm: {↓in: ops}}]", "needs 'by'"),
        ("name: a\nwatch: session\ndo: [{hide: , confirm: {↓by: ann}}]", "needs 'in'"),
        ("name: a\nwatch: session\ndo: [{hide: , confirm: {in: ops, ↓by: []}}]", "'by' names nobody"),
        ("name: a\nwatch: session\ndo: [{hide: , confirm: {in: ops, by: ann, within: ↓1x}}]", "'1x' is no duration"),
        ("name: a\nwatch: session\ndo: [{hide: , confirm: {in: ops, by: ann, within: ↓5s}}]", "takes at least 1 min"),
        (
            "name: a\nwatch: session\ndo: [{hide: , confirm: {in: ops, by: ann, ↓widthin: 1h}}]",
            "did you mean 'within'?"
        ),
        ("name: a\nwatch: session\ndo: [{hide: , confirm: ↓ops}]", "'confirm' has to be a map"),
        ("name: a\nwatch: session\ndo: [{wait: 1h, ↓confirm: {in: ops, by: ann}}]", "has nothing to ask before 'wait'"),
    ])
    func `what does not fit is said at its place`(marked: String, words: String) {
        let body = marked.split(separator: "\n").enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
        let source = MarkedText(TestWorld.head + "rules:\n" + body.joined(separator: "\n") + "\n")
        let (file, diagnostics) = TestWorld.load(source.text)
        #expect(file == nil)
        #expect(diagnostics.map(\.place) == source.marks, "\(diagnostics)")
        #expect(diagnostics.first?.description.contains(words) == true, "\(diagnostics)")
    }

    @Test func `two rules cannot have the same word`() {
        let source = MarkedText(
            TestWorld.head + """
                rules:
                  - {name: a, command: hello, do: [{reply: x}]}
                  - {name: b, command: ↓hello, do: [{reply: y}]}
                """)
        let (file, diagnostics) = TestWorld.load(source.text)
        #expect(file == nil)
        #expect(diagnostics.map(\.place) == source.marks)
        #expect(diagnostics.first?.message == "there is a command 'hello' already, at rules.yaml:5:24")
    }
}
