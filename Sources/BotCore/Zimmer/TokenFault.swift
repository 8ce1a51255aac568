/// Why a text is no credential that a header can carry; it says what to do, and holds nothing of the text.
///
/// People copy credentials out of a browser, with whatever stands around them. What is not the credential alone is refused:
/// guessed at it would be refused by the other side, with no word about why.
package struct TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case empty, quoted
        case named(String)
        case notASCII, spaced, tooLong
    }

    /// What it was to be, in words.
    let token: String
    let kind: Kind

    /// Those of Cloudflare have about a thousand bytes; no server takes much longer headers.
    private static let longest = 8 << 10

    /// - Parameters:
    ///   - token: what it is to be, in words.
    ///   - names: what stands before it where it is copied from.
    static func check(_ text: String, as token: String, names: [String]) throws(TokenFault) {
        if let kind = kind(of: text, names) { throw TokenFault(token: token, kind: kind) }
    }

    private static func kind(of text: String, _ names: [String]) -> Kind? {
        if text.isEmpty { return .empty }
        let quotes = Array("\"'`".utf8)
        if text.utf8.contains(where: quotes.contains) { return .quoted }
        if let name = names.first(where: { isNamed(text, $0) }) { return .named(name) }
        if !text.utf8.allSatisfy({ $0 < 0x80 }) { return .notASCII }
        if !text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return .spaced }
        return text.utf8.count <= longest ? nil : .tooLong
    }

    private static func isNamed(_ text: String, _ name: String) -> Bool {
        guard ASCII.hasPrefixIgnoringCase(text, name) else { return false }
        let next = text.utf8.dropFirst(name.utf8.count).first { $0 != 0x20 && $0 != 0x09 }
        return next == UInt8(ascii: ":") || next == UInt8(ascii: "=")
    }

    package var description: String {
        let noun = token.split(separator: " ").last ?? ""
        let how =
            switch kind {
            case .empty: "is empty"
            case .quoted: "has quotation marks in it"
            case .named(let name): "has '\(name)' before it"
            case .notASCII: "has characters that no \(noun) has"
            case .spaced: "has blanks or line breaks in it"
            case .tooLong: "is longer than 8 KiB"
            }
        return "the \(token) \(how): put the \(noun) alone there, one line of letters, digits, '-', '_' and '.'"
    }
}
