import AdapterKit
import Foundation

/// `format: discord`: a channel's webhook. Messages have ids, so they can be edited.
struct DiscordFormat: WebhookFormat {
    let rate: Rate? = Rate(burst: 5, per: .seconds(2))
    let takesPictures = true

    private let url: Secret
    private let markdown = MarkdownText(escaped: "\\*_~`>|[]<") { $0 }

    /// In UTF-16 units, which is the most that any way to count the 2,000 comes to.
    private static let limit = 2000
    /// Links show no preview.
    private static let suppressEmbeds = 4

    init(url: Secret) {
        self.url = url
    }

    func advice(onMention name: String) -> String? {
        guard case .text = Mention(name) else { return nil }
        return "a user's id, role:ID, everyone or here"
    }

    func requests(_ delivery: Delivery) -> [WebhookRequest] {
        var delivery = delivery
        // An edit leaves the pictures of a message as they are.
        if delivery.replaces != nil { delivery.picture = nil }
        let mentions = delivery.mentions.prefix(20).map(Mention.init)
        let prefix = mentions.map(\.text).joined(separator: " ")
        let parts = delivery.chatText(hasPicture: delivery.picture != nil).numberedParts(
            atMost: 3, of: Self.limit - prefix.utf16.count - 1, url: delivery.message.subject?.pageURL
        ) { markdown.text($0).utf16.count }
        var contents = parts.map(markdown.text)
        if !prefix.isEmpty, !contents.isEmpty { contents[0] = prefix + "\n" + contents[0] }
        let posts = contents.enumerated().map { index, content in
            post(content, mentions: index == 0 ? mentions : [], delivery, isLast: index == contents.count - 1)
        }
        return delivery.replaces.map { edits(contents, of: $0.ids, posts) } ?? posts
    }

    private func post(
        _ content: String, mentions: [Mention], _ delivery: Delivery, isLast: Bool
    ) -> WebhookRequest {
        let json: JSONValue = [
            "content": .string(content), "allowed_mentions": Mention.allowed(mentions),
            "flags": .integer(Self.suppressEmbeds),
        ]
        let url = withQuery("wait=true")
        guard let picture = delivery.picture, isLast else {
            return WebhookRequest(url: url, body: json.bytes)
        }
        let form = MultipartForm(boundary: delivery.id.text, json: json.bytes, picture: picture)
        return WebhookRequest(url: url, contentType: form.contentType, body: form.bytes)
    }

    /// What is longer than before is added; what is shorter leaves a dash, since a webhook's message cannot be empty.
    private func edits(_ contents: [String], of ids: [String], _ posts: [WebhookRequest]) -> [WebhookRequest] {
        let ids = ids.filter(Self.isSnowflake)
        let edited = ids.enumerated().map { index, id in
            let json: JSONValue = [
                "content": .string(index < contents.count ? contents[index] : "—"),
                "allowed_mentions": Mention.allowed([]),
            ]
            return WebhookRequest(
                method: "PATCH", url: message(id), body: json.bytes,
                replacement: index < posts.count ? [posts[index]] : [])
        }
        return edited + posts.dropFirst(ids.count)
    }

    func receiptID(_ response: HTTPResponse) -> String? {
        struct Answer: Decodable { var id: String }
        let id = try? JSONDecoder().decode(Answer.self, from: Data(response.body)).id
        return id.flatMap { Self.isSnowflake($0) ? $0 : nil }
    }

    func pause(after response: HTTPResponse) -> Duration? {
        guard
            response.headers["x-ratelimit-remaining"] == "0",
            let seconds = response.headers["x-ratelimit-reset-after"].flatMap(Double.init), (0...60).contains(seconds)
        else { return nil }
        return .milliseconds(Int64(seconds * 1000))
    }

    private static func isSnowflake(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
    }

    /// The webhook's address keeps its own query, `thread_id` for example.
    private func withQuery(_ query: String) -> Secret {
        let (path, own) = parts
        return Secret(path + "?" + (own.isEmpty ? query : "\(own)&\(query)"))
    }

    private func message(_ id: String) -> Secret {
        let (path, own) = parts
        return Secret("\(path)/messages/\(id)" + (own.isEmpty ? "" : "?\(own)"))
    }

    private var parts: (path: String, query: String) {
        let parts = url.reveal().split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].hasSuffix("/") ? parts[0].dropLast() : parts[0]
        return (String(path), parts.count > 1 ? String(parts[1]) : "")
    }
}

extension DiscordFormat {
    /// Who may be called: a person's id, `role:ID`, `everyone` or `here`.
    private enum Mention {
        case user(String)
        case role(String)
        case everyone(String)
        case text(String)

        init(_ name: String) {
            let role = name.hasPrefix("role:") ? String(name.dropFirst("role:".count)) : nil
            if name == "everyone" || name == "here" {
                self = .everyone(name)
            } else if let role, DiscordFormat.isSnowflake(role) {
                self = .role(role)
            } else {
                self = DiscordFormat.isSnowflake(name) ? .user(name) : .text(name.printableLine.clipped(toBytes: 60))
            }
        }

        var text: String {
            switch self {
            case .user(let id): "<@\(id)>"
            case .role(let id): "<@&\(id)>"
            case .everyone(let name): "@\(name)"
            case .text(let name): "@\(name)"
            }
        }

        /// Nobody but these, whatever the text says.
        static func allowed(_ mentions: [Mention]) -> JSONValue {
            var (parse, users, roles): ([JSONValue], [JSONValue], [JSONValue]) = ([], [], [])
            for mention in mentions {
                switch mention {
                case .user(let id): users.append(.string(id))
                case .role(let id): roles.append(.string(id))
                case .everyone: parse = ["everyone"]
                case .text: break
                }
            }
            return ["parse": .array(parse), "users": .array(users), "roles": .array(roles)]
        }
    }
}

/// A message and a picture in one body (RFC 7578).
private struct MultipartForm {
    let contentType: String
    let bytes: [UInt8]

    init(boundary: String, json: [UInt8], picture: Picture) {
        contentType = "multipart/form-data; boundary=\(boundary)"
        func part(_ name: String, _ type: String, _ content: [UInt8]) -> [UInt8] {
            let head = "--\(boundary)\r\nContent-Disposition: form-data; \(name)\r\nContent-Type: \(type)\r\n\r\n"
            return Array(head.utf8) + content + Array("\r\n".utf8)
        }
        bytes =
            part("name=\"payload_json\"", "application/json", json)
            + part("name=\"files[0]\"; filename=\"chart.png\"", picture.mediaType, picture.bytes)
            + Array("--\(boundary)--\r\n".utf8)
    }
}
