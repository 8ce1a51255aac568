import AdapterKit

/// Signs requests as Standard Webhooks wants it, so that a receiver knows who sent them and when.
struct WebhookSigner: Sendable {
    private let key: Key

    /// Kept apart so that no printed adapter shows it.
    private struct Key: Sendable, CustomReflectable {
        let bytes: [UInt8]
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Nil for what is not `whsec_` followed by base64.
    init?(_ secret: Secret) {
        let text = secret.reveal()
        guard
            text.hasPrefix("whsec_"), let bytes = Base64.decode(text.dropFirst("whsec_".count).utf8), !bytes.isEmpty
        else { return nil }
        key = Key(bytes: bytes)
    }

    /// The value of `webhook-signature` for exactly these bytes.
    func signature(id: String, timestamp: String, body: [UInt8]) -> String {
        let code = HMAC.sha256(key: key.bytes, message: Array("\(id).\(timestamp).".utf8) + body)
        return "v1," + Base64.encode(code)
    }
}
