package import AdapterKit

/// `adapter: webhook`: one HTTP request per message.
package struct WebhookKind: AdapterKind {
    package let name = "webhook"
    package let schema = ConfigurationSchema([
        ConfigurationKey("url", .secret, required: true, "Where messages are sent; often a credential by itself."),
        ConfigurationKey(
            "format", .choice(["json"], later: ["slack", "discord", "mattermost", "ntfy", "gotify", "alertmanager"]),
            default: .text("json"), "What the other side understands."),
        ConfigurationKey("headers", .headers, "Headers to add to every request."),
        ConfigurationKey(
            "secret", .secret, "Signs every request (Standard Webhooks): `whsec_` and the key in base64."),
        ConfigurationKey(
            "method", .choice(["POST", "PUT", "PATCH"]), default: .text("POST"), "The request's method."),
        ConfigurationKey(
            "timeout", .duration, default: .duration(.seconds(15)), "How long an answer may take, at most 5m."),
    ])

    package init() {}

    package func makeAdapter(
        configuration: AdapterConfiguration, context: AdapterContext
    ) throws(ConfigurationError) -> any Adapter {
        let url = try configuration.secret("url")
        guard let address = HTTPAddress(url) else {
            throw ConfigurationError(key: "url", "needs an absolute http:// or https:// URL, percent-encoded")
        }
        let timeout = try configuration.duration("timeout")
        guard timeout > .zero, timeout <= .seconds(300) else {
            throw ConfigurationError(key: "timeout", "takes more than nothing and at most 5m")
        }
        let headers = try configuration.headers("headers")
        for header in headers { try Self.check(header) }
        let secret = configuration.has("secret") ? try configuration.secret("secret") : nil
        let signer = try secret.map { secret throws(ConfigurationError) in try Self.signer(secret) }
        return WebhookAdapter(
            endpoint: WebhookAdapter.Endpoint(
                url: url, address: address, method: try configuration.text("method"), headers: headers, timeout: timeout
            ),
            signer: signer, redactor: Redactor([url] + headers.map(\.value) + (secret.map { [$0] } ?? [])),
            transport: context.transport, clock: context.clock)
    }

    private static func signer(_ secret: Secret) throws(ConfigurationError) -> WebhookSigner {
        guard let signer = WebhookSigner(secret) else {
            throw ConfigurationError(key: "secret", "needs 'whsec_' followed by the key in base64")
        }
        return signer
    }

    private static let ownHeaders = [
        "content-type", "content-length", "transfer-encoding", "webhook-id", "webhook-timestamp", "webhook-signature",
    ]

    /// A line end in a header would begin another one.
    private static func check(_ header: HTTPHeader) throws(ConfigurationError) {
        let separators = Array("\"(),/:;<=>?@[\\]{}".utf8)
        guard
            !header.name.isEmpty,
            header.name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !separators.contains($0) })
        else { throw ConfigurationError(key: "headers", "has a name that HTTP does not allow") }
        guard !ownHeaders.contains(header.name.lowercased()) else {
            throw ConfigurationError(key: "headers", "has '\(header.name)', which is written by the adapter itself")
        }
        guard header.value.reveal().utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw ConfigurationError(key: "headers", "has a control character in the value of '\(header.name)'")
        }
    }
}
