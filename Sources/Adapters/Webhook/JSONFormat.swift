import AdapterKit

/// `format: json`: the message as it is. Names and order are part of the contract with receivers.
struct JSONFormat: WebhookFormat {
    let isStandardWebhook = true
    var method = "POST"

    func requests(_ delivery: Delivery) -> [WebhookRequest] {
        let message = delivery.message
        let json: JSONValue = [
            "id": .string(delivery.id.text),
            "time": .string(message.time.rfc3339),
            "channel": .string(message.channel),
            "rule": JSONValue(message.rule),
            "kind": .string(message.kind.rawValue),
            "urgency": .string(message.urgency.rawValue),
            "subject": message.subject.map(subject) ?? .null,
            "episode": JSONValue(message.episode),
            "title": JSONValue(message.title),
            "text": .string(withChart(message.body.plainText, message.chart?.sparkline)),
            "markdown": .string(withChart(message.markdown, message.chart.map(markdown))),
        ]
        return [WebhookRequest(method: method, body: json.bytes)]
    }

    private func subject(_ subject: Message.Subject) -> JSONValue {
        [
            "type": .string(subject.type), "id": .string(subject.id), "title": JSONValue(subject.title),
            "url": JSONValue(subject.url),
        ]
    }

    /// As code, so that nothing in it is markup.
    private func markdown(_ chart: Chart) -> String {
        "```\n\(chart.sparkline.replacing("`", with: "'"))\n```"
    }

    private func withChart(_ text: String, _ chart: String?) -> String {
        [text, chart].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}
