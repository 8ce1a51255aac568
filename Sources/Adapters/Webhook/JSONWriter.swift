/// Writes JSON objects (RFC 8259) with their members in the order given.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var isFirstMember = true

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        isFirstMember = true
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirstMember = false
    }

    mutating func objectMember(_ name: String, _ members: (inout JSONWriter) -> Void) {
        begin(name)
        object(members)
    }

    mutating func member(_ name: String, _ value: String?) {
        begin(name)
        if let value { string(value) } else { bytes += "null".utf8 }
    }

    mutating func member(_ name: String, _ value: Int?) {
        begin(name)
        bytes += (value.map(String.init) ?? "null").utf8
    }

    private mutating func begin(_ name: String) {
        if !isFirstMember { bytes.append(UInt8(ascii: ",")) }
        isFirstMember = false
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func string(_ text: String) {
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
                bytes += [Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
