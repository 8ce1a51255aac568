/// Writes JSON until it is full: shared parts make the text of a value far larger than the value.
struct JSONWriter {
    private var bytes: [UInt8] = []
    private var isFull = false

    /// What was written, or a JSON string that says it was too much.
    var text: String {
        isFull ? "\"(longer than \(Value.largestText) bytes)\"" : String(decoding: bytes, as: UTF8.self)
    }

    mutating func raw(_ text: String) {
        if isFull { return }
        bytes.append(contentsOf: text.utf8)
        isFull = bytes.count > Value.largestText
    }

    mutating func string(_ text: String) {
        if isFull { return }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0a: bytes += Array("\\n".utf8)
            case 0x0d: bytes += Array("\\r".utf8)
            case 0x09: bytes += Array("\\t".utf8)
            case 0..<0x20: bytes += Array((byte < 0x10 ? "\\u000" : "\\u00").utf8) + Array(String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
        raw("\"")
    }

    /// Writes `[…]`, each element by `element`.
    mutating func array<C: Collection>(_ elements: C, _ element: (inout JSONWriter, C.Element) -> Void) {
        sequence("[", elements, "]", element)
    }

    /// Writes `{…}`, each value by `value`.
    mutating func object<V>(_ members: [(name: String, value: V)], _ value: (inout JSONWriter, V) -> Void) {
        sequence("{", members, "}") { writer, member in
            writer.string(member.name)
            writer.raw(":")
            value(&writer, member.value)
        }
    }

    private mutating func sequence<C: Collection>(
        _ opening: String, _ elements: C, _ closing: String, _ write: (inout JSONWriter, C.Element) -> Void
    ) {
        raw(opening)
        var isFirst = true
        for element in elements where !isFull {
            if !isFirst { raw(",") }
            isFirst = false
            write(&self, element)
        }
        raw(closing)
    }
}
