import AdapterKit
import Testing

@Suite struct PrintableTextTests {
    @Test(arguments: [
        ("plain é 😀", "plain é 😀"),
        ("a\r\n\n\u{2028}\u{85}b", "a b"),
        ("a\tb", "a b"),
        ("\u{1B}[31mred\u{7F}\u{9B}\u{0}", "[31mred"),
        ("\u{202A}a\u{202E}b\u{2066}c\u{2069}d\u{200E}", "abcd\u{200E}"),
    ])
    func `a line keeps its text only`(text: String, line: String) {
        #expect(text.printableLine.utf8.elementsEqual(line.utf8))
    }

    @Test func `a text keeps its lines`() {
        #expect("a\r\nb\rc\n\nd\u{1B}\u{2029}e".printableText == "a\nb\nc\n\nd\ne")
    }

    @Test(arguments: [("hello", 5, "hello"), ("hello", 4, "hell…"), ("ééé", 3, "ééé"), ("🇩🇪🇫🇷🇩🇪", 2, "🇩🇪🇫🇷…"), ("", 0, "")])
    func `text is cut between characters`(text: String, count: Int, clipped: String) {
        #expect(text.clipped(to: count) == clipped)
    }

    @Test func `one endless character is cut too`() {
        let endless = "a" + String(repeating: "\u{301}", count: 100_000)
        let clipped = (endless + "b").clipped(to: 10)
        #expect(clipped.utf8.count <= 320)
        #expect(clipped.hasSuffix("…"))
    }

    @Test(arguments: 3...12)
    func `a cut by bytes never splits a code point`(count: Int) {
        let clipped = "aé😀é😀é".clipped(toBytes: count)
        #expect(clipped.utf8.count <= count)
        #expect(!clipped.unicodeScalars.contains("\u{FFFD}"))
    }
}
