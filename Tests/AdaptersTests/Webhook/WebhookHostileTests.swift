import AdapterKit
import AdapterKitTesting
import Foundation
import Testing

@testable import WebhookAdapter

/// Text that others wrote, through every format: it is text there too, and nobody is called.
@Suite struct WebhookHostileTests {
    private func message(_ text: String) -> Message { AdapterContract.hostileMessage(text) }

    @Test(arguments: Webhook.formats, AdapterContract.hostileTexts)
    func `it is JSON with nothing in it that steers a display`(format: String, text: String) throws {
        let bodies = try Webhook.bodies(format, message(text))
        #expect((1...3).contains(bodies.count))
        // `json` passes on what it gets, for programs; there the encoding is all there is to break.
        if format == "json" { return }
        let shown = bodies.flatMap(strings).joined()
        let steering = shown.unicodeScalars.filter { scalar in
            let isControl = scalar.properties.generalCategory == .control && scalar != "\n"
            return isControl || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
        #expect(steering.isEmpty)
    }

    @Test(arguments: AdapterContract.hostileTexts)
    func `discord calls nobody`(text: String) throws {
        for body in try Webhook.bodies("discord", message(text)) {
            let allowed = try #require(body["allowed_mentions"] as? [String: [String]])
            #expect(allowed == ["parse": [], "users": [], "roles": []])
            let content = try #require(body["content"] as? String)
            #expect(content.utf16.count <= 2000)
        }
    }

    @Test(arguments: AdapterContract.hostileTexts)
    func `slack's text has none of its special characters, and its blocks no mention`(text: String) throws {
        for body in try Webhook.bodies("slack", message(text)) {
            let fallback = try #require(body["text"] as? String)
            #expect(!fallback.contains("<") && !fallback.contains(">"))
            let types = elementTypes(body["blocks"] as Any)
            #expect(
                types.isSubset(of: [
                    "rich_text", "rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted",
                    "text", "link", "divider",
                ]))
            let blocks = try JSONSerialization.data(withJSONObject: body["blocks"] as Any)
            #expect(blocks.count < 13_000)
        }
    }

    @Test(arguments: ["@channel", "x @all", "(@here)", "<!channel>", "<!here|x>", "<@U12345678>"])
    func `mattermost calls nobody`(text: String) throws {
        let body = try #require(try Webhook.bodies("mattermost", Webhook.message(TextTree(text: text))).first)
        let shown = try #require(body["text"] as? String)
        #expect(!shown.contains("<!") && !shown.contains("<@"))
        #expect(!shown.contains { $0 == "@" } || shown.contains("@\u{200B}"))
    }

    @Test func `a mail address in a text can still be copied`() throws {
        let body = try Webhook.bodies("mattermost", Webhook.message(TextTree(text: "ask bob@example.com")))
        #expect(body.first?["text"] as? String == "ask bob@example.com")
    }

    @Test(arguments: [
        ("1. a", #"1\. a"#), ("12) a", #"12\) a"#), ("# a", "\\# a"), ("- a", #"\- a"#), ("+ a", #"\+ a"#),
        ("=== ", "\u{200B}=== "), ("    code", "code"), ("a_b*c", #"a\_b\*c"#), ("[x](y)", #"\[x\](y)"#),
        ("3.5", #"3\.5"#),
    ])
    func `what looks like Markdown is text`(text: String, expected: String) throws {
        let body = try Webhook.bodies("discord", Webhook.message(TextTree(text: text)))
        #expect(body.first?["content"] as? String == expected)
    }

    @Test(arguments: [
        ("a```b", "```\na`\u{200B}`\u{200B}`b\n```"), ("~~~", "```\n~~~\n```"),
    ])
    func `code cannot end itself`(code: String, expected: String) throws {
        let message = Webhook.message(TextTree([.code(code, language: nil)]))
        #expect(try Webhook.bodies("mattermost", message).first?["text"] as? String == expected)
    }

    @Test(arguments: [("a`b", "`` a`b ``"), ("``", "`` `\u{200B}` ``"), ("a", "`a`")])
    func `inline code cannot end itself`(code: String, expected: String) throws {
        let message = Webhook.message(TextTree([.paragraph([.code(code)])]))
        #expect(try Webhook.bodies("discord", message).first?["content"] as? String == expected)
    }

    @Test func `a link's address cannot end it`() throws {
        let link = TextInline.link([.text("a](b")], url: "https://x.example/) <@1>\n\"")
        let body = try Webhook.bodies("discord", Webhook.message(TextTree([.paragraph([link])])))
        #expect(body.first?["content"] as? String == #"[a\](b](https://x.example/%29%20%3C@1%3E%0A%22)"#)
    }

    /// Every text in a JSON value.
    private func strings(_ value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let array as [Any]: array.flatMap(strings)
        case let object as [String: Any]: object.values.flatMap(strings)
        default: []
        }
    }

    private func elementTypes(_ value: Any) -> Set<String> {
        switch value {
        case let array as [Any]: array.reduce(into: []) { $0.formUnion(elementTypes($1)) }
        case let object as [String: Any]:
            object.values.reduce(into: Set([object["type"] as? String].compactMap(\.self))) {
                $0.formUnion(elementTypes($1))
            }
        default: []
        }
    }
}
