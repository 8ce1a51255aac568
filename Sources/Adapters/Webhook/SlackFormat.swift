import AdapterKit

/// `format: slack`: an incoming webhook of Slack, the text as blocks, in which no text can be markup or a mention.
struct SlackFormat: WebhookFormat {
    let rate: Rate? = Rate(burst: 1, per: .seconds(1))

    /// Of the blocks as they are sent, in bytes: Slack refuses about 13,000 characters, and more than 50 blocks.
    private static let limit = 12_000
    private static let maximumBlocks = 50

    func advice(onMention name: String) -> String? {
        guard case .object(let members) = mention(name), members.contains(where: { $0.name == "text" }) else {
            return nil
        }
        return "an id (U…, W…, S…), here, channel or everyone"
    }

    func requests(_ delivery: Delivery) -> [WebhookRequest] {
        let mentions = delivery.mentions.prefix(20).map(mention)
        let reserved = JSONValue.array(mentions).bytes.count + 100
        let parts = delivery.chatText().numberedParts(
            atMost: 3, of: Self.limit - reserved, url: delivery.message.subject?.pageURL
        ) { part in
            let blocks = SlackBlocks(part).blocks
            return max(JSONValue.array(blocks).bytes.count, blocks.count * Self.limit / Self.maximumBlocks)
        }
        return parts.enumerated().map { index, part in
            let blocks = SlackBlocks(part, mentions: index == 0 ? mentions : []).blocks
            let json: JSONValue = [
                // For notifications and readers without blocks.
                "text": .string(part.plainText.escapedForSlack), "blocks": .array(blocks), "unfurl_links": false,
                "unfurl_media": false,
            ]
            return WebhookRequest(body: json.bytes)
        }
    }

    /// `U…` and `W…` are people, `S…` groups; `here`, `channel` and `everyone` are who is there.
    private func mention(_ name: String) -> JSONValue {
        if ["here", "channel", "everyone"].contains(name) { return ["type": "broadcast", "range": .string(name)] }
        let isID = name.utf8.count >= 9 && name.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
        switch name.first {
        case "U" where isID, "W" where isID: return ["type": "user", "user_id": .string(name)]
        case "S" where isID: return ["type": "usergroup", "usergroup_id": .string(name)]
        default: return ["type": "text", "text": .string("@" + name.printableLine.clipped(toBytes: 60))]
        }
    }

    func outcome(_ response: HTTPResponse) -> WebhookVerdict? {
        guard response.status >= 400 else { return nil }
        switch String(decoding: response.body.prefix(100), as: UTF8.self).split(whereSeparator: \.isWhitespace).first {
        case "channel_not_found", "channel_is_archived", "no_service", "no_service_id", "no_team", "team_disabled",
            "invalid_token", "no_active_hooks", "action_prohibited", "posting_to_general_channel_denied":
            return .channelIsWrong
        case "rollup_error": return .mayPass
        default: return nil
        }
    }
}

extension String {
    /// The three characters that begin anything in Slack's text.
    var escapedForSlack: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
