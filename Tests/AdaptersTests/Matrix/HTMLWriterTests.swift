import AdapterKit
import Testing

@testable import MatrixAdapter

@Suite struct HTMLWriterTests {
    @Test(arguments: [
        ("<b>&\"'</b>", "&lt;b&gt;&amp;&quot;'&lt;/b&gt;"),
        ("&amp;", "&amp;amp;"),
        ("a\r\nb\u{0}c\u{7}d", "a bcd"),
        ("\u{202E}evil\u{2066}", "evil"),
        ("@room @alice:example.com", "@room @alice:example.com"),
        ("👩‍👩‍👧‍👦 é", "👩‍👩‍👧‍👦 é"),
        ("</p><script>alert(1)</script>", "&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
    ])
    func `text is text, escaped once`(text: String, html: String) {
        #expect(HTMLWriter.html(TextTree(text: text)) == html)
    }

    @Test(arguments: [
        (
            TextBlock.paragraph([.strong([.text("a<")]), .emphasis([.text("b")]), .strikethrough([.text("c")])]),
            "<strong>a&lt;</strong><em>b</em><del>c</del>"
        ),
        (.paragraph([.code("a<b"), .lineBreak, .text("c")]), "<code>a&lt;b</code><br>c"),
        (.heading(level: 9, [.text("a")]), "<h6>a</h6>"),
        (.code("a\n<b>\n", language: "sw\"ift"), "<pre><code class=\"language-swift\">a\n&lt;b&gt;\n</code></pre>"),
        (.quote([.paragraph([.text("a")])]), "<blockquote><p>a</p></blockquote>"),
        (.divider, "<hr>"),
        (
            .list(start: nil, items: [[.paragraph([.text("a")])], [.paragraph([.text("b")]), .divider]]),
            "<ul><li>a</li><li>b<hr></li></ul>"
        ),
        (.list(start: 3, items: [[.paragraph([.text("a")])]]), "<ol start=\"3\"><li>a</li></ol>"),
    ])
    func `a block is written with the tags that clients show`(block: TextBlock, html: String) {
        #expect(HTMLWriter.html(TextTree([block])) == html)
    }

    @Test(arguments: [
        (
            "https://example.com/?a=1&b=\"><script>",
            "<a href=\"https://example.com/?a=1&amp;b=&quot;&gt;&lt;script&gt;\">x</a>"
        ),
        ("HTTP://example.com", "<a href=\"HTTP://example.com\">x</a>"),
        ("mailto:a@example.com", "<a href=\"mailto:a@example.com\">x</a>"),
        ("javascript:alert(1)", "x"), ("matrix:u/alice:example.com", "x"), ("data:text/html,x", "x"),
        (" https://example.com", "x"),
    ])
    func `a link goes nowhere but to the web and to mail`(url: String, html: String) {
        #expect(HTMLWriter.html(TextTree([.paragraph([.link([.text("x")], url: url)])])) == html)
    }

    @Test func `what is nested without end is written as its words`() {
        var inline = TextInline.text("deep <")
        var block = TextBlock.paragraph([.text("deep <")])
        for _ in 0..<500 {
            inline = .strong([inline])
            block = .quote([block])
        }
        for html in [HTMLWriter.html(TextTree([.paragraph([inline])])), HTMLWriter.html(TextTree([block]))] {
            #expect(html.count { $0 == "<" } <= 200)
            #expect(html.contains("deep &lt;"))
        }
    }
}
