import CEL

/// What kind of value follows.
enum ValueTag: UInt8 {
    case null, `false`, `true`, int, uint, double, string, bytes, timestamp, duration, list, map, object, none, some
    case error
    /// `SessionDetail.unread`, of which most sessions have several.
    case unread
}

/// Writes values one after another; the names of a type are written once, at its first object.
struct ValueEncoder {
    var writer: ByteWriter
    /// Types that were written, by their number.
    private(set) var known: [ObjectType: Int]

    /// - Parameters:
    ///   - known: the types whose names the reader will have met by then.
    ///   - capacity: about how many bytes it will be.
    init(known: [ObjectType: Int] = [:], capacity: Int = 0) {
        self.known = known
        writer = ByteWriter(capacity: capacity)
    }

    mutating func append(_ value: Value, depth: Int = 0) {
        guard depth < ValueDecoder.maximumDepth else {
            return append(.unreadable("the value was too deep to be stored"))
        }
        switch value {
        case .null: tag(.null)
        case .bool(let bool): tag(bool ? .true : .false)
        case .int(let int):
            tag(.int)
            writer.signed(int)
        case .uint(let uint):
            tag(.uint)
            writer.unsigned(uint)
        case .double(let double):
            tag(.double)
            writer.fixed(double.bitPattern)
        case .string(let string):
            tag(.string)
            writer.text(string)
        case .bytes(let bytes):
            tag(.bytes)
            writer.block(bytes)
        case .timestamp(let time):
            tag(.timestamp)
            writer.timestamp(time)
        case .duration(let duration):
            tag(.duration)
            writer.signed(duration.components.seconds)
            writer.signed(duration.components.attoseconds)
        case .list(let elements):
            tag(.list)
            writer.count(elements.count)
            for element in elements { append(element, depth: depth + 1) }
        case .map(let map):
            tag(.map)
            writer.count(map.entries.count)
            for (key, value) in map.entries {
                append(key, depth: depth + 1)
                append(value, depth: depth + 1)
            }
        case .object(let object): append(object, depth: depth)
        case .optional(let optional):
            tag(optional.wrapped == nil ? .none : .some)
            if let wrapped = optional.wrapped { append(wrapped, depth: depth + 1) }
        case .type, .opaque: append(.unreadable("a \(value.typeName) cannot be stored"))
        case .error(let error): append(error)
        }
    }

    private mutating func tag(_ tag: ValueTag) { writer.byte(tag.rawValue) }

    private mutating func append(_ error: EvaluationError) {
        if error === SessionDetail.unread { return tag(.unread) }
        tag(.error)
        writer.text(error.code.rawValue)
        writer.text(error.message)
    }

    private mutating func append(_ object: Object, depth: Int) {
        tag(.object)
        if let index = known[object.type] {
            writer.count(index)
        } else {
            writer.count(known.count)
            known[object.type] = known.count
            writer.text(object.type.name)
            writer.count(object.type.fields.count)
            for field in object.type.fields { writer.text(field.name) }
        }
        for slot in object.slots { append(slot, depth: depth + 1) }
    }
}

extension ByteWriter {
    mutating func timestamp(_ time: Timestamp) {
        signed(time.seconds)
        signed(Int64(time.nanoseconds))
    }
}
