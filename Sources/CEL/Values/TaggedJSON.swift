extension Value {
    /// The value as JSON that keeps its type: `{"t":"int","v":"2"}`. `init(taggedJSON:)` reads back everything but
    /// objects and errors.
    package var taggedJSON: String {
        var writer = JSONWriter()
        writer.tagged(self)
        return writer.text
    }
}

extension JSONWriter {
    fileprivate mutating func tagged(_ value: Value) {
        switch value {
        case .null: raw(#"{"t":"null"}"#)
        case .bool(let bool): tag("bool") { $0.raw(bool ? "true" : "false") }
        case .int(let number): tag("int") { $0.string(String(number)) }
        case .uint(let number): tag("uint") { $0.string(String(number)) }
        case .double(let number): tag("double") { $0.string(number.isFinite ? number.description : number.celText) }
        case .string(let text): tag("string") { $0.string(text) }
        case .bytes(let bytes): tag("bytes") { $0.string(Base64.encode(bytes)) }
        case .timestamp(let timestamp):
            tag("timestamp", value.text, seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds)
        case .duration(let duration):
            let (seconds, attoseconds) = duration.components
            tag("duration", value.text, seconds: seconds, nanoseconds: Int32(attoseconds / 1_000_000_000))
        case .list(let elements): tag("list") { $0.array(elements) { $0.tagged($1) } }
        case .map(let map): tag("map") { $0.array(map.entries) { $0.array([$1.key, $1.value]) { $0.tagged($1) } } }
        case .type(let type): tag("type") { $0.string(type.runtimeName) }
        case .object(let value): tag(value)
        case .optional(let optional):
            guard let wrapped = optional.wrapped else { return raw(#"{"t":"optional"}"#) }
            tag("optional") { $0.tagged(wrapped) }
        case .opaque(let opaque): tag(value.typeName) { $0.string(opaque.text) }
        case .error(let error): tag("error") { $0.string(error.message) }
        }
    }

    private mutating func tag(_ name: String, _ value: (inout JSONWriter) -> Void) {
        raw("{\"t\":\"\(name)\",\"v\":")
        value(&self)
        raw("}")
    }

    private mutating func tag(_ name: String, _ text: String, seconds: Int64, nanoseconds: Int32) {
        raw("{\"t\":\"\(name)\",\"v\":\"\(text)\",\"seconds\":\"\(seconds)\",\"nanos\":\(nanoseconds)}")
    }

    private mutating func tag(_ object: Object) {
        raw(#"{"t":"object","type":"#)
        string(object.type.name)
        raw(",\"v\":")
        self.object(zip(object.type.fields, object.slots).map { (name: $0.name, value: $1) }) { $0.tagged($1) }
        raw("}")
    }
}
