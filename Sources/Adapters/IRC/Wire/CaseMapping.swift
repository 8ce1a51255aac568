/// Which letters a server takes for the same in nicks and names of channels.
enum CaseMapping: String, Hashable, Sendable {
    case ascii
    case rfc1459
    case strictRFC1459 = "strict-rfc1459"

    /// Equal for names that are the same to the server.
    func fold(_ name: String) -> [UInt8] {
        let last: UInt8 =
            switch self {
            case .ascii: UInt8(ascii: "Z")
            case .rfc1459: UInt8(ascii: "^")
            case .strictRFC1459: UInt8(ascii: "]")
            }
        return name.utf8.map { (UInt8(ascii: "A")...last).contains($0) ? $0 + 0x20 : $0 }
    }

    func areEqual(_ a: String, _ b: String) -> Bool {
        fold(a) == fold(b)
    }
}
