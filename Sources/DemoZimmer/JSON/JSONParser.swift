extension JSON {
    /// Parses a request body. Nil when it is not JSON, nests deeper than 64, or is not UTF-8.
    ///
    /// - Complexity: O(bytes).
    package init?(parsing bytes: some Collection<UInt8>) {
        var parser = JSONParser(bytes: Array(bytes))
        guard let value = parser.document() else { return nil }
        self = value
    }
}

/// A recursive descent over the bytes; the depth is bounded, so a hostile body cannot exhaust the stack.
private struct JSONParser {
    let bytes: [UInt8]
    var position = 0
    static let deepest = 64

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() -> JSON? {
        guard let value = value(depth: 0) else { return nil }
        skipSpace()
        return position == bytes.count ? value : nil
    }

    private mutating func value(depth: Int) -> JSON? {
        skipSpace()
        guard depth < Self.deepest, let byte = peek else { return nil }
        switch byte {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map(JSON.string)
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSON? {
        position += 1
        var members: [JSON.Member] = []
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\""), let name = string(), take(UInt8(ascii: ":")),
                let value = value(depth: depth + 1)
            else { return nil }
            members.append(JSON.Member(name, value))
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSON? {
        position += 1
        var elements: [JSON] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            guard let element = value(depth: depth + 1) else { return nil }
            elements.append(element)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .array(elements) : nil
    }

    private mutating func string() -> String? {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                text += String(scalar).utf8
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = peek else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "u"): return unicodeEscape()
        default: return nil
        }
    }

    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard let first = fourDigits() else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard take(UInt8(ascii: "\\"), skippingSpace: false), take(UInt8(ascii: "u"), skippingSpace: false),
            let second = fourDigits(), (0xDC00..<0xE000).contains(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func fourDigits() -> UInt32? {
        guard bytes.count - position >= 4 else { return nil }
        defer { position += 4 }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private mutating func number() -> JSON? {
        let start = position
        let allowed = "+-.eE0123456789".utf8
        while let byte = peek, allowed.contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let integer = Int(text) { return .int(integer) }
        return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }

    private mutating func word(_ word: String, _ value: JSON) -> JSON? {
        guard bytes[position...].starts(with: word.utf8) else { return nil }
        position += word.utf8.count
        return value
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8, skippingSpace: Bool = true) -> Bool {
        if skippingSpace { skipSpace() }
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}
