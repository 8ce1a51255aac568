import AdapterKit

/// What a service wants to be sent, and what its answers mean. One type for each word after `format:`.
protocol WebhookFormat: Sendable {
    /// How fast the service takes messages, where it says so.
    var rate: Rate? { get }

    /// Requests carry `webhook-id`, by which a receiver knows what it has, and may be signed.
    var isStandardWebhook: Bool { get }

    var takesPictures: Bool { get }

    /// What to write instead of a name by which nobody can be called; nil for one that calls somebody.
    func advice(onMention name: String) -> String?

    /// One for each part that the message goes in, in order; the same for the same delivery.
    func requests(_ delivery: Delivery) -> [WebhookRequest]

    /// What an answer says that a status does not; nil where the status says it all.
    func outcome(_ response: HTTPResponse) -> WebhookVerdict?

    /// What the service calls the message it took; nil where it does not say.
    func receiptID(_ response: HTTPResponse) -> String?

    /// How long to leave the service alone after an answer that was a success.
    func pause(after response: HTTPResponse) -> Duration?
}

extension WebhookFormat {
    var rate: Rate? { nil }
    var isStandardWebhook: Bool { false }
    var takesPictures: Bool { false }
    func advice(onMention name: String) -> String? { nil }
    func outcome(_ response: HTTPResponse) -> WebhookVerdict? { nil }
    func receiptID(_ response: HTTPResponse) -> String? { nil }
    func pause(after response: HTTPResponse) -> Duration? { nil }
}

/// One request of a message.
struct WebhookRequest: Sendable {
    var method = "POST"
    /// Nil: as configured.
    var url: Secret?
    var contentType = "application/json"
    var body: [UInt8]
    /// The request to make instead where this one edits a message and that is gone (404).
    var replacement: [WebhookRequest] = []
}

/// What the text of an answer says about a delivery.
enum WebhookVerdict: Hashable, Sendable {
    /// It will not go to this channel, nor will others.
    case channelIsWrong
    /// It may pass.
    case mayPass
}
