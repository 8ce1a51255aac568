import AdapterKit
import BotCore
import Rules
import Testing

/// The laws of other people's text: it is read back as it was, and makes nothing but text.
@Suite struct MarkdownEscapingTests {
    static let hostile = [
        "plain", "process_failed", "**bold** _x_ ~~y~~ `z`", "[x](https://evil.example)", "[x]: https://evil.example",
        "![x](https://evil.example/i.png)", "<script>alert(1)</script>", "<https://evil.example>", "<!-- x",
        "&lt;b&gt; &#60;",
        "https://evil.example/a_b", "www.evil.example", "WWW.evil.example", "see http://evil.example.",
        "ftp://evil.example",
        "mail a@evil.example now", "# head", "#", "- item", "-", "---", "+ item", "* item", "1. item", "1)", "12. x",
        "1234567890. x", "> quote", "===", "```", "~~~ x", "    code", "a | b", "|---|", "\\", "\\\\*", "a\\", "!",
        "!!",
        "[", "]", "[]", "()", "(https://evil.example)", "[ ] task", "[^1]", ": x", "@everyone", "@room", "R&D", "&copy",
        "AT&T;",
        "a  ", "  a", "é\u{301}", "👩‍👩‍👧", "a*b*c", "a_b_c", "_", "*", "__", "2 * 3 * 4", "$x$", "{{ x }}", "\"q\" 'q'", "",
        "file:///etc", "javascript:alert(1)", "a://b", "x.", "x:", "://", "<", ">", "</p>", "<a@b.example>", "\u{A0}x",
    ]

    /// Templates around a value `x`; the value is a paragraph's, an item's, a quote's, a heading's text.
    static let templates: [(before: String, after: String)] = [
        ("", ""), ("a ", " b"), ("a", "b"), ("**", "**"), ("- ", ""), ("- a\n- ", "\n- b"), ("> ", ""), ("# ", ""),
        ("1. ", ""), ("a\n", "\nb"), ("- > ", ""), ("", "\n\nb"), ("_", "_ x"), ("~~", "~~"),
        ("[", "](https://a.example)"),
        ("- a\n  ", ""), ("a\n\n", "\n---"), ("(", ")"), ("\"", "\""),
    ]

    @Test(arguments: hostile)
    func `a value alone is read back as it was`(text: String) {
        expectLaws(text, ("", ""))
    }

    @Test(arguments: templates.indices)
    func `a value in a template is read back as it was, and makes nothing but text`(template: Int) {
        for text in Self.hostile { expectLaws(text, Self.templates[template]) }
    }

    @Test func `the same holds for any text made of marks`() {
        var random = SeededRandom(seed: 20_261_009)
        let pieces = Array("\\`*_{}[]()#+-.!|<>&~:/@=\"' 019aw").map(String.init) + ["https://", "www.", "  ", "]("]
        for round in 0..<6000 {
            let length = Int.random(in: 1...10, using: &random)
            let text = (0..<length).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            expectLaws(text, Self.templates[round % Self.templates.count])
        }
    }

    @Test(arguments: [
        ("[a]", "(https://evil.example)"), ("[a]", ": https://evil.example"), ("https:", "//evil.example"),
        ("www", ".evil.example"), ("!", "[x](https://evil.example)"), ("1", ". x"), ("<", "b>"), ("&", "copy;"),
        ("&#", "60;"), ("[a](/x ", "\"t\")"), ("[a](/x ", ")"), ("# a ", "#"),
    ])
    func `a value does not complete what an author began`(before: String, value: String) {
        let body = MessageBody(RenderedText([.markup(before), .text(value)]))
        #expect(body.tree.plainText.hasSuffix(value))
        #expect(TextTree(markdown: body.markdown) == body.tree)
    }

    @Test(arguments: [("!", "[x](https://a.example)"), ("&", "copy;"), ("1", ". x")])
    func `two values, or a value and what follows it, complete nothing either`(first: String, second: String) {
        let values = MessageBody(RenderedText([.text(first), .text(second)]))
        #expect(TextTree(markdown: values.markdown).blocks == [.paragraph([.text(first + second)])])
    }

    @Test func `a mark before an author's link makes no picture of it`() {
        let body = MessageBody(RenderedText([.text("Done!"), .markup("[x](https://a.example)")]))
        #expect(body.markdown == #"Done\![x](https://a.example)"#)
    }

    @Test(arguments: [
        ("process_failed", #"process\_failed"#), ("<b> & R&D", #"\<b\> & R\&D"#),
        ("Done! (ok) v1.2 #3 a-b", "Done! (ok) v1.2 #3 a-b"),
        ("1. first", #"1\. first"#), ("# 1", "\\# 1"), ("2 + 2 = 4", "2 + 2 = 4"),
    ])
    func `only what could be markup gets a backslash`(text: String, markdown: String) {
        #expect(MessageBody(RenderedText([.text(text)])).markdown == markdown)
    }

    @Test func `controls and line ends are gone`() {
        let body = MessageBody(RenderedText([.text("a\r\n\n# b\u{1B}[0m\u{202E}c\u{0}\u{2066}")]))
        #expect(body.markdown == #"a # b\[0mc"#)
    }

    // MARK: - The laws

    private func expectLaws(_ text: String, _ template: (before: String, after: String)) {
        let body = MessageBody(RenderedText([.markup(template.before), .text(text), .markup(template.after)]))
        let read = TextTree(markdown: body.markdown)
        let harmless = MessageBody(RenderedText([.markup(template.before), .text("x"), .markup(template.after)]))
        let comment = Comment(rawValue: "'\(text)' in '\(template.before)' … '\(template.after)': \(body.markdown)")
        guard !text.allSatisfy(\.isWhitespace) else { return }
        // The tree is the one of a harmless value, with this value's words in it.
        #expect(Shape(body.tree) == Shape(harmless.tree), comment)
        // Whoever reads the Markdown sees the same words.
        let words = Shape(body.tree).text
        #expect(Shape(read).text.utf8.elementsEqual(words.utf8), comment)
        let ends = text.split { $0.isWhitespace }
        #expect(words.contains(ends[0]) && words.contains(ends[ends.count - 1]), comment)
        // And nothing that the author did not write. Marks beside a mark may not open what they would beside a letter.
        #expect(Shape(read).links == Shape(harmless.tree).links, comment)
        #expect(Shape(read).blocks == Shape(harmless.tree).blocks, comment)
    }

    /// A tree without its words, and its words.
    private struct Shape: Equatable {
        var blocks: [String] = []
        var marks: [String] = []
        var links: [String] = []
        var text = ""

        static func == (a: Shape, b: Shape) -> Bool {
            a.blocks == b.blocks && a.marks == b.marks && a.links == b.links
        }

        init(_ tree: TextTree) {
            for block in tree.blocks { add(block) }
        }

        private mutating func add(_ block: TextBlock) {
            switch block {
            case .paragraph(let inlines):
                blocks.append("paragraph")
                add(inlines)
            case .heading(_, let inlines):
                blocks.append("heading")
                add(inlines)
            case .list(_, let items):
                blocks.append("list of \(items.count)")
                for block in items.flatMap(\.self) { add(block) }
            case .quote(let inner):
                blocks.append("quote")
                for block in inner { add(block) }
            case .code(let code, _):
                blocks.append("code")
                text += code
            case .divider:
                blocks.append("divider")
            }
            text += "\n"
        }

        private mutating func add(_ inlines: [TextInline]) {
            for inline in inlines {
                switch inline {
                case .text(let words): text += words
                case .lineBreak: text += "\n"
                case .code(let code):
                    marks.append("code")
                    text += code
                case .strong(let inner):
                    marks.append("strong")
                    add(inner)
                case .emphasis(let inner):
                    marks.append("emphasis")
                    add(inner)
                case .strikethrough(let inner):
                    marks.append("strikethrough")
                    add(inner)
                case .link(let inner, let url):
                    links.append(url)
                    add(inner)
                }
            }
        }
    }
}

/// The same numbers on every run.
private struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
