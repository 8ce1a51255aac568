extension Value {
    /// The value as plain JSON, for people and tools to read; it does not read back. Times, types and errors are text,
    /// bytes base64, NaN and infinities null, an optional its value or null. A text beyond `largestText` is replaced by
    /// a note.
    package var json: String {
        var writer = JSONWriter()
        writer.plain(self)
        return writer.text
    }
}

extension JSONWriter {
    fileprivate mutating func plain(_ value: Value) {
        switch value {
        case .null: raw("null")
        case .bool(let bool): raw(bool ? "true" : "false")
        case .int(let number): raw(String(number))
        case .uint(let number): raw(String(number))
        case .double(let number): raw(number.isFinite ? number.celText : "null")
        case .string(let text): string(text)
        case .bytes(let bytes): string(Base64.encode(bytes))
        case .timestamp, .duration, .type, .opaque, .error: string(value.text)
        case .list(let elements): array(elements) { $0.plain($1) }
        case .map(let map): object(map.entries.map { (name: $0.key.text, value: $0.value) }) { $0.plain($1) }
        case .object(let value):
            object(zip(value.type.fields, value.slots).map { (name: $0.name, value: $1) }) { $0.plain($1) }
        case .optional(let optional): plain(optional.wrapped ?? .null)
        }
    }
}
