import CEL
import Testing

@testable import Rules

@Suite struct TemplateTests {
    /// A message of this text about a session with this title and these pull requests.
    private func render(_ text: String, title: String = "Fix login", prs: Int = 0) throws -> RenderedText {
        let (template, activation) = try compile(text, title: title, prs: prs)
        return template.render(activation)
    }

    private func compile(
        _ text: String, title: String = "Fix login", prs: Int = 0
    ) throws -> (Template, Activation) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "      " + $0 }
        let body = lines.joined(separator: "\n")
        let (rule, diagnostics) = TestWorld.load(
            rule: "name: a\nwatch: session\ndo:\n  - post: ops\n    text: |\n\(body)")
        #expect(diagnostics.map(\.description) == [])
        let loaded = try #require(rule)
        guard case .post(let post) = loaded.steps.first?.action else { throw Missing() }
        var activation = Activation(loaded.environment)
        let pullRequests = (0..<prs).map { number in
            Value.object(Object(TestWorld.pullRequest, named: ["url": .string("https://example.com/\(number)")]))
        }
        activation[try #require(loaded.environment.slot(of: "now"))] = .timestamp(instant("2026-10-09T12:00:00Z"))
        activation[try #require(loaded.environment.slot(of: "session"))] = .object(
            Object(
                TestWorld.session,
                named: [
                    "title": .string(title), "idle": .duration(.seconds(7_500)), "prs": .list(pullRequests),
                    "id": .int(7),
                    "touched_at": .timestamp(instant("2026-10-09T12:00:00Z")),
                    "metadata": .map(MapValue([(key: .string("a"), value: .int(1))])),
                ]))
        return (post.text, activation)
    }

    private struct Missing: Error {}

    @Test func `the author's markup and other people's text stay apart`() throws {
        let text = try render("**{{ session.title }}** failed", title: "a *b*")
        #expect(text.segments == [.markup("**"), .inline(.text("a *b*")), .markup("** failed")])
    }

    @Test(arguments: [
        ("{{ session.failure_reason }}", "-"), ("{{ session.idle }}", "2 h 5 min"), ("{{ 1.5 }} {{ 2.0 }}", "1.5 2"),
        ("{{ session.touched_at }}", "2026-10-09T12:00:00Z"), ("{{ session.id > 3 }}", "true"),
        (#"{{ "{{" }} and {{ "}}" }}"#, "{{ and }}"), (#"{{ {"a": {"b": 1}}.a.b }}"#, "1"),
        ("a } b }} c", "a } b }} c"),
        (#"{{ r"\" + '"' }}"#, #"\""#), ("{{ session.metadata }}", "{a: 1}"), ("{{ session.?pr }}", "-"),
        ("{{ usd(1.5) }} {{ [1, 2].map(x, x * 2) }}", "$1.50 2, 4"), ("{{ [] }}x", "x"),
    ])
    func `values print as people read them`(text: String, expected: String) throws {
        let rendered = try render(text)
        #expect(rendered.plain == expected)
        #expect(rendered.errors == [])
    }

    @Test func `an error prints as (?) and is told`() throws {
        let text = try render("Gone: {{ session.pr.url }}, still {{ session.title }}")
        #expect(text.plain == "Gone: (?), still Fix login")
        #expect(text.errors.count == 1)
        #expect(text.errors.first?.contains("session.pr.url") == true)
    }

    @Test func `text becomes one harmless line`() throws {
        let title = "a\r\nb\u{1B}[31m\u{202E}c\td\u{2066}\u{85}e\u{2028}f"
        #expect(try render("{{ session.title }}", title: title).plain == "a b[31mc d e f")
    }

    @Test func `a list alone on its line becomes items, twenty at most`() throws {
        let text = try render("Open:\n{{ session.prs.map(p, p.url) }}\nEnd", prs: 22)
        let lines = text.plain.split(separator: "\n")
        #expect(lines.count == 23)
        #expect(lines[1] == "- https://example.com/0")
        #expect(lines[21] == "- … and 2 more")
        #expect(lines[22] == "End")
    }

    @Test(arguments: ["End", "{{ session.title }}", "{{ link(session.title, 'https://example.com') }} is last"])
    func `the line after a list is no part of its last item`(line: String) throws {
        let text = try render("{{ session.prs.map(p, p.url) }}\n\(line)", prs: 2)
        #expect(text.markdown.split(separator: "\n", omittingEmptySubsequences: false).count == 4, "\(text.markdown)")
    }

    @Test func `a list beside other text is joined`() throws {
        #expect(
            try render("Open: {{ session.prs.map(p, p.url) }}.", prs: 2).plain
                == "Open: https://example.com/0, https://example.com/1.")
    }

    @Test(arguments: [
        ("a\n{{ session.prs }}\nb", "a\nb"), ("a\n{{ '' }}\nb", "a\nb"), ("a\n- {{ '' }}\nb", "a\nb"),
        ("a\nwhy: {{ '' }}\nb", "a\nwhy: \nb"), ("a\n\nb", "a\n\nb"), ("{{ '' }}{{ '' }}\nb", "b"),
        ("\n\n  a  \n\n", "a"),
        ("{{ session.failure_reason }}\nb", "-\nb"),
    ])
    func `a line without content disappears, and the text is trimmed`(text: String, expected: String) throws {
        #expect(try render(text).plain == expected)
    }

    @Test func `links are links where they are safe`() throws {
        let text = try render(
            #"{{ link(session.title, "https://a.example/x") }} {{ link("b", "javascript:alert(1)") }}"#)
        #expect(
            text.segments == [
                .inline(.link(text: "Fix login", url: "https://a.example/x")), .markup(" "),
                .inline(.text("b (javascript:alert(1))")),
            ])
    }

    @Test func `markdown is what the author vouches for`() throws {
        #expect(try render("{{ markdown('**a**') }}").segments == [.inline(.markdown("**a**"))])
    }

    @Test func `a write keeps line breaks and refuses half a text`() throws {
        let (whole, activation) = try compile("Do {{ session.title }}.", title: "a\nb")
        #expect(try whole.text(activation) == "Do a\nb.")
        let (null, other) = try compile("Because {{ session.failure_reason }}.")
        #expect(throws: EvaluationError.self) { try null.text(other) }
        let (error, third) = try compile("See {{ session.pr.url }}.")
        #expect(throws: EvaluationError.self) { try error.text(third) }
    }
}
