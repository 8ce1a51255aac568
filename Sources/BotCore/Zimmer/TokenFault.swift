/// Why a text is no credential that a header can carry; it says what to do, and holds nothing of the text.
///
/// People copy credentials out of a browser, with whatever stands around them. What is not the credential alone is refused:
/// guessed at it would be refused by the other side, with no word about why.
package struct TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a text was to be.
    enum Credential: Hashable, Sendable {
        case apiKey, edgeToken

        fileprivate var name: String {
            switch self {
            case .apiKey: "API key"
            case .edgeToken: "edge token"
            }
        }

        fileprivate var noun: String {
            switch self {
            case .apiKey: "key"
            case .edgeToken: "token"
            }
        }

        /// What stands before it where it is copied from.
        fileprivate var labels: [String] {
            switch self {
            case .apiKey: ["x-api-key", "authorization", "api_key", "zimmer_api_key"]
            case .edgeToken:
                ["cf-access-token", "cf_authorization", "cf-access-jwt-assertion", "cookie", "authorization"]
            }
        }
    }

    enum Kind: Hashable, Sendable {
        case empty, quoted
        case labelled(String)
        case notASCII, spaced, tooLong
    }

    let credential: Credential
    let kind: Kind

    /// Those of Cloudflare have about a thousand bytes; no server takes much longer headers.
    private static let longest = 8 << 10

    static func check(_ text: String, as credential: Credential) throws(TokenFault) {
        if let kind = kind(of: text, credential) { throw TokenFault(credential: credential, kind: kind) }
    }

    private static func kind(of text: String, _ credential: Credential) -> Kind? {
        if text.isEmpty { return .empty }
        let quotes = Array("\"'`".utf8)
        if text.utf8.contains(where: quotes.contains) { return .quoted }
        if let label = credential.labels.first(where: { isLabelled(text, $0) }) { return .labelled(label) }
        if !text.utf8.allSatisfy({ $0 < 0x80 }) { return .notASCII }
        if !text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return .spaced }
        return text.utf8.count <= longest ? nil : .tooLong
    }

    private static func isLabelled(_ text: String, _ label: String) -> Bool {
        guard ASCII.hasPrefixIgnoringCase(text, label) else { return false }
        let next = text.utf8.dropFirst(label.utf8.count).first { $0 != 0x20 && $0 != 0x09 }
        return next == UInt8(ascii: ":") || next == UInt8(ascii: "=")
    }

    package var description: String {
        let how =
            switch kind {
            case .empty: "is empty"
            case .quoted: "has quotation marks in it"
            case .labelled(let label): "has '\(label)' before it"
            case .notASCII: "has characters that no \(credential.noun) has"
            case .spaced: "has blanks or line breaks in it"
            case .tooLong: "is longer than 8 KiB"
            }
        return
            "the \(credential.name) \(how): put the \(credential.noun) alone there, one line of letters, digits, '-', '_' and '.'"
    }
}
