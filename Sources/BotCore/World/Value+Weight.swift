import CEL

extension Value {
    /// What it keeps in memory, in bytes, roughly: enough to tell much from little.
    ///
    /// - Complexity: O(size).
    var weight: Int {
        switch self {
        case .string(let text): 32 + text.utf8.count
        case .bytes(let bytes): 48 + bytes.count
        case .list(let elements): 48 + elements.weight
        // Each entry stands in the index of its map too.
        case .map(let map): map.entries.reduce(64) { $0 + 96 + $1.key.weight + $1.value.weight }
        case .object(let object): 48 + object.slots.weight
        default: 16
        }
    }
}

extension Collection<Value> {
    /// Of all elements together.
    var weight: Int { reduce(0) { $0 + $1.weight } }
}
