/// Where a Zimmer is: its origin, and the path it lives under if it shares one.
package struct ZimmerAddress: Hashable, Sendable {
    /// Without a slash at the end.
    package let text: String

    /// Nil for what is not a plain `http` or `https` URL: credentials, a query or a fragment do not belong here.
    package init?(_ url: String) {
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else { return nil }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !url.contains("?"), !url.contains("#"),
            !url.contains("@")
        else { return nil }
        let trimmed = url.reversed().drop { $0 == "/" }.reversed()
        text = String(trimmed)
        guard !URLHost.name(of: text).isEmpty else { return nil }
    }

    /// The URL of an API route. Components are encoded, empty ones left out, so that it never has a `//`: a deployment
    /// with an app host answers that with a 404 of its own.
    func api(_ components: [String], query: [(name: String, value: String)] = []) -> String {
        let path = (["api", "v1"] + components).filter { !$0.isEmpty }.map(Self.encoded).joined(separator: "/")
        let pairs = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
        return pairs.isEmpty ? "\(text)/\(path)" : "\(text)/\(path)?\(pairs)"
    }

    /// The URL of a page beside the API.
    func page(_ components: [String]) -> String {
        "\(text)/\(components.map(Self.encoded).joined(separator: "/"))"
    }

    /// Percent-encodes everything but the unreserved characters.
    static func encoded(_ component: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in component.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
