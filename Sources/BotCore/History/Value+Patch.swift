import CEL

/// How a value is told from the one before: the whole of it, or what changed inside.
private enum PatchTag: UInt8 {
    case same, whole
    /// Fields of an object, elements of a list or values of a map, by their position.
    case members
}

extension ValueEncoder {
    /// Writes what makes `new` of `old`; nothing but a byte where they are the same.
    mutating func patch(_ old: Value?, _ new: Value, depth: Int = 0) {
        guard let old, depth < ValueDecoder.maximumDepth else { return whole(new, depth) }
        if new.isExactly(old) { return writer.byte(PatchTag.same.rawValue) }
        switch (old, new) {
        case (.object(let old), .object(let new)) where old.type == new.type:
            members(old.slots, new.slots, depth)
        case (.list(let old), .list(let new)) where old.count == new.count: members(old, new, depth)
        case (.map(let old), .map(let new)) where new.hasKeys(of: old):
            members(old.entries.map(\.value), new.entries.map(\.value), depth)
        default: whole(new, depth)
        }
    }

    private mutating func whole(_ value: Value, _ depth: Int) {
        writer.byte(PatchTag.whole.rawValue)
        append(value, depth: depth)
    }

    private mutating func members(_ old: [Value], _ new: [Value], _ depth: Int) {
        let changed = new.indices.filter { !new[$0].isExactly(old[$0]) }
        writer.byte(PatchTag.members.rawValue)
        writer.count(changed.count)
        for index in changed {
            writer.count(index)
            patch(old[index], new[index], depth: depth + 1)
        }
    }
}

extension ValueDecoder {
    /// The value that a patch makes of the one before.
    mutating func patched(_ old: Value?, depth: Int = 0) throws(ByteReader.Failure) -> Value {
        guard depth <= Self.maximumDepth else { throw ByteReader.Failure("a recorded change is too deep") }
        switch PatchTag(rawValue: try reader.byte()) {
        case .whole: return try value(depth: depth)
        case .same:
            guard let old else { throw .noSuchValue }
            return old
        case .members:
            switch old {
            case .object(let object): return .object(try patched(object, depth))
            case .list(let list): return .list(try members(list, depth) { $0 })
            case .map(let map):
                let values = try members(map.entries.map(\.value), depth) { $0 }
                return .map(MapValue(zip(map.entries, values).map { ($0.key, $1) }))
            default: throw .noSuchValue
            }
        case nil: throw ByteReader.Failure("a recorded change is of no known kind")
        }
    }

    /// Fields go by their positions when the change was recorded, which a later version may have elsewhere.
    private mutating func patched(_ object: Object, _ depth: Int) throws(ByteReader.Failure) -> Object {
        guard let stored = known.first(where: { $0.type == object.type }) else { throw .noSuchValue }
        let slots = try members(object.slots, depth) { $0 < stored.slots.count ? stored.slots[$0] : nil }
        return Object(object.type, slots)
    }

    private mutating func members(
        _ old: [Value], _ depth: Int, at place: (Int) -> Int?
    ) throws(ByteReader.Failure) -> [Value] {
        var values = old
        for _ in 0..<(try reader.count()) {
            let index = Int(clamping: try reader.unsigned())
            let place = place(index)
            let value = try patched(place.flatMap { $0 < old.count ? old[$0] : nil } ?? .null, depth: depth + 1)
            if let place {
                guard place < values.count else { throw .noSuchValue }
                values[place] = value
            }
        }
        return values
    }
}

extension ByteReader.Failure {
    static let noSuchValue = ByteReader.Failure("a recorded change is to a value that is not there")
}

extension Value {
    /// Nothing distinguishes the two, not even what CEL takes for equal: `1` and `1.0`, texts that only look the same.
    func isExactly(_ other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.uint(let a), .uint(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.bytes(let a), .bytes(let b)): a == b
        case (.timestamp(let a), .timestamp(let b)): a == b
        case (.duration(let a), .duration(let b)): a == b
        case (.list(let a), .list(let b)): a.isExactly(b)
        case (.map(let a), .map(let b)):
            a === b || a.hasKeys(of: b) && zip(a.entries, b.entries).allSatisfy { $0.value.isExactly($1.value) }
        case (.object(let a), .object(let b)): a === b || a.type == b.type && a.slots.isExactly(b.slots)
        case (.optional(let a), .optional(let b)):
            switch (a.wrapped, b.wrapped) {
            case (nil, nil): true
            case (let a?, let b?): a.isExactly(b)
            default: false
            }
        case (.error(let a), .error(let b)): a.code == b.code && a.message.utf8.elementsEqual(b.message.utf8)
        default: false
        }
    }
}

extension [Value] {
    fileprivate func isExactly(_ other: [Value]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isExactly($1) }
    }
}

extension MapValue {
    /// The same keys in the same order.
    fileprivate func hasKeys(of other: MapValue) -> Bool {
        count == other.count && zip(entries, other.entries).allSatisfy { $0.key.isExactly($1.key) }
    }
}
