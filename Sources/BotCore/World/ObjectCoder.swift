package import CEL

/// Values as bytes, for the store: latest readings, subjects, what a decision saw.
///
/// Objects are written by field name, the names of a type once per value, so that a later version with other fields reads
/// them: a field that is gone is left out, a new one is null or, where it cannot be, unavailable.
package struct ObjectCoder: Sendable {
    /// Why stored bytes are not a value.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private let types: [String: ObjectType]

    private static let version: UInt8 = 1
    /// JSON of Zimmer goes to 64; declared types and lists around it add a few.
    private static let maximumDepth = 96

    package init(types: [ObjectType] = WorldSchema.types) {
        self.types = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func encode(_ value: Value) -> [UInt8] {
        var encoder = Encoder()
        encoder.writer.byte(Self.version)
        encoder.append(value, depth: 0)
        return encoder.writer.bytes
    }

    package func decode(_ bytes: [UInt8]) throws(Failure) -> Value {
        do throws(ByteReader.Failure) {
            var decoder = Decoder(reader: ByteReader(bytes), types: types)
            let version = try decoder.reader.byte()
            guard version == Self.version else {
                throw ByteReader.Failure("the value was stored in form \(version), this version reads \(Self.version)")
            }
            let value = try decoder.value(depth: 0)
            try decoder.reader.finish()
            return value
        } catch {
            throw Failure(description: error.description)
        }
    }

    private enum Tag: UInt8 {
        case null, `false`, `true`, int, uint, double, string, bytes, timestamp, duration, list, map, object, none, some
        case error
        /// `SessionDetail.unread`, of which most sessions have several.
        case unread
    }

    private struct Encoder {
        /// A session has a few thousand bytes.
        var writer = ByteWriter(capacity: 4_096)
        private var known: [ObjectType: Int] = [:]

        mutating func append(_ value: Value, depth: Int) {
            guard depth < maximumDepth else { return append(.unreadable("the value was too deep to be stored")) }
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

        private mutating func tag(_ tag: Tag) { writer.byte(tag.rawValue) }

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

    private struct Decoder {
        var reader: ByteReader
        let types: [String: ObjectType]
        private var known: [StoredType] = []

        /// An object type as it was when the value was stored.
        private struct StoredType {
            var type: ObjectType
            /// Where each stored field goes today; nil for one that is gone.
            var slots: [Int?]
            /// What the fields hold that were not stored.
            var missing: [Value]
        }

        init(reader: ByteReader, types: [String: ObjectType]) {
            self.reader = reader
            self.types = types
        }

        mutating func value(depth: Int) throws(ByteReader.Failure) -> Value {
            guard depth <= maximumDepth else { throw ByteReader.Failure("a stored value is too deep") }
            guard let tag = Tag(rawValue: try reader.byte()) else {
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

extension ByteWriter {
    mutating func timestamp(_ time: Timestamp) {
        signed(time.seconds)
        signed(Int64(time.nanoseconds))
    }
}
