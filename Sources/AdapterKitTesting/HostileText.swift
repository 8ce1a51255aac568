public import AdapterKit
public import Testing

extension AdapterContract {
    /// What strangers may write where a message shows their words: each tries to be more than text somewhere.
    public static let hostileTexts = [
        "a\r\nBcc: eve@evil.example\r\nX-Evil: 1\r\n\r\nb", "a\rJOIN #evil", "a\u{0}b\u{7F}\u{85}c", "\n.\n",
        "@everyone @here @channel @all @room", "<!channel> <!here|x> <@U12345678> <@123456789012345678>",
        "<script>alert(1)</script>&amp;", "\"><img src=https://evil.example/x>", "<https://evil.example|bank>",
        "\u{3}04red\u{2}bold\u{F}", "\u{1B}[31m", "\u{202E}abc\u{2066}def", "=?UTF-8?B?QmNjOiBldmU=?=",
        "**a** _b_ ~~c~~ `d` [e](https://evil.example)", "# heading", "1. item", "- item", "> quote", "===",
        "```\nfence\n```", "```", "`", "\\*", "||spoiler||", "\"}],\"text\":\"x", "", " ", "é\u{2028}ü",
        String(repeating: "long ", count: 1000), String(repeating: "x", count: 5000),
        String(repeating: "👨‍👩‍👧‍👦", count: 1000), "a" + String(repeating: "\u{301}", count: 5000),
    ]

    /// A message with the text wherever a message can have one.
    public static func hostileMessage(_ text: String) -> Message {
        Message(
            kind: .firing, urgency: .high, channel: "contract", rule: "failed-session",
            subject: Message.Subject(type: "session", id: text, title: text, url: "https://zimmer.example.com/\(text)"),
            episode: 1, time: message.time, title: text,
            body: TextTree([
                .heading(level: 2, [.text(text)]),
                .paragraph([
                    .text(text), .strong([.text(text)]), .link([.text(text)], url: "https://x.example/\(text)"),
                ]),
                .list(start: .max, items: [[.paragraph([.text(text)])], [.code(text, language: text)]]),
                .quote([.paragraph([.code(text), .lineBreak, .emphasis([.text(text)])])]),
            ]), markdown: "text",
            chart: Chart(
                title: text, points: [Chart.Point(label: text, value: .nan), Chart.Point(label: text, value: 1)])
        )
    }

    /// A message made of hostile text can be sent, the same way each time, and no secret goes where the message goes.
    public func checkRender(of text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let adapter = try makeAdapter(transport: SilentTransport())
        let picture = Picture(bytes: [1, 2, 3], mediaType: text, width: 1, height: 1, description: text)
        var delivery = Delivery(
            id: DeliveryID("dlv_contract1"), message: Self.hostileMessage(text), attempt: 1,
            thread: Delivery.Thread(root: Receipt(id: text), latest: Receipt(ids: [])), mentions: [text],
            picture: adapter.takesPictures ? picture : nil)
        let parts = adapter.render(delivery)
        #expect(!parts.isEmpty, sourceLocation: sourceLocation)
        delivery.attempt = 2
        #expect(adapter.render(delivery) == parts, sourceLocation: sourceLocation)
        let shown = parts.map { $0.label + String(decoding: $0.bytes, as: UTF8.self) }.joined()
        for secret in secrets where shown.contains(secret) {
            Issue.record("'\(secret)' is sent with the message", sourceLocation: sourceLocation)
        }
    }
}
