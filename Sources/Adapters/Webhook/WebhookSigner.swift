import AdapterKit

/// Signs requests as Standard Webhooks wants it, so that a receiver knows who sent them and when.
struct WebhookSigner: Sendable {
    private let keys: [Key]

    /// Kept apart so that no printed adapter shows it.
    private struct Key: Sendable, CustomReflectable {
        let bytes: [UInt8]
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Nil for what is not `whsec_` followed by base64, or several of those with blanks between: while a receiver changes
    /// from one key to the next, both sign.
    init?(_ secret: Secret) {
        let words = Self.words(of: secret)
        let keys = words.compactMap { word -> Key? in
            let text = word.reveal()
            guard text.hasPrefix("whsec_"), let bytes = Base64.decode(text.dropFirst("whsec_".count).utf8) else {
                return nil
            }
            return bytes.isEmpty ? nil : Key(bytes: bytes)
        }
        guard !keys.isEmpty, keys.count == words.count, keys.count <= 8 else { return nil }
        self.keys = keys
    }

    /// Each of several keys.
    static func words(of secret: Secret) -> [Secret] {
        secret.reveal().split(whereSeparator: \.isWhitespace).map { Secret(String($0)) }
    }

    /// The value of `webhook-signature` for exactly these bytes.
    func signature(id: String, timestamp: String, body: [UInt8]) -> String {
        let message = Array("\(id).\(timestamp).".utf8) + body
        return keys.map { "v1," + Base64.encode(HMAC.sha256(key: $0.bytes, message: message)) }.joined(separator: " ")
    }
}
