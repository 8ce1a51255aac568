import AdapterKit
import AdapterKitTesting
import Foundation
import Testing

@Suite struct MessageTests {
    @Test func `a message is read back as it was stored`() throws {
        var message = AdapterContract.message
        message.kind = .repeat
        message.urgency = .high
        message.title = "é\u{301} \u{2028} 😀"
        message.body = TextTree([
            .heading(level: 2, [.emphasis([.strong([.strikethrough([.text("a")])])])]),
            .list(start: nil, items: [[.quote([.code("x", language: nil)])], []]), .list(start: 7, items: []), .divider,
            .paragraph([.link([.code("b"), .lineBreak], url: "https://example.com")]), .code("y", language: "swift"),
        ])
        let stored = try JSONEncoder().encode(message)
        #expect(try JSONDecoder().decode(Message.self, from: stored) == message)
    }

    @Test func `plain text of a nested list and quote keeps its shape`() {
        let tree = TextTree([
            .list(
                start: .max,
                items: [
                    [
                        .paragraph([.text("a"), .lineBreak, .text("b")]),
                        .list(start: nil, items: [[.paragraph([.text("c")])]]),
                    ],
                    [.quote([.paragraph([.text("d")]), .paragraph([.text("e")])])],
                ])
        ])
        #expect(
            tree.plainText == """
                9223372036854775807. a
                                     b
                                     - c
                -9223372036854775808. > d
                                      >\u{20}
                                      > e
                """)
    }
}
