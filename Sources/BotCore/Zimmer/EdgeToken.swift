package import CEL

/// A token for a gate in front of Zimmer, as a header can carry it.
///
/// People copy it out of a browser, with whatever stands around it. What is not the token alone is refused with what to do:
/// guessed at it would be refused by the gate, with no word about why.
package struct EdgeToken: Hashable, Sendable {
    package let secret: APIKey

    /// Those of Cloudflare have about a thousand bytes; no server takes much longer headers.
    private static let longest = 8 << 10
    /// What stands before it where it is copied from.
    private static let names = [
        "cf-access-token", "cf_authorization", "cf-access-jwt-assertion", "cookie", "authorization",
    ]

    package init(_ text: String) throws(Fault) {
        guard !text.isEmpty else { throw .empty }
        let quotes = Array("\"'`".utf8)
        guard !text.utf8.contains(where: quotes.contains) else { throw .quoted }
        if let name = Self.names.first(where: { ASCII.hasPrefixIgnoringCase(text, $0) }),
            text.utf8.dropFirst(name.utf8.count).first(where: { $0 != 0x20 && $0 != 0x09 }).map({
                $0 == 0x3A || $0 == 0x3D
            }) == true
        {
            throw .named(name)
        }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .spaced }
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        secret = APIKey(text)
    }

    /// Why it is none; the text says what to do, and holds nothing of it.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        case empty, quoted
        case named(String)
        case notASCII, spaced, tooLong

        package var description: String {
            let how =
                switch self {
                case .empty: "is empty"
                case .quoted: "has quotation marks in it"
                case .named(let name): "has '\(name)' before it"
                case .notASCII: "has characters that no token has"
                case .spaced: "has blanks or line breaks in it"
                case .tooLong: "is longer than 8 KiB"
                }
            return "the edge token \(how): put the token alone there, one line of letters, digits, '-', '_' and '.'"
        }
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
