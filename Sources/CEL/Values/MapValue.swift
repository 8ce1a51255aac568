/// An immutable CEL map. Keys are bool, int, uint or string; `1`, `1u` and `1.0` find the same entry.
package final class MapValue: Sendable {
    /// In the order of construction, which iteration keeps.
    package let entries: [(key: Value, value: Value)]
    /// The position of each key; nil for a map so small that looking through it is faster.
    private let index: [MapKey: Int]?

    private static let largestWithoutIndex = 8

    /// Trusts the caller: of equal keys only the first is found, keys of other types need not be.
    package init(_ entries: [(key: Value, value: Value)]) {
        self.entries = entries
        self.index = entries.count > Self.largestWithoutIndex ? Self.positions(in: entries) : nil
    }

    /// Refuses what a map literal may not contain: equal keys, and keys that are not bool, int, uint or string.
    package init(validating entries: [(key: Value, value: Value)]) throws(EvaluationError) {
        for (key, _) in entries {
            switch key {
            case .bool, .int, .uint, .string: continue
            default: throw EvaluationError(.invalidArgument, "a map key cannot be a \(key.typeName)")
            }
        }
        let positions = Self.positions(in: entries)
        if positions.count < entries.count {
            throw EvaluationError(.invalidArgument, "the map has the same key twice")
        }
        self.entries = entries
        self.index = entries.count > Self.largestWithoutIndex ? positions : nil
    }

    /// The value of the entry whose key equals `key`.
    ///
    /// - Complexity: O(1).
    package subscript(_ key: Value) -> Value? {
        position(of: key).map { entries[$0].value }
    }

    private func position(of key: Value) -> Int? {
        if let index { return MapKey(key).flatMap { index[$0] } }
        return entries.firstIndex { $0.key.equals(key) }
    }

    private static func positions(in entries: [(key: Value, value: Value)]) -> [MapKey: Int] {
        var positions: [MapKey: Int] = [:]
        positions.reserveCapacity(entries.count)
        for (position, entry) in entries.enumerated() {
            guard let key = MapKey(entry.key), positions[key] == nil else { continue }
            positions[key] = position
        }
        return positions
    }
}
