import AdapterKit

/// `format: alertmanager`: what Prometheus's Alertmanager sends to its webhooks (version 4), for the many programs that
/// take that. A message is a group of one alert.
struct AlertmanagerFormat: WebhookFormat {
    let isStandardWebhook = true

    func requests(_ delivery: Delivery) -> [WebhookRequest] {
        let message = delivery.message
        let status: JSONValue = message.kind == .resolved ? "resolved" : "firing"
        let time = message.time.rfc3339
        let labels = identity(message) + [(name: "severity", value: severity(message.urgency))]
        let values = JSONValue.object(labels.map { ($0.name, .string($0.value)) })
        let annotations = annotations(delivery)
        let alert: JSONValue = [
            "status": status, "labels": values, "annotations": annotations, "startsAt": .string(time),
            // Without an end it is the zero time.
            "endsAt": .string(message.kind == .resolved ? time : "0001-01-01T00:00:00Z"),
            "generatorURL": .string(message.subject?.pageURL ?? ""), "fingerprint": .string(fingerprint(message)),
        ]
        let group = labels.prefix(1)
        let key = group.map { "\($0.name)=\"\($0.value)\"" }.joined()
        let json: JSONValue = [
            "version": "4", "groupKey": "{}:{\(key)}", "truncatedAlerts": 0, "status": status,
            "receiver": .string(message.channel.printableLine),
            "groupLabels": .object(group.map { ($0.name, .string($0.value)) }),
            "commonLabels": values, "commonAnnotations": annotations,
            "externalURL": .string(message.subject?.pageURL ?? ""), "alerts": [alert],
        ]
        return [WebhookRequest(body: json.bytes)]
    }

    /// The labels that are the same from the first message of an alert to its end.
    private func identity(_ message: Message) -> [(name: String, value: String)] {
        var labels = [(name: "alertname", value: message.rule?.printableLine ?? "zimmer-bot")]
        if let subject = message.subject {
            labels += [("subject_type", subject.type.printableLine), ("subject_id", subject.id.printableLine)]
        }
        return labels
    }

    private func severity(_ urgency: Message.Urgency) -> String {
        switch urgency {
        case .low: "info"
        case .normal: "warning"
        case .high: "critical"
        }
    }

    private func annotations(_ delivery: Delivery) -> JSONValue {
        let text = delivery.chatText(hasTitleApart: true).plainText
        let summary = delivery.message.title?.printableLine ?? text.prefix { $0 != "\n" }.description
        return [
            "summary": .string(summary), "description": .string(text), "kind": .string(delivery.message.kind.rawValue),
        ]
    }

    /// 64 bits of the labels that identify the alert.
    private func fingerprint(_ message: Message) -> String {
        let text = identity(message).map { "\($0.name)\u{0}\($0.value)\u{0}" }.joined()
        return SHA256.hash(Array(text.utf8)).prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
