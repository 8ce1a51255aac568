import AdapterKit
import Testing

@Suite struct NumberedPartsTests {
    private func texts(_ tree: TextTree, atMost count: Int = 3, of limit: Int, url: String? = nil) -> [String] {
        tree.numberedParts(atMost: count, of: limit, url: url) { $0.plainText.utf8.count }.map(\.plainText)
    }

    @Test func `one part has no number`() {
        #expect(texts(TextTree(text: "one two"), of: 7) == ["one two"])
    }

    @Test func `several are numbered`() {
        #expect(texts(TextTree(text: "one two three four"), of: 17) == ["(1/2) one two", "(2/2) three four"])
    }

    @Test func `a number before code stands alone`() {
        let tree = TextTree([.code("one two three four\nfive six seven eight", language: nil)])
        #expect(texts(tree, of: 30) == ["(1/2)\n\none two three four", "(2/2)\n\nfive six seven eight"])
    }

    @Test func `the last says how much was left out, and where it is`() {
        let tree = TextTree(text: String(repeating: "abcd ", count: 1000))
        let texts = texts(tree, of: 60, url: "https://z.example/7")
        #expect(texts.count == 3)
        #expect(texts.allSatisfy { $0.utf8.count <= 60 })
        #expect(texts.last == "(3/3) abcd abcd abcd\n\n… +4.9 kB: https://z.example/7")
    }

    @Test func `one part that had to leave something out says so`() {
        #expect(texts(TextTree(text: "one two three four five"), atMost: 1, of: 22) == ["one two\n\n… +15 B"])
    }

    @Test func `an address that leaves no room is left out`() {
        let url = "https://z.example/" + String(repeating: "a", count: 40)
        #expect(texts(TextTree(text: "one two three four five"), atMost: 1, of: 22, url: url) == ["one two\n\n… +15 B"])
    }
}

@Suite struct PageURLTests {
    @Test(arguments: [
        ("https://z.example/sessions/7?a=b&c#d", "https://z.example/sessions/7?a=b&c#d"),
        ("http://z.example/a b\r\n(\u{202E}\u{0}\"<>)", "http://z.example/a%20b%0D%0A%28%E2%80%AE%00%22%3C%3E%29"),
        ("javascript:alert(1)", nil), ("", nil), ("https://z.example/" + String(repeating: "a", count: 1000), nil),
    ])
    func `an address is sent encoded, or not at all`(url: String, expected: String?) {
        #expect(Message.Subject(type: "session", id: "7", url: url).pageURL == expected)
    }
}
