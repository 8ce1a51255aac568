import AdapterKit

/// `format: mattermost`: an incoming webhook of Mattermost.
struct MattermostFormat: WebhookFormat {
    private let markdown = MarkdownText(escaped: "\\*_~`>|[]", guarding: MattermostFormat.withoutMentions)

    /// Characters as Mattermost counts them, code points.
    private static let limit = 16_383

    func advice(onMention name: String) -> String? {
        Self.isName(name) ? nil : "a user's name without '@', all, channel or here"
    }

    func requests(_ delivery: Delivery) -> [WebhookRequest] {
        let prefix = delivery.mentions.prefix(20).map(mention).joined(separator: " ")
        let parts = delivery.chatText().numberedParts(
            atMost: 3, of: Self.limit - prefix.unicodeScalars.count - 1, url: delivery.message.subject?.pageURL
        ) { markdown.text($0).unicodeScalars.count }
        return parts.enumerated().map { index, part in
            let text = markdown.text(part)
            let json: JSONValue = ["text": .string(index == 0 && !prefix.isEmpty ? "\(prefix)\n\(text)" : text)]
            return WebhookRequest(body: json.bytes)
        }
    }

    /// A name as Mattermost has them: `all`, `here` and `channel` among them.
    private func mention(_ name: String) -> String {
        Self.isName(name) ? "@\(name)" : Self.withoutMentions("@\(name.printableLine.clipped(toBytes: 60))")
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (97...122).contains(byte) || Array("._-".utf8).contains(byte)
            }
    }

    /// Mattermost calls whoever is named behind an `@`, and reads Slack's `<!channel>` too, before it reads the Markdown
    /// in which a backslash would help: something invisible behind both characters ends it.
    @Sendable private static func withoutMentions(_ text: String) -> String {
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            result.unicodeScalars.append(scalar)
            // Inside a word, as in a mail address, it calls nobody.
            let isInWord = previous?.properties.isAlphabetic == true || previous?.properties.numericType != nil
            if scalar == "<" || (scalar == "@" && !isInWord) { result += "\u{200B}" }
            previous = scalar
        }
        return result
    }

    func outcome(_ response: HTTPResponse) -> WebhookVerdict? {
        guard (400...499).contains(response.status), ![408, 425, 429].contains(response.status) else { return nil }
        let text = String(decoding: response.body.prefix(1000), as: UTF8.self)
        let reasons = ["invalid", "disabled", "channel", "channel_locked", "permissions", "team", "user"]
        return reasons.contains { text.contains("web.incoming_webhook.\($0).") } ? .channelIsWrong : nil
    }
}
