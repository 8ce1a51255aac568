import Testing

@testable import Rules

/// A document as a readable text, `?` for what could not be read.
func outline(_ node: YAMLNode?) -> String {
    switch node?.content {
    case nil: "-"
    case .unreadable: "?"
    case .scalar(let scalar): scalar.style == .plain ? scalar.text : "'\(scalar.text)'"
    case .sequence(let elements): "[" + elements.map(outline).joined(separator: ", ") + "]"
    case .mapping(let entries): "{" + entries.map { "\($0.key): \(outline($0.value))" }.joined(separator: ", ") + "}"
    }
}

func readYAML(_ text: String) -> (root: YAMLNode?, diagnostics: [RuleDiagnostic]) {
    let collector = DiagnosticCollector(SourceText(text.utf8, file: "rules.yaml"))
    let document = YAMLDocument(collector)
    return (document.root, collector.finish())
}

@Suite struct YAMLTests {
    @Test func `scalars stay the characters that were written`() {
        let (root, diagnostics) = readYAML(
            """
            a: no
            b: 0123
            c: 1:30
            d: "on"
            e: ~
            f:
            g: [1.10, x]
            """)
        #expect(outline(root) == "{a: no, b: 0123, c: 1:30, d: 'on', e: ~, f: , g: [1.10, x]}")
        #expect(diagnostics.isEmpty)
    }

    @Test func `aliases stand for what they name`() {
        let (root, diagnostics) = readYAML("a: &x [1, 2]\nb: *x\nc: {d: *x}\n")
        #expect(outline(root) == "{a: [1, 2], b: [1, 2], c: {d: [1, 2]}}")
        #expect(diagnostics.isEmpty)
    }

    @Test func `line ends and a byte order mark change nothing`() {
        let (root, diagnostics) = readYAML("\u{FEFF}a: |\r\n  one\r\n  two\r\nb: 1\r\nb: 2\r\n")
        #expect(outline(root) == "{a: 'one\ntwo\n', b: 1}")
        #expect(diagnostics.map(\.place) == ["5:1"])
    }

    @Test(arguments: [
        ("a: 1\n↓a: 2\n", "twice, first in line 1"),
        ("text: ↓!now or never\n", "'text': '!' has a meaning of its own"),
        ("text: ↓*loud* words\nb: 1\n", "'text': '*' has a meaning of its own"),
        ("text: ↓*loud\n", "'text': there is no '&loud'"),
        ("text: ↓& more\n", "'text': '&' has a meaning of its own"),
        ("text: ↓&more of it\n", "'text': '&more' has a meaning of its own"),
        ("text: ↓@ops look\n", "'text': '@' cannot begin a plain value"),
        ("text: ↓`code`\n", "'text': '`' cannot begin a plain value"),
        ("- text: ↓%d of it\n", "'text': '%' cannot begin a plain value"),
        ("text: \"all\" ↓done\n", "'text': there is more after the closing quote"),
        ("text: ↓[ops] is down\n", "'text': '[' begins a list"),
        ("do: [{post: ops, text: ↓@ops look}]\n", "'do': '@' cannot begin a plain value"),
        ("do: [{post: ops ↓{}}]\n", "'do': did not find expected ',' or '}': look at the commas and brackets"),
        ("do: ↓[{post: ops, text: see #4}]\n", "'do': the '[' that opens here is never closed"),
        ("text: note↓: this\n", "'text': ': ' cannot stand in a plain value"),
        ("text: ↓{{ session.title }}\n", "'text': '{{ … }}' without quotes is a map"),
        ("text: ↓{{ session.title }} failed\n", "'text': '{{ … }}' without quotes is a map"),
        ("post:\n  - ↓@ops\n", "'post': '@' cannot begin a plain value"),
        ("text: ↓\"never closed\nb: 1\n", "'text': the quote that opens here is never closed"),
        ("post: ↓[ops\ntext: x\n", "'post': the '[' that opens here is never closed"),
        ("text: some words\n  and note↓: this\n", "read as more of 'text'"),
        ("a:\n↓\tb: 1\n", "a tab cannot indent"),
        ("a: 1\n↓--- \nb: 1\n", "one document"),
        ("a: ↓\u{7}\n", "U+0007"),
        ("? ↓[a]\n: 1\n", "a key has to be a word"),
        ("↓", "the file is empty"),
        ("↓# nothing here\n", "the file is empty"),
    ])
    func `says what to write instead, where it is wrong`(marked: String, words: String) {
        let source = MarkedText(marked)
        let (_, diagnostics) = readYAML(source.text)
        #expect(diagnostics.map(\.place) == source.marks)
        #expect(diagnostics.first?.message.contains(words) == true, "\(diagnostics.first?.description ?? "none")")
    }

    @Test func `one mistake does not hide the others`() {
        let source = MarkedText(
            """
            a: ↓@one
            b: {c: fine}
            d: ↓*two*
            e: "fine" ↓three
            c: 4
            ↓c: 5
            """)
        let (root, diagnostics) = readYAML(source.text)
        #expect(diagnostics.map(\.place) == source.marks)
        #expect(outline(root) == "{a: ?, b: {c: fine}, d: ?, e: ?, c: 4}")
    }

    @Test func `a comment after a plain value is known`() {
        let (root, _) = readYAML("a: Fix issue #12 now\nb: x#y\nc: #z\n")
        guard case .mapping(let entries) = root?.content else {
            Issue.record("not a map")
            return
        }
        let comments = entries.map { entry -> Bool in
            if case .scalar(let scalar) = entry.value.content { scalar.comment != nil } else { false }
        }
        #expect(comments == [true, false, true])
    }
}

@Suite struct YAMLLimitTests {
    static let bomb = (1...8).reduce("a0: &a0 [x, x, x, x, x, x, x, x, x]\n") { text, level in
        text + "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ") + "]\n"
    }

    static let hostile: [(text: String, words: String)] = [
        (many("[", 100_000), "deeper than 64"),
        (many("[\n", 100_000), "deeper than 64"),
        (many("{a: ", 100_000), "deeper than 64"),
        (many("- ", 100_000), "deeper than 64"),
        (many("? ", 100_000), "deeper than 64"),
        ("a: [\(many("[],", 300_000))]", "more than 10000 values"),
        (many("- a\n", 200_000), "more than 10000 values"),
        (
            "[" + many("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,", 13_000) + "]",
            "more than 10000 values"
        ),
        (bomb, "more than 10000 values"),
        ("a: &a [x]\nb: [\(many("*a, ", 101))]\n", "more than 100 aliases"),
        ("a: &a [*a]\n", "there is no '&a' before this"),
        (many("x", 1_048_577), "at most 1 MiB"),
    ]

    private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// A quadratic reading of these takes longer than the limit.
    @Test(.timeLimit(.minutes(10)), arguments: hostile.indices)
    func `hostile files are refused while they are read`(row: Int) {
        let (text, words) = Self.hostile[row]
        #expect(readYAML(text).diagnostics.first?.message.contains(words) == true)
    }

    @Test func `an alias counts where it stands, not where it was written`() {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let text = "a: &a \(deep)\nb: " + String(repeating: "[", count: 30) + "*a" + String(repeating: "]", count: 30)
        #expect(readYAML(text).diagnostics.first?.message.contains("deeper than 64") == true)
    }
}
