import AdapterKit

/// One question to a person: may the bot act as you? Made for one sign-in, and of no use after it.
package struct AuthorizationRequest: Sendable {
    package let client: SignInClient
    private let issuer: String
    private let verifier: APIKey
    /// Comes back with the answer, and tells it from one that somebody else has slipped in.
    private let state: String

    /// - Parameters:
    ///   - issuer: where people open Zimmer.
    ///   - random: so many bytes that nobody can guess.
    package init(_ client: SignInClient, issuer: String, random: (Int) -> [UInt8] = Self.systemRandom) {
        self.client = client
        self.issuer = issuer
        // 32 bytes are 43 characters, the least that a verifier may have (RFC 7636, section 4.1).
        verifier = APIKey(Base64URL.encode(random(32)))
        state = Base64URL.encode(random(32))
    }

    package static func systemRandom(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// What the person opens in a browser. Holds nothing secret.
    package var url: String {
        let challenge = Base64URL.encode(SHA256.hash(Array(verifier.exposed.utf8)))
        let query = [
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", client.redirect),
            ("code_challenge", challenge), ("code_challenge_method", "S256"), ("state", state),
            ("resource", TokenEndpoint.resource(of: issuer)),
        ]
        let pairs = query.map { "\($0.0)=\(ZimmerAddress.encoded($0.1))" }.joined(separator: "&")
        return "\(issuer)/oauth/authorize?\(pairs)"
    }

    /// Reads the person's answer out of the address that the browser was sent to, as it was pasted: with other words around
    /// it, too.
    package func code(in pasted: String) throws(RedirectError) -> AuthorizationCode {
        let fields = try RedirectFields(pasted, redirect: client.redirect)
        guard let state = fields["state"], state.utf8.elementsEqual(self.state.utf8) else { throw .wrongState }
        guard let from = fields["iss"], from.utf8.elementsEqual(issuer.utf8) else {
            throw .wrongIssuer(expected: issuer)
        }
        if let error = fields["error"] {
            if error.utf8.elementsEqual("access_denied".utf8) { throw .denied }
            throw .refused
        }
        guard let code = fields["code"], (1...4096).contains(code.utf8.count) else { throw .noCode }
        return AuthorizationCode(client: client, secret: APIKey(code), verifier: verifier)
    }
}

/// Gets one pair of tokens, within a minute.
package struct AuthorizationCode: Sendable {
    let client: SignInClient
    let secret: APIKey
    let verifier: APIKey
}

/// Why a pasted address is no person's yes. Never shows what was pasted.
package enum RedirectError: Error, Hashable, Sendable, CustomStringConvertible {
    case noAddress(expected: String)
    case twice(String)
    case wrongState
    case wrongIssuer(expected: String)
    case denied
    case refused
    case noCode

    package var description: String {
        switch self {
        case .noAddress(let expected):
            "that is not the address that the browser was sent to: it begins with \(expected)? and has code=… in it"
        case .twice(let name): "that address has '\(name)' twice, so it is not Zimmer's"
        case .wrongState: "that address answers another sign-in, perhaps an earlier one; open the address above again"
        case .wrongIssuer(let expected):
            "that address does not come from \(expected) (its 'iss' is another); look at zimmer.web_url"
        case .denied: "the person did not approve"
        case .refused: "Zimmer did not accept the request; open the address above again to see why"
        case .noCode: "that address has no code in it; open the address above again"
        }
    }

    /// Another paste could be right.
    package var isWorthAnotherTry: Bool {
        switch self {
        case .noAddress, .twice, .wrongState, .noCode: true
        case .wrongIssuer, .denied, .refused: false
        }
    }
}

/// The query of an address, found in what was pasted.
private struct RedirectFields {
    private var values: [String: String] = [:]

    subscript(name: String) -> String? { values[name] }

    init(_ pasted: String, redirect: String) throws(RedirectError) {
        let bytes = Array(pasted.utf8)
        guard let start = bytes.firstRange(of: Array("\(redirect)?".utf8))?.upperBound else {
            throw .noAddress(expected: redirect)
        }
        let ends = Array(" \t\r\n\"'<>`#".utf8)
        let query = bytes[start...].prefix { !ends.contains($0) }
        for item in query.split(separator: UInt8(ascii: "&")) {
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = Self.decoded(parts.count > 1 ? parts[1] : []) else {
                throw .noAddress(expected: redirect)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                // Only names that Zimmer gives are said again.
                throw .twice(["code", "state", "iss", "error"].first { $0 == name } ?? "something")
            }
        }
    }

    /// Without percent escapes, and with blanks for pluses.
    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): (byte | 0x20) - 87
        default: nil
        }
    }
}
