import AdapterKit
import AdapterKitTesting
import Foundation
import Testing

@testable import WebhookAdapter

/// The webhook of these tests: every key that can be a secret is one.
enum Webhook {
    static let url = "https://hooks.example.com:8443/services/T0PS3CRET/path-secret?token=query-secret"
    static let formats = ["json", "slack", "discord", "mattermost", "ntfy", "gotify", "alertmanager"]
    /// Those that people read in a chat.
    static let chats = ["slack", "discord", "mattermost", "ntfy", "gotify"]

    static let values: [String: ConfigurationValue] = [
        "url": .secret(Secret(url)),
        "headers": .headers([HTTPHeader("Authorization", "Bearer header-secret")]),
        "secret": .secret(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
    ]

    static func values(_ format: String) -> [String: ConfigurationValue] {
        var values = values
        values["format"] = .text(format)
        if chats.contains(format) { values["secret"] = nil }
        return values
    }

    static func adapter(
        _ format: String, transport: any AdapterKit.HTTPTransport = SilentTransport(), clock: TestClock = TestClock()
    ) throws -> any Adapter {
        try AdapterContract(kind: WebhookKind(), values: values(format))
            .makeAdapter(transport: transport, clock: clock)
    }

    static func message(
        _ body: TextTree, title: String? = nil, kind: Message.Kind = .firing, urgency: Message.Urgency = .normal,
        url: String? = "https://zimmer.example.com/sessions/7", chart: Chart? = nil
    ) -> Message {
        Message(
            kind: kind, urgency: urgency, channel: "ops", rule: "failed-session",
            subject: Message.Subject(type: "session", id: "7", title: "Fix login", url: url), episode: 1,
            time: WallTime(seconds: 1_791_547_320), title: title, body: body, markdown: body.plainText, chart: chart)
    }

    /// What goes out for a message, as JSON values.
    static func bodies(
        _ format: String, _ message: Message, mentions: [String] = [], mayBeRepeated: Bool = false
    ) throws -> [[String: Any]] {
        let delivery = Delivery(
            id: DeliveryID("dlv_1"), message: message, attempt: 1, mayBeRepeated: mayBeRepeated, mentions: mentions)
        return try adapter(format).render(delivery).map { part in
            let json = try JSONSerialization.jsonObject(with: Data(part.bytes))
            return try #require(json as? [String: Any])
        }
    }
}

extension HTTPRequest {
    /// The value of a header, whatever its case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value.reveal()
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}
