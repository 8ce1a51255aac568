/// Base64 with the alphabet of RFC 4648, section 4.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * (3 - UInt32(group.count)))
            for place in 0..<4 {
                let sextet = Int(bits >> (18 - 6 * UInt32(place)) & 63)
                text.append(place <= group.count ? alphabet[sextet] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for anything but base64; the padding may be missing.
    static func decode(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)[...]
        if digits.last == UInt8(ascii: "=") {
            guard digits.count % 4 == 0 else { return nil }
            digits.removeLast()
            if digits.last == UInt8(ascii: "=") { digits.removeLast() }
        }
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var pending = 0
        for digit in digits {
            guard let sextet = sextet(digit) else { return nil }
            bits = bits << 6 | sextet
            pending += 6
            if pending >= 8 {
                pending -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(pending)))
            }
        }
        // Bits left over belong to no byte: two texts must not mean the same bytes.
        return bits & (1 << UInt32(pending) - 1) == 0 ? bytes : nil
    }

    private static func sextet(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
