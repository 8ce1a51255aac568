package import CEL

/// A token for a gate in front of Zimmer, as a header can carry it.
package struct EdgeToken: Hashable, Sendable {
    package let secret: APIKey

    package init(_ text: String) throws(TokenFault) {
        try TokenFault.check(text, as: .edgeToken)
        self.init(checked: APIKey(text))
    }

    init(checked secret: APIKey) {
        self.secret = secret
    }
}

extension EdgeToken {
    /// When its life ends, as far as it says that.
    package enum Expiry: Hashable, Sendable {
        case at(Timestamp)
        /// It is of another kind than the gate's, or does not say.
        case unsaid
        /// It says something that is no time.
        case nonsense
    }

    /// The `exp` of a JWT (RFC 7519, section 4.1.4). Nothing is verified: that is the gate's part.
    package var expiry: Expiry {
        let parts = secret.exposed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]), let document = try? JSONDocument(payload),
            let value = document.root["exp"]
        else { return .unsaid }
        guard let seconds = value.double, 0..<253_402_300_800 ~= seconds else { return .nonsense }
        return .at(Timestamp(seconds: Int64(seconds)))
    }
}
