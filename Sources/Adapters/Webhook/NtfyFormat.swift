import AdapterKit
import Foundation

/// `format: ntfy`: a topic of an ntfy server. The message goes as JSON to the server itself, since a title in a header
/// would have to be ASCII.
struct NtfyFormat: WebhookFormat {
    let rate: Rate? = Rate(burst: 30, per: .seconds(5))

    private let server: Secret
    private let topic: String

    /// In bytes. More becomes an attachment.
    private static let limit = 4096

    /// Nil where the URL has no topic: `https://ntfy.sh/TOPIC`, a query may follow.
    init?(url: Secret) {
        let parts = url.reveal().split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard
            let slash = parts[0].lastIndex(of: "/"),
            HTTPAddress(Secret(String(parts[0][...slash]))) != nil
        else { return nil }
        topic = String(parts[0][parts[0].index(after: slash)...])
        let isTopic =
            (1...64).contains(topic.utf8.count)
            && topic.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
                    || byte == 95
            }
        guard isTopic else { return nil }
        server = Secret(String(parts[0][...slash]) + (parts.count > 1 ? "?\(parts[1])" : ""))
    }

    func requests(_ delivery: Delivery) -> [WebhookRequest] {
        let message = delivery.message
        let parts = delivery.chatText(hasTitleApart: true).numberedParts(
            atMost: 3, of: Self.limit, url: message.subject?.pageURL
        ) { $0.plainText.utf8.count }
        return parts.map { part in
            var members: [(name: String, value: JSONValue)] = [
                ("topic", .string(topic)), ("message", .string(part.plainText)),
                ("priority", .integer(Self.priority(message.urgency))),
            ]
            if let title = message.title?.printableLine.clipped(to: 200), !title.isEmpty {
                members.append(("title", .string(title)))
            }
            if let url = message.subject?.pageURL { members.append(("click", .string(url))) }
            return WebhookRequest(url: server, body: JSONValue.object(members).bytes)
        }
    }

    private static func priority(_ urgency: Message.Urgency) -> Int {
        switch urgency {
        case .low: 2
        case .normal: 3
        case .high: 5
        }
    }

    func receiptID(_ response: HTTPResponse) -> String? {
        struct Answer: Decodable { var id: String }
        let id = try? JSONDecoder().decode(Answer.self, from: Data(response.body)).id
        return id.flatMap { (1...64).contains($0.utf8.count) && $0.printableLine == $0 ? $0 : nil }
    }
}
