/// An immutable CEL map. Keys are bool, int, uint or string; `1`, `1u` and `1.0` find the same entry.
package final class MapValue: Sendable {
    static let empty = MapValue([])

    /// In the order of construction, which iteration keeps.
    package let entries: [(key: Value, value: Value)]
    /// Positions by key; nil while a few comparisons are quicker than a hash.
    private let index: [MapKey: Int]?

    package init(_ entries: [(key: Value, value: Value)]) {
        self.entries = entries
        guard entries.count > 8 else {
            index = nil
            return
        }
        var index: [MapKey: Int] = [:]
        index.reserveCapacity(entries.count)
        for (position, entry) in entries.enumerated() {
            guard let key = entry.key.mapKey, index[key] == nil else { continue }
            index[key] = position
        }
        self.index = index
    }

    /// Refuses what a map literal may not contain: equal keys, and keys that are not bool, int, uint or string.
    package convenience init(validating entries: [(key: Value, value: Value)]) throws(EvaluationError) {
        if let wrong = entries.first(where: { !$0.key.isMapKey }) {
            throw EvaluationError(.noSuchOverload, "a \(wrong.key.typeName) cannot be a key")
        }
        self.init(entries)
        if let key = duplicateKey {
            throw EvaluationError(.invalidArgument, "the key '\(key.text.prefix(40))' occurs twice")
        }
    }

    /// A map whose keys are text, as JSON has them.
    package convenience init(named entries: [(String, Value)]) {
        self.init(entries.map { (key: .string($0), value: $1) })
    }

    package var count: Int { entries.count }

    /// The value of a key, nil when there is none.
    package subscript(key key: Value) -> Value? {
        guard let index else { return entries.first { $0.key.isSameKey(as: key) }?.value }
        guard let mapKey = key.mapKey, let position = index[mapKey] else { return nil }
        return entries[position].value
    }

    package subscript(name name: String) -> Value? {
        self[key: .string(name)]
    }

    /// The first key that occurs again.
    private var duplicateKey: Value? {
        if let index {
            guard index.count < entries.count else { return nil }
            return entries.enumerated().first { position, entry in
                entry.key.mapKey.flatMap { index[$0] } != position
            }?.element.key
        }
        return entries.indices.first { position in
            entries[..<position].contains { $0.key.isSameKey(as: entries[position].key) }
        }.map { entries[$0].key }
    }

    func isEqual(to other: MapValue, _ budget: inout Budget) throws(EvaluationError) -> Bool {
        if self === other && entries.isEmpty { return true }
        guard count == other.count else { return false }
        try budget.charge(count)
        for entry in entries {
            try budget.charge(entry.key.weight)
            guard let value = other[key: entry.key], try entry.value.isEqual(to: value, &budget) else { return false }
        }
        return true
    }
}

/// A map key by CEL's equality, for hashing: numbers of equal value are one key, text is its UTF-8.
package enum MapKey: Hashable, Sendable {
    case bool(Bool)
    case int(Int64)
    /// Only above what `int` holds.
    case uint(UInt64)
    case string(TextKey)
}

/// Text that is equal and hashed by its bytes.
package struct TextKey: Hashable, Sendable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (a: TextKey, b: TextKey) -> Bool {
        a.text.hasSameText(as: b.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Value {
    /// Nil for what cannot be a key. A double is one only for looking up a whole number.
    package var mapKey: MapKey? {
        switch self {
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .uint(let value): Int64(exactly: value).map(MapKey.int) ?? .uint(value)
        case .double(let value): Int64(exactly: value).map(MapKey.int) ?? UInt64(exactly: value).map(MapKey.uint)
        case .string(let value): .string(TextKey(value))
        default: nil
        }
    }

    fileprivate var isMapKey: Bool {
        switch self {
        case .bool, .int, .uint, .string: true
        default: false
        }
    }

    fileprivate func isSameKey(as other: Value) -> Bool {
        switch (self, other) {
        case (.string(let a), .string(let b)): a.hasSameText(as: b)
        case (.bool(let a), .bool(let b)): a == b
        case (.string, _), (.bool, _), (_, .string), (_, .bool): false
        default: compare(other) == .equal
        }
    }
}
