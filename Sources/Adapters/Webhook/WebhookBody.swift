import AdapterKit

/// The JSON that `format: json` sends. Names and order are part of the contract with receivers.
enum WebhookBody {
    static func json(_ delivery: Delivery) -> [UInt8] {
        let message = delivery.message
        var json = JSONWriter()
        json.object { json in
            json.member("id", delivery.id.text)
            json.member("time", message.time.rfc3339)
            json.member("channel", message.channel)
            json.member("rule", message.rule)
            json.member("kind", message.kind.rawValue)
            json.member("urgency", message.urgency.rawValue)
            subject(message.subject, &json)
            json.member("episode", message.episode)
            json.member("title", message.title)
            json.member("text", message.body.plainText)
            json.member("markdown", message.markdown)
        }
        return json.bytes
    }

    private static func subject(_ subject: Message.Subject?, _ json: inout JSONWriter) {
        guard let subject else { return json.member("subject", String?.none) }
        json.objectMember("subject") { json in
            json.member("type", subject.type)
            json.member("id", subject.id)
            json.member("title", subject.title)
            json.member("url", subject.url)
        }
    }
}
