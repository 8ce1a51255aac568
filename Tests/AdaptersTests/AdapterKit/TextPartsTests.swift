import AdapterKit
import Testing

@Suite struct TextPartsTests {
    private func parts(_ tree: TextTree, atMost count: Int = 100, of limit: Int) -> TextParts {
        tree.parts(atMost: count, of: limit) { $0.plainText.utf8.count }
    }

    private func texts(_ tree: TextTree, atMost count: Int = 100, of limit: Int) -> [String] {
        parts(tree, atMost: count, of: limit).parts.map(\.plainText)
    }

    @Test func `what fits is left alone`() {
        let tree = TextTree([.paragraph([.text("one  "), .lineBreak]), .list(start: nil, items: [[]])])
        #expect(parts(tree, of: 100) == TextParts(parts: [tree]))
    }

    @Test func `nothing makes no parts`() {
        #expect(parts(TextTree([]), of: 100) == TextParts(parts: []))
    }

    @Test func `blocks are kept whole where a part would be at least half full`() {
        let tree = TextTree(["one two", "three four", "five six"].map { .paragraph([.text($0)]) })
        #expect(texts(tree, of: 20) == ["one two\n\nthree four", "five six"])
    }

    @Test func `lines are kept whole, then words`() {
        let lines = TextTree([.paragraph([.text("one two"), .lineBreak, .text("three four")])])
        #expect(texts(lines, of: 12) == ["one two", "three four"])
        #expect(texts(lines, of: 7) == ["one two", "three", "four"])
    }

    @Test func `a word longer than a part is cut between characters`() {
        let families = String(repeating: "👨‍👩‍👧‍👦", count: 5)
        #expect(texts(TextTree(text: families), of: 60) == ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"])
        #expect(texts(TextTree(text: "e\u{301}e\u{301}e\u{301}"), of: 4) == ["e\u{301}", "e\u{301}", "e\u{301}"])
    }

    @Test func `a character longer than a part is cut between its marks`() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 5000)
        let cut = parts(TextTree(text: zalgo), of: 400)
        #expect(cut.parts.count == 26)
        #expect(cut.omittedBytes == 0)
        #expect(cut.parts.map(\.plainText).joined().utf8.elementsEqual(zalgo.utf8))
    }

    @Test func `a list that is cut goes on with its numbers, in its quote`() {
        let items = ["one", "two", "three"].map { [TextBlock.paragraph([.text($0)])] }
        let tree = TextTree([.quote([.list(start: 7, items: items)])])
        #expect(texts(tree, of: 20) == ["> 7. one\n> 8. two", "> 9. three"])
    }

    @Test func `an item that is cut is an item again in the next part`() {
        let nested = TextBlock.list(start: nil, items: [[.paragraph([.text("three four")])]])
        let tree = TextTree([.list(start: 1, items: [[.paragraph([.text("one two")]), nested]])])
        #expect(texts(tree, of: 11) == ["1. one two", "1. - three", "1. - four"])
    }

    @Test func `code is closed and opened again, indented lines as they are`() {
        let tree = TextTree([.code("if a {\n    b()\n\n}\nend", language: "swift")])
        let cut = parts(tree, of: 16).parts
        #expect(
            cut == [
                TextTree([.code("if a {\n    b()", language: "swift")]),
                TextTree([.code("}\nend", language: "swift")]),
            ])
    }

    @Test func `formatting is closed and opened again`() {
        let tree = TextTree([.paragraph([.strong([.text("one "), .emphasis([.text("two three")])])])])
        #expect(
            parts(tree, of: 7).parts == [
                TextTree([.paragraph([.strong([.text("one "), .emphasis([.text("two")])])])]),
                TextTree([.paragraph([.strong([.emphasis([.text("three")])])])]),
            ])
    }

    @Test func `links and inline code are kept whole`() {
        let link = TextInline.link([.text("a b c")], url: "https://x.example")
        let tree = TextTree([.paragraph([.text("go to "), link, .text(" or "), .code("d e f g h i j")])])
        #expect(texts(tree, of: 26) == ["go to", "a b c (https://x.example)", "or d e f g h i j"])
    }

    @Test func `a link that is too long alone is cut, with its address in each part`() {
        let tree = TextTree([.paragraph([.link([.text("one two three")], url: "https://x.example")])])
        #expect(
            texts(tree, of: 28) == ["one two (https://x.example)", "three (https://x.example)"])
    }

    @Test func `an address longer than a part becomes text`() {
        let url = "https://x.example/" + String(repeating: "a", count: 50)
        let tree = TextTree([.paragraph([.link([.text("one")], url: url)]), .paragraph([.strong([.text("two")])])])
        let cut = parts(tree, of: 40)
        #expect(cut.parts.map(\.plainText).joined().filter { !$0.isWhitespace } == "one(\(url))two")
        #expect(cut.parts.last?.blocks.last == .paragraph([.strong([.text("two")])]))
    }

    @Test func `what the parts have no room for is counted`() {
        let cut = parts(TextTree(text: "één twee drie"), atMost: 1, of: 6)
        #expect(cut == TextParts(parts: [TextTree(text: "één")], omittedBytes: 9))
    }

    @Test func `where nothing fits everything is left out`() {
        #expect(parts(TextTree(text: "héllo"), of: 0) == TextParts(parts: [], omittedBytes: 6))
        #expect(parts(TextTree(text: "hello"), atMost: 0, of: 10) == TextParts(parts: [], omittedBytes: 5))
        let deep = (0..<50).reduce(TextBlock.paragraph([.text("x")])) { block, _ in .quote([block]) }
        #expect(texts(TextTree([deep]), of: 20).allSatisfy { $0.utf8.count <= 20 })
    }

    @Test func `a part of blanks alone is not sent`() {
        let blanks = String(repeating: " ", count: 100)
        #expect(texts(TextTree([.code("a\n\(blanks)\nb", language: nil)]), of: 10) == ["a", "  \nb"])
    }

    @Test(.timeLimit(.minutes(10))) func `two hundred kilobytes are cut in time`() {
        let block = TextBlock.paragraph([.text(String(repeating: "word ", count: 20_000))])
        let tree = TextTree([.quote(Array(repeating: block, count: 2))])
        #expect(parts(tree, atMost: 4, of: 400).parts.count == 4)
        #expect(parts(tree, atMost: 8, of: 60_000).omittedBytes == 0)
    }
}
