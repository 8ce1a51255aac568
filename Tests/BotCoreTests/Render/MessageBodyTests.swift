import AdapterKit
import BotCore
import Rules
import Testing

@Suite struct MessageBodyTests {
    @Test func `a template becomes text, a tree and Markdown`() {
        let body = MessageBody(
            RenderedText([.markup("**"), .text("Fix login"), .markup("** failed: "), .text("process_failed")]))
        #expect(body.tree.plainText == "Fix login failed: process_failed")
        #expect(body.markdown == #"**Fix login** failed: process\_failed"#)
        #expect(
            body.tree.blocks == [.paragraph([.strong([.text("Fix login")]), .text(" failed: process_failed")])])
    }

    @Test func `all of an author's markup is kept`() {
        let tree = TextTree(
            markdown: """
                # Head *up*

                one\\
                two
                three ~~gone~~ ~about~ `co_de` [page](https://example.com/a_b "t") https://example.com/x.

                3. a
                4. b
                   - c

                > said

                ```swift x
                let a = 1

                let b = 2
                ```
                ***
                """)
        #expect(
            tree.blocks == [
                .heading(level: 1, [.text("Head "), .emphasis([.text("up")])]),
                .paragraph([
                    .text("one"), .lineBreak, .text("two"), .lineBreak, .text("three "),
                    .strikethrough([.text("gone")]), .text(" ~about~ "), .code("co_de"), .text(" "),
                    .link([.text("page")], url: "https://example.com/a_b"), .text(" "),
                    .link([.text("https://example.com/x")], url: "https://example.com/x"), .text("."),
                ]),
                .list(
                    start: 3,
                    items: [
                        [.paragraph([.text("a")])],
                        [.paragraph([.text("b")]), .list(start: nil, items: [[.paragraph([.text("c")])]])],
                    ]),
                .quote([.paragraph([.text("said")])]),
                .code("let a = 1\n\nlet b = 2", language: "swift"),
                .divider,
            ])
        #expect(
            tree.plainText == """
                Head up

                one
                two
                three gone ~about~ co_de page (https://example.com/a_b) https://example.com/x.

                3. a
                4. b
                   - c

                > said

                let a = 1

                let b = 2

                ---
                """)
    }

    @Test(arguments: [
        ("<b>bold</b> <script>x</script>", "<b>bold</b> <script>x</script>"),
        ("<div>\nx\n</div>", "<div>\nx\n</div>"),
        ("[x](javascript:alert(1))", "x"),
        ("[x](data:text/html,y)", "x"),
        ("[x](/relative)", "x"),
        ("![alt](https://example.com/i.png)", "alt (https://example.com/i.png)"),
        ("write to a@example.com", "write to a@example.com"),
        ("&lt;b&gt; &copy;", "<b> ©"),
        ("[![alt](https://a.example/i)](https://b.example)", "alt (https://b.example)"),
    ])
    func `an author's HTML is text, and only web addresses are links`(markup: String, plain: String) {
        #expect(TextTree(markdown: markup).plainText == plain)
    }

    @Test func `a list value is one item per element, and what follows it is no part of it`() {
        let body = MessageBody(
            RenderedText([
                .markup("Costs:\n"),
                .items([[.text("a_b: $1")], [.text("- c")], [.text("… and 3 more")]]),
                .markup("\nTotal: **4**"),
            ]))
        #expect(body.tree.plainText == "Costs:\n\n- a_b: $1\n- - c\n- … and 3 more\n\nTotal: 4")
        #expect(body.markdown == "Costs:\n- a\\_b: $1\n- \\- c\n- … and 3 more\n\nTotal: **4**")
        #expect(TextTree(markdown: body.markdown) == body.tree)
    }

    @Test func `a link value is a link, to https only`() {
        let good = MessageBody(
            RenderedText([.markup("see "), .link(text: "a]b", url: "https://example.com/(x)?a=1&copy=2")]))
        #expect(good.markdown == #"see [a\]b](https://example.com/%28x%29?a=1\&copy=2)"#)
        #expect(good.tree.plainText == "see a]b (https://example.com/%28x%29?a=1&copy=2)")
        #expect(TextTree(markdown: good.markdown) == good.tree)
        for url in ["http://example.com", "javascript:alert(1)", "https://", "https://a b", "ftp://x.example"] {
            let bad = MessageBody(RenderedText([.link(text: "words", url: url)]))
            #expect(bad.tree.blocks == [.paragraph([.text("words (\(url))")])])
        }
    }

    @Test(arguments: [
        // What is between parentheses is an address, whoever it is from, if it is one.
        (
            "https://zimmer.example.com/sessions/7", "[page](https://zimmer.example.com/sessions/7)",
            "page (https://zimmer.example.com/sessions/7)"
        ),
        ("javascript:alert(1)", "[page]()", "page"),
        ("https://a.example/) [x](https://evil.example", "[page]()", "page"),
        ("https://a.example/)_*", "[page](https://a.example/%29%5F%2A)", "page (https://a.example/%29%5F%2A)"),
    ])
    func `a value as an address is an address or nothing`(value: String, markdown: String, plain: String) {
        let body = MessageBody(RenderedText([.markup("[page]("), .text(value), .markup(")")]))
        #expect(body.markdown == markdown)
        #expect(body.tree.plainText == plain)
    }

    @Test func `a value inside an address stays inside it`() {
        let body = MessageBody(
            RenderedText([.markup("https://zimmer.example.com/sessions/"), .text("7/../x y?z#w"), .markup(" now")]))
        #expect(body.markdown == "https://zimmer.example.com/sessions/7%2F..%2Fx%20y%3Fz%23w now")
        let url = "https://zimmer.example.com/sessions/7%2F..%2Fx%20y%3Fz%23w"
        #expect(body.tree.blocks == [.paragraph([.link([.text(url)], url: url), .text(" now")])])
    }

    @Test func `a value inside code is as it is, but cannot end it`() {
        let branch = MessageBody(RenderedText([.markup("on `"), .text("fix/a_b"), .markup("`")]))
        #expect(branch.markdown == "on `fix/a_b`")
        #expect(branch.tree.plainText == "on fix/a_b")

        let span = MessageBody(RenderedText([.markup("`"), .text("a` [x](https://evil.example) `b"), .markup("`")]))
        #expect(span.tree.blocks == [.paragraph([.code("a' [x](https://evil.example) 'b")])])
        #expect(TextTree(markdown: span.markdown) == span.tree)

        let block = MessageBody(
            RenderedText([
                .markup("```\n"), .text("``` "), .markup("\n"), .text("[x](https://evil.example)"), .markup("\n```"),
            ]))
        #expect(block.tree.blocks == [.code("'''\n[x](https://evil.example)", language: nil)])
        #expect(TextTree(markdown: block.markdown) == block.tree)
    }

    @Test func `a value that looks like HTML inside the author's HTML ends nothing`() {
        let body = MessageBody(RenderedText([.markup("<a title=\""), .text("\"><script>"), .markup("\">x</a>")]))
        #expect(!body.markdown.contains("<script"))
        #expect(body.tree.plainText == "<a title=\"\"><script>\">x</a>")
    }

    @Test func `a value in a link's title or a code block's language stays there`() {
        let title = MessageBody(
            RenderedText([.markup("[x](https://a.example \""), .text("\") [y](https://evil.example"), .markup("\")")]))
        let titled = TextTree(markdown: title.markdown)
        #expect(titled.blocks == [.paragraph([.link([.text("x")], url: "https://a.example")])])
        #expect(title.tree == titled)

        let language = MessageBody(RenderedText([.markup("```"), .text("a`b\n[z]"), .markup("\ncode\n```")]))
        #expect(language.tree.blocks == [.code("code", language: nil)])
        #expect(TextTree(markdown: language.markdown).plainText == "code")
    }

    @Test func `an author's private code points are not taken for values`() {
        let body = MessageBody(RenderedText([.markup("a\u{F0000}b "), .text("x\u{F0000}")]))
        #expect(body.tree.plainText == "ab x\u{F0000}")
    }

    @Test func `a title is one line`() {
        let title = RenderedText([.markup("Spent **"), .text("$4_2"), .markup("**\n\non Monday")])
        #expect(title.line == "Spent $4_2 on Monday")
    }

    @Test func `what is too long is cut and says so`() {
        let value = MessageBody(RenderedText([.text(String(repeating: "é", count: 100_000))]))
        #expect(value.tree.plainText.hasSuffix("é…"))
        #expect(value.tree.plainText.count == 4001)

        let many = MessageBody(RenderedText((0..<20_000).map { .text("\($0) \(String(repeating: "x", count: 30))") }))
        #expect(many.markdown.utf8.count < 70_000)
        #expect(many.markdown.hasSuffix("…"))
    }

    @Test(arguments: ["> ", "- ", "*a **b ", "[", "![", "<b>", "~~", "1. ", "`a``", "&", "https://"])
    func `deep or endless markup ends soon and is not deep`(markup: String) {
        let tree = TextTree(markdown: String(repeating: markup, count: 60_000 / markup.utf8.count) + "x")
        #expect(depth(of: tree) <= 32)
    }

    private func depth(of tree: TextTree) -> Int {
        func depth(_ blocks: [TextBlock]) -> Int { (blocks.map(depth).max() ?? 0) + 1 }
        func depth(_ block: TextBlock) -> Int {
            switch block {
            case .paragraph(let inlines), .heading(_, let inlines): depth(inlines)
            case .list(_, let items): items.map(depth).max() ?? 0
            case .quote(let blocks): depth(blocks)
            case .code, .divider: 0
            }
        }
        func depth(_ inlines: [TextInline]) -> Int {
            (inlines.map { inline in
                switch inline {
                case .strong(let inner), .emphasis(let inner), .strikethrough(let inner), .link(let inner, _):
                    depth(inner)
                case .text, .code, .lineBreak: 0
                }
            }.max() ?? 0) + 1
        }
        return depth(tree.blocks)
    }
}
