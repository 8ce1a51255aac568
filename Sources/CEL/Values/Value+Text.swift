extension Value {
    /// What a text made from values may take, in bytes.
    package static let largestText = 10_000_000

    /// The value as people read it: as `string(x)` gives it, lists, maps and objects written out. A text that would
    /// grow beyond `largestText` is cut and ends in `…`.
    package var text: String {
        var writer = TextWriter(limit: Self.largestText)
        writer.write(self)
        return writer.isCut ? writer.text + "…" : writer.text
    }
}

/// Writes values as text until the text is full: shared parts make a value's text far larger than the value.
struct TextWriter {
    private(set) var text = ""
    private(set) var isCut = false
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func write(_ value: Value) {
        switch value {
        case .null: write("null")
        case .bool(let bool): write(bool ? "true" : "false")
        case .int(let number): write(String(number))
        case .uint(let number): write(String(number))
        case .double(let number): write(number.celText)
        case .string(let text): write(text)
        case .bytes(let bytes): write(String(decoding: bytes, as: UTF8.self))
        case .timestamp(let timestamp): write(timestamp.description)
        case .duration(let duration): write(duration.celText)
        case .list(let elements): writeList(elements)
        case .map(let map): writeEntries(map.entries.map { (TextWriter.text(of: $0.key), $0.value) }.sorted())
        case .type(let type): write(type.runtimeName)
        case .object(let object):
            write(object.type.name)
            writeEntries(zip(object.type.fields, object.slots).map { ($0.name, $1) })
        case .optional(let optional): writeOptional(optional)
        case .opaque(let value): write(value.text)
        case .error(let error): write("error: \(error.message)")
        }
    }

    private mutating func write(_ piece: String) {
        guard !isCut, text.utf8.count + piece.utf8.count <= limit else {
            isCut = true
            return
        }
        text += piece
    }

    private mutating func writeList(_ elements: [Value]) {
        write("[")
        for (position, element) in elements.enumerated() where !isCut {
            if position > 0 { write(", ") }
            write(element)
        }
        write("]")
    }

    private mutating func writeEntries(_ entries: [(name: String, value: Value)]) {
        write("{")
        for (position, entry) in entries.enumerated() where !isCut {
            if position > 0 { write(", ") }
            write("\(entry.name): ")
            write(entry.value)
        }
        write("}")
    }

    private mutating func writeOptional(_ optional: OptionalValue) {
        guard let wrapped = optional.wrapped else { return write("optional.none()") }
        write("optional.of(")
        write(wrapped)
        write(")")
    }

    private static func text(of key: Value) -> String {
        var writer = TextWriter(limit: Value.largestText)
        writer.write(key)
        return writer.text
    }
}

extension [(String, Value)] {
    /// By name, so that the text of a map does not depend on how the map was made.
    fileprivate func sorted() -> [(name: String, value: Value)] {
        sorted { $0.0.order($1.0) < 0 }.map { (name: $0.0, value: $0.1) }
    }
}
