/// The part of a URL that may be shown, of one that is a credential otherwise.
public struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The part of the URL up to its path, user name and password included.
    let origin: String
    /// Scheme, host and port: `https://hooks.example.com`.
    public let description: String
    public let isEncrypted: Bool

    /// Nil for what is not an absolute `http` or `https` URL of printable ASCII, with a port that there is, if any.
    public init?(_ url: Secret) {
        let text = url.reveal()
        guard
            text.utf8.count <= 8192, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let scheme = text.firstRange(of: "://")
        else { return nil }
        let name = text[..<scheme.lowerBound].lowercased()
        guard name == "https" || name == "http" else { return nil }
        let authority = text[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard !host.isEmpty, !host.hasPrefix(":"), Self.hasUsablePort(host) else { return nil }
        origin = String(text[..<authority.endIndex])
        description = "\(name)://\(host)"
        isEncrypted = name == "https"
    }

    /// What a request to this address connects to.
    public var endpoint: ByteStreamEndpoint {
        let place = description.drop { $0 != "/" }.dropFirst(2)
        let end = place.hasPrefix("[") ? place.firstIndex(of: "]").map(place.index(after:)) ?? place.endIndex : nil
        let name = place[..<(end ?? place.firstIndex(of: ":") ?? place.endIndex)]
        let port = Int(place[name.endIndex...].dropFirst()) ?? (isEncrypted ? 443 : 80)
        let host = name.hasPrefix("[") ? name.dropFirst().dropLast() : name
        return ByteStreamEndpoint(
            host: String(host), port: port, tls: isEncrypted ? ByteStreamEndpoint.TLS() : nil)
    }

    private static func hasUsablePort(_ host: Substring) -> Bool {
        let behindName = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
        guard let colon = behindName.first else { return !host.hasPrefix("[") || host.hasSuffix("]") }
        let digits = behindName.dropFirst()
        return colon == ":" && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && UInt16(digits).map { $0 > 0 } ?? digits.isEmpty
    }
}
