/// Takes secrets out of text that someone else wrote, an error page that repeats the request for example.
public struct Redactor: Sendable {
    /// Longest first, so that a secret inside a longer one does not leave the rest of it behind.
    private let words: [[UInt8]]

    /// - Parameter secrets: The words of a secret are secrets too (`Bearer TOKEN`), and of a URL its user name and password
    ///   and the parts of its path and query. What has fewer than six bytes is not.
    public init(_ secrets: [Secret]) {
        var words: Set<[UInt8]> = []
        for secret in secrets {
            let bytes = Array(secret.reveal().utf8)
            words.insert(bytes)
            let origin = HTTPAddress(secret)?.origin
            let separators = Array((origin == nil ? " " : "/?&=#:@;").utf8)
            let credentials = origin.map { Array($0.utf8) }.flatMap { origin in
                origin.lastIndex(of: UInt8(ascii: "@")).map { origin[..<$0] }
            }
            let parts = (credentials ?? []) + separators.prefix(1) + bytes.dropFirst(origin?.utf8.count ?? 0)
            for word in parts.split(whereSeparator: separators.contains) { words.insert(Array(word)) }
        }
        self.words = words.filter { $0.count >= 6 }.sorted { $0.count > $1.count }
    }

    /// The text with every secret replaced, and every URL cut to scheme and host.
    ///
    /// - Complexity: O(length × secrets).
    public func redact(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for word in words { bytes = bytes.replacing(word, with: Array("<redacted>".utf8)) }
        return String(decoding: Self.cuttingAddresses(bytes), as: UTF8.self)
    }

    private static func cuttingAddresses(_ bytes: [UInt8]) -> [UInt8] {
        let mark = Array("://".utf8)
        let ends = Array(" \t\n\r\"'<>()[]{}`".utf8)
        var kept: [UInt8] = []
        var rest = bytes[...]
        while let found = rest.firstRange(of: mark) {
            let address = rest[found.upperBound...].prefix { !ends.contains($0) }
            let host = address.prefix { !Array("/?#\\".utf8).contains($0) }
            kept += rest[..<found.upperBound]
            // What stands before an `@` is a name and a password.
            kept += host.lastIndex(of: UInt8(ascii: "@")).map { host[($0 + 1)...] } ?? host
            rest = rest[address.endIndex...]
        }
        return kept + rest
    }
}
