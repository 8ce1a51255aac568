import CEL

/// Reads what `ValueEncoder` wrote.
struct ValueDecoder {
    /// JSON of Zimmer goes to 64; declared types and lists around it add a few.
    static let maximumDepth = 96

    var reader: ByteReader
    let types: [String: ObjectType]
    var known: [StoredType]

    /// An object type as it was when the value was stored.
    struct StoredType {
        var type: ObjectType
        /// Where each stored field goes today; nil for one that is gone.
        var slots: [Int?]
        /// What the fields hold that were not stored.
        var missing: [Value]

        /// The fields are those of today.
        var isCurrent: Bool { slots.elementsEqual(type.fields.indices.map(Int?.some)) }
    }

    init(reader: ByteReader, types: [String: ObjectType], known: [StoredType] = []) {
        self.reader = reader
        self.types = types
        self.known = known
    }

    mutating func value(depth: Int = 0) throws(ByteReader.Failure) -> Value {
        guard depth <= Self.maximumDepth else { throw ByteReader.Failure("a stored value is too deep") }
        guard let tag = ValueTag(rawValue: try reader.byte()) else {
            throw ByteReader.Failure("a stored value is of no known kind")
        }
        return switch tag {
        case .null: .null
        case .false: .bool(false)
        case .true: .bool(true)
        case .int: .int(try reader.signed())
        case .uint: .uint(try reader.unsigned())
        case .double: .double(Double(bitPattern: try reader.fixed()))
        case .string: .string(try reader.text())
        case .bytes: .bytes(Array(try reader.block()))
        case .timestamp: .timestamp(try reader.timestamp())
        case .duration: .duration(try duration())
        case .list: .list(try list(depth: depth))
        case .map: .map(try map(depth: depth))
        case .object: .object(try object(depth: depth))
        case .none: .optional(.none)
        case .some: .optional(OptionalValue(try value(depth: depth + 1)))
        case .error: .error(try error())
        case .unread: .error(SessionDetail.unread)
        }
    }

    private mutating func duration() throws(ByteReader.Failure) -> Duration {
        let seconds = try reader.signed()
        return Duration(secondsComponent: seconds, attosecondsComponent: try reader.signed())
    }

    private mutating func list(depth: Int) throws(ByteReader.Failure) -> [Value] {
        var elements: [Value] = []
        for _ in 0..<(try reader.count()) { elements.append(try value(depth: depth + 1)) }
        return elements
    }

    private mutating func map(depth: Int) throws(ByteReader.Failure) -> MapValue {
        var entries: [(key: Value, value: Value)] = []
        for _ in 0..<(try reader.count()) {
            entries.append((try value(depth: depth + 1), try value(depth: depth + 1)))
        }
        do throws(EvaluationError) {
            return try MapValue(validating: entries)
        } catch {
            throw ByteReader.Failure(error.message)
        }
    }

    private mutating func error() throws(ByteReader.Failure) -> EvaluationError {
        let code = EvaluationError.Code(rawValue: try reader.text()) ?? .unavailable
        return EvaluationError(code, try reader.text())
    }

    private mutating func object(depth: Int) throws(ByteReader.Failure) -> Object {
        let index = try reader.unsigned()
        if index == UInt64(known.count) { known.append(try storedType()) }
        guard index < UInt64(known.count) else { throw ByteReader.Failure("a stored object has no type") }
        let stored = known[Int(index)]
        var slots = stored.missing
        for slot in stored.slots {
            let value = try value(depth: depth + 1)
            if let slot { slots[slot] = value }
        }
        return Object(stored.type, slots)
    }

    private mutating func storedType() throws(ByteReader.Failure) -> StoredType {
        let name = try reader.text()
        guard let type = types[name] else { throw ByteReader.Failure("there is no type '\(name)' any more") }
        var stored = StoredType(type: type, slots: [], missing: type.fields.map(Self.missing))
        for _ in 0..<(try reader.count()) { stored.slots.append(type.slot(of: try reader.text())) }
        return stored
    }

    private static func missing(_ field: ObjectType.Field) -> Value {
        if case .nullable = field.type { return .null }
        if field.compute != nil { return .null }
        return .error(.unreadable("'\(field.name)' was not read when this was stored"))
    }
}

extension ByteReader {
    /// An instant that CEL can hold.
    mutating func timestamp() throws(Failure) -> Timestamp {
        let seconds = try signed()
        let nanoseconds = try signed()
        guard -62_135_596_800...253_402_300_799 ~= seconds, 0...999_999_999 ~= nanoseconds else {
            throw Failure("a stored time is out of range")
        }
        return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }
}
