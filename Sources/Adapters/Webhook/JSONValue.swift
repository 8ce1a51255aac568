/// JSON to be written (RFC 8259), the members of an object in the order given.
indirect enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case string(String)
    case array([JSONValue])
    case object([(name: String, value: JSONValue)])

    init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    init(_ integer: Int?) {
        self = integer.map(JSONValue.integer) ?? .null
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .boolean(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements):
            Self.write(elements, between: "[", and: "]", to: &bytes) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members, between: "{", and: "}", to: &bytes) { member, bytes in
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between start: String, and end: String, to bytes: inout [UInt8],
        _ write: (Element, inout [UInt8]) -> Void
    ) {
        bytes += start.utf8
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element, &bytes)
        }
        bytes += end.utf8
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += #"\b"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0C: bytes += #"\f"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case ..<0x20:
                bytes += #"\u00"#.utf8
                bytes += [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members.map { ($0, $1) }) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    init(stringLiteral text: String) { self = .string(text) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
}
