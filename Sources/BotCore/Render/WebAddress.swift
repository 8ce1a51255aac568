/// An absolute web address that can stand between parentheses or angle brackets without ending them.
struct WebAddress: Hashable, Sendable {
    /// What could be read as markup is percent-encoded.
    let text: String

    /// Nil for another scheme, an address without a host, and one with blanks or control characters in it.
    init?(_ address: String, schemes: [String]) {
        guard address.utf8.count <= 4096, let mark = address.firstRange(of: "://") else { return nil }
        guard schemes.contains(address[..<mark.lowerBound].lowercased()) else { return nil }
        let rest = address[mark.upperBound...]
        guard
            let first = rest.utf8.first, !"/?#:@".utf8.contains(first),
            rest.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        text = Self.encoding(address) { !"\"'()<>[\\]^`{|}*_~".utf8.contains($0) && $0 < 0x80 }
    }

    /// One segment of a path, or one value of a query.
    static func encodedPart(_ text: String) -> String {
        encoding(text) { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    private static func encoding(_ text: String, unless isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
