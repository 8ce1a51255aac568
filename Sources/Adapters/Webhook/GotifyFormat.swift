import AdapterKit
import Foundation

/// `format: gotify`: an application of a Gotify server, `https://HOST/message?token=…`.
struct GotifyFormat: WebhookFormat {
    /// In bytes. Gotify has no limit of its own; phones do.
    private static let limit = 16_000

    func requests(_ delivery: Delivery) -> [WebhookRequest] {
        let message = delivery.message
        let parts = delivery.chatText(hasTitleApart: true).numberedParts(
            atMost: 3, of: Self.limit, url: message.subject?.pageURL
        ) { $0.plainText.utf8.count }
        var extras: [(name: String, value: JSONValue)] = [("client::display", ["contentType": "text/plain"])]
        if let url = message.subject?.pageURL {
            extras.append(("client::notification", ["click": ["url": .string(url)]]))
        }
        // Without a title it shows the application's name.
        let title = message.title?.printableLine.clipped(to: 200) ?? ""
        return parts.map { part in
            let json: JSONValue = [
                "title": .string(title), "message": .string(part.plainText),
                "priority": .integer(Self.priority(message.urgency)), "extras": .object(extras),
            ]
            return WebhookRequest(body: json.bytes)
        }
    }

    private static func priority(_ urgency: Message.Urgency) -> Int {
        switch urgency {
        case .low: 2
        case .normal: 5
        case .high: 8
        }
    }

    func receiptID(_ response: HTTPResponse) -> String? {
        struct Answer: Decodable { var id: Int64 }
        return (try? JSONDecoder().decode(Answer.self, from: Data(response.body)).id).map { String($0) }
    }
}
