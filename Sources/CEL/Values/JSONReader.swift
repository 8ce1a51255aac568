/// A JSON document as the tagged form needs it: numbers stay text.
enum JSONDocument {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONDocument])
    case object([String: JSONDocument])

    /// Why a text is not JSON.
    struct Malformed: Error {
        let offset: Int
    }

    /// Deeper nesting is malformed, so that reading cannot exhaust the stack.
    static let deepest = 64

    /// Reads one document; of members with the same name the last counts.
    init(reading text: [UInt8]) throws(Malformed) {
        var reader = JSONReader(bytes: text)
        self = try reader.document()
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    var position = 0

    mutating func document() throws(JSONDocument.Malformed) -> JSONDocument {
        let document = try value(depth: 0)
        skipSpace()
        return position == bytes.count ? document : try fail()
    }

    private mutating func value(depth: Int) throws(JSONDocument.Malformed) -> JSONDocument {
        guard depth <= JSONDocument.deepest else { return try fail() }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func members(depth: Int) throws(JSONDocument.Malformed) -> [String: JSONDocument] {
        position += 1
        var members: [String: JSONDocument] = [:]
        if take("}") { return members }
        repeat {
            skipSpace()
            let name = try string()
            guard take(":") else { return try fail() }
            members[name] = try value(depth: depth + 1)
        } while take(",")
        return take("}") ? members : try fail()
    }

    private mutating func elements(depth: Int) throws(JSONDocument.Malformed) -> [JSONDocument] {
        position += 1
        var elements: [JSONDocument] = []
        if take("]") { return elements }
        repeat {
            elements.append(try value(depth: depth + 1))
        } while take(",")
        return take("]") ? elements : try fail()
    }

    private mutating func string() throws(JSONDocument.Malformed) -> String {
        guard take("\"") else { return try fail() }
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { return try fail() }
            position += 1
            if byte == UInt8(ascii: "\\") {
                text.append(contentsOf: Character(try escape()).utf8)
            } else {
                text.append(byte)
            }
        }
        guard next != nil, let string = String(validating: text, as: UTF8.self) else { return try fail() }
        position += 1
        return string
    }

    private mutating func escape() throws(JSONDocument.Malformed) -> Unicode.Scalar {
        guard let letter = next else { return try fail() }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try codePoint()
        default: return try fail()
        }
    }

    /// The code point after `\u`, which may be two surrogates; half a pair is malformed.
    private mutating func codePoint() throws(JSONDocument.Malformed) -> Unicode.Scalar {
        let unit = try fourHexDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xdc00, next == UInt8(ascii: "\\") else { return try fail() }
        position += 1
        guard next == UInt8(ascii: "u") else { return try fail() }
        position += 1
        let second = try fourHexDigits()
        guard (0xdc00...0xdfff).contains(second) else { return try fail() }
        return Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (second - 0xdc00)) ?? "\u{fffd}"
    }

    private mutating func fourHexDigits() throws(JSONDocument.Malformed) -> UInt32 {
        guard bytes.count - position >= 4 else { return try fail() }
        let digits = bytes[position..<position + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return try fail() }
        position += 4
        return value
    }

    private mutating func number() throws(JSONDocument.Malformed) -> String {
        let digits = bytes[position...].prefix { "+-.0123456789eE".utf8.contains($0) }
        let text = String(decoding: digits, as: UTF8.self)
        guard Double(text) != nil else { return try fail() }
        position += digits.count
        return text
    }

    private mutating func word(_ word: String, _ value: JSONDocument) throws(JSONDocument.Malformed) -> JSONDocument {
        guard bytes[position...].starts(with: word.utf8) else { return try fail() }
        position += word.utf8.count
        return value
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Takes the mark when it comes next, after space.
    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let next, next == 0x20 || (0x9...0xd).contains(next) { position += 1 }
    }

    private func fail<T>() throws(JSONDocument.Malformed) -> T {
        throw JSONDocument.Malformed(offset: position)
    }
}
