import AdapterKit
import AdapterKitTesting
import Foundation
import Testing

@testable import IRCAdapter

@Suite struct IRCTextTests {
    private func message(_ blocks: [TextBlock], title: String? = nil, kind: Message.Kind = .firing) -> Message {
        var message = AdapterContract.message
        (message.title, message.body, message.kind) = (title, TextTree(blocks), kind)
        return message
    }

    private func lines(_ message: Message, limit: Int = 400, prefix: String = "", suffix: String = "") -> [[Span]] {
        LineLayout(limit: limit, url: message.subject?.url, prefix: prefix, suffix: suffix)
            .lines(MessageLines(message))
    }

    private func plain(_ blocks: [TextBlock], limit: Int = 400) -> [String] {
        lines(message(blocks), limit: limit).map(\.plain)
    }

    private func text(_ text: String) -> TextBlock { .paragraph([.text(text)]) }

    @Test func `paragraphs, items and code are lines of their own`() {
        #expect(plain([text("One"), .list(start: nil, items: [[text("a")], [text("b")]])]) == ["One", "- a", "- b"])
        #expect(plain([.list(start: 9, items: [[text("a")], [text("b")]])]) == ["9. a", "10. b"])
        #expect(
            plain([.list(start: nil, items: [[text("a"), .list(start: nil, items: [[text("b")]])]])]) == [
                "- a", "  - b",
            ])
        #expect(plain([.code("let x\n\n  = 1", language: "swift")]) == ["let x", "  = 1"])
        #expect(plain([.quote([text("said")]), .divider, text("so")]) == ["> said", "so"])
        #expect(plain([.paragraph([.text("a"), .lineBreak, .text("b")])]) == ["a", "b"])
        #expect(plain([]) == [])
    }

    @Test func `a link shows where it leads`() {
        let url = "https://zimmer.example.com/1"
        #expect(plain([.paragraph([.link([.text("Fix")], url: url)])]) == ["Fix (\(url))"])
        #expect(plain([.paragraph([.link([.text(url)], url: url)])]) == [url])
    }

    @Test func `the title comes first and bold, and colours say how it stands`() {
        let high: Message = {
            var message = message([text("body")], title: "Failed")
            message.urgency = .high
            return message
        }()
        #expect(lines(message([text("body")], title: "Failed")).map(\.formatted) == ["\u{02}Failed", "body"])
        #expect(lines(high).map(\.formatted) == ["\u{02}\u{03}04Failed", "body"])
        let resolved = message(
            [.paragraph([.text("now "), .strong([.text("1 up")]), .text(" again")])], kind: .resolved)
        #expect(lines(resolved).map(\.formatted) == ["now \u{02}\u{03}031 up\u{0F} again"])
    }

    @Test func `a colour cannot swallow what follows it`() {
        let line = [Span("a "), Span(",5 b", [.bold, .red])]
        #expect(line.formatted == "a \u{02}\u{03}04\u{02}\u{02},5 b")
        #expect(line.formatted.withoutFormatting == "a ,5 b")
    }

    @Test(arguments: [
        ("\u{03}04,01red\u{03} \u{02}bold\u{0F}", "red bold"), ("\u{03}4,x", ",x"), ("\u{04}ff0000hex", "hex"),
        ("\u{03}123", "3"), ("a\r\nQUIT :b", "a QUIT :b"), ("a\0b", "ab"), ("\u{01}ACTION x\u{01}", "ACTION x"),
        ("\u{202E}evil\u{2066}", "evil"), ("\u{1D}\u{1E}\u{1F}\u{11}\u{16}x", "x"), ("é👩‍👩‍👧‍👦", "é👩‍👩‍👧‍👦"),
    ])
    func `formatting and control characters of others are taken out`(hostile: String, expected: String) {
        #expect(hostile.withoutFormatting == expected)
        #expect(plain([text(hostile)]) == [expected])
    }

    @Test func `more lines than are polite go behind one another`() {
        let items = (1...6).map { [text("item \($0)")] }
        #expect(
            plain([text("Six:"), .list(start: nil, items: items)]) == [
                "Six: | - item 1 | - item 2 | - item 3 | - item 4 | - item 5 | - item 6"
            ])
    }

    @Test func `long text is broken between words and says what is missing`() {
        let words = (1...200).map { "word\($0)" }.joined(separator: " ")
        let lines = plain([text(words)], limit: 120)
        #expect(lines.count == LineLayout.mostLines)
        #expect(lines.allSatisfy { $0.utf8.count <= 120 })
        let url = "https://zimmer.example.com/sessions/7"
        #expect(lines.last?.hasSuffix(": \(url)") == true)
        let shown = lines.joined(separator: " ").components(separatedBy: " … +")
        #expect(words.hasPrefix(shown[0]))
        #expect(shown[0].hasSuffix(shown[0].split(separator: " ").last.map { "word" + $0.dropFirst(4) } ?? "-"))
    }

    @Test func `code that does not fit is left to the link`() {
        let code = (1...30).map { "line \($0)" }.joined(separator: "\n")
        let url = "https://zimmer.example.com/sessions/7"
        #expect(
            plain([text("It failed:"), .code(code, language: nil)]) == [
                "It failed: … +\(code.utf8.count - 29) B: \(url)"
            ])
        // Nothing else to show: then as much of it as there is room for.
        #expect(plain([.code(code, language: nil)]).joined().hasPrefix("line 1 | line 2"))
    }

    @Test(arguments: [64, 65, 66, 67, 100, 399, 400])
    func `no line is longer than its limit, and no character is cut`(limit: Int) {
        let texts = [
            String(repeating: "x", count: 5000), String(repeating: "é", count: 400),
            String(repeating: "👩‍👩‍👧‍👦", count: 300), "e" + String(repeating: "\u{301}", count: 5000),
            String(repeating: " ", count: 5000) + "end", String(repeating: "ab ", count: 2000),
        ]
        for one in texts {
            let blocks: [TextBlock] = [
                .heading(level: 1, [.text("t")]), .paragraph([.text("a"), .strong([.text(one)]), .code("z")]),
            ]
            let lines = lines(message(blocks, title: one), limit: limit, prefix: "alice: ", suffix: Draft.repetition)
            #expect((1...4).contains(lines.count))
            for line in lines {
                #expect(line.formatted.utf8.count <= limit)
                #expect(!line.plain.isEmpty)
            }
            let families = lines.map(\.plain).joined().filter { $0.unicodeScalars.first == "👩" }
            #expect(families.allSatisfy { $0 == "👩‍👩‍👧‍👦" })
            #expect(lines.last?.plain.hasSuffix(Draft.repetition) == true)
            #expect(lines.first?.plain.hasPrefix("alice: ") == true)
        }
    }

    @Test func `nothing is lost where it fits`() {
        let words = (1...60).map { "w\($0)" }.joined(separator: " ")
        #expect(plain([text(words)], limit: 100).joined(separator: " ") == words)
    }

    @Test func `a chart is a line of bars`() {
        var message = message([text("Costs")])
        message.chart = Chart(title: "Per day", points: [.init(label: "Mon", value: 1), .init(label: "Tue", value: 4)])
        #expect(lines(message).map(\.plain) == ["Costs", "Per day: Mon ▂█ Tue, at most $4.00"])
    }
}
