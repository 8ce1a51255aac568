package import AdapterKit

/// `adapter: webhook`: one HTTP request per message.
package struct WebhookKind: AdapterKind {
    package let name = "webhook"
    package let schema = ConfigurationSchema([
        ConfigurationKey("url", .secret, required: true, "Where messages are sent; often a credential by itself."),
        ConfigurationKey(
            "format", .choice(["json", "slack", "discord", "mattermost", "ntfy", "gotify", "alertmanager"]),
            default: .text("json"), "What the other side understands."),
        ConfigurationKey("headers", .headers(reserved: ownHeaders), "Headers to add to every request."),
        ConfigurationKey(
            "secret", .secret,
            "Signs every request (Standard Webhooks): `whsec_` and the key in base64; several, with blanks between, all sign."
        ),
        ConfigurationKey(
            "method", .choice(["POST", "PUT", "PATCH"]), default: .text("POST"), "The request's method."),
        ConfigurationKey(
            "timeout", .duration(atMost: .seconds(300)), default: .duration(.seconds(15)),
            "How long an answer may take, at most 5m."),
    ])

    private static let ownHeaders = [
        "content-type", "content-length", "transfer-encoding", "webhook-id", "webhook-timestamp", "webhook-signature",
    ]

    package init() {}

    package func makeAdapter(
        configuration: AdapterConfiguration, context: AdapterContext
    ) throws(ConfigurationError) -> any Adapter {
        let url = try configuration.secret("url")
        guard let address = HTTPAddress(url) else {
            throw ConfigurationError(key: "url", "needs an absolute http:// or https:// URL, percent-encoded")
        }
        let timeout = try configuration.duration("timeout")
        let headers = try configuration.headers("headers")
        let secret = configuration.has("secret") ? try configuration.secret("secret") : nil
        let format = try Self.format(configuration, url)
        if secret != nil, !format.isStandardWebhook {
            throw ConfigurationError(
                key: "secret", "is for 'format: json' and 'alertmanager'; chats check no signature")
        }
        for name in context.mentions {
            guard let advice = format.advice(onMention: name) else { continue }
            throw ConfigurationError(key: "mention", "calls nobody with '\(name)': write \(advice)")
        }
        return WebhookAdapter(
            target: WebhookAdapter.Endpoint(url: url, address: address, headers: headers, timeout: timeout),
            format: format, signer: try secret.map { secret throws(ConfigurationError) in try Self.signer(secret) },
            redactor: Redactor([url] + headers.map(\.value) + (secret.map(WebhookSigner.words(of:)) ?? [])),
            transport: context.transport, clock: context.clock,
            sentParts: SentParts(channel: context.channelName, store: context.store))
    }

    private static func format(
        _ configuration: AdapterConfiguration, _ url: Secret
    ) throws(ConfigurationError) -> any WebhookFormat {
        let word = try configuration.text("format")
        let method = try configuration.text("method")
        guard word == "json" || method == "POST" else {
            throw ConfigurationError(key: "method", "is for 'format: json'; \(word) takes POST")
        }
        switch word {
        case "slack": return SlackFormat()
        case "discord": return DiscordFormat(url: url)
        case "mattermost": return MattermostFormat()
        case "gotify": return GotifyFormat()
        case "alertmanager": return AlertmanagerFormat()
        case "ntfy":
            guard let format = NtfyFormat(url: url) else {
                throw ConfigurationError(key: "url", "needs a topic at its end: https://ntfy.sh/TOPIC")
            }
            return format
        default: return JSONFormat(method: method)
        }
    }

    private static func signer(_ secret: Secret) throws(ConfigurationError) -> WebhookSigner {
        guard let signer = WebhookSigner(secret) else {
            throw ConfigurationError(
                key: "secret", "needs 'whsec_' followed by the key in base64, at most eight of those")
        }
        return signer
    }
}
