extension Value {
    /// CEL's equality (langdef, "Equality"): numbers by exact value whatever their type, NaN unequal to everything, text
    /// by code point, lists, maps and objects part by part. Values of different kinds are unequal, and an error equals
    /// nothing.
    ///
    /// - Complexity: linear in the size of the smaller value.
    package func equals(_ other: Value) -> Bool {
        switch (self, other) {
        case (.string(let a), .string(let b)): a.hasSameCodePoints(as: b)
        case (.bool(let a), .bool(let b)): a == b
        case (.null, .null): true
        case (.bytes(let a), .bytes(let b)): a == b
        case (.list(let a), .list(let b)): a.equals(b)
        case (.map(let a), .map(let b)): a.equals(b)
        case (.object(let a), .object(let b)): a.equals(b)
        case (.optional(let a), .optional(let b)): a.equals(b)
        case (.type(let a), .type(let b)): a.isSameAtRunTime(as: b)
        default: compare(other) == .equal
        }
    }
}

extension [Value] {
    fileprivate func equals(_ other: [Value]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.equals($1) }
    }
}

extension MapValue {
    fileprivate func equals(_ other: MapValue) -> Bool {
        entries.count == other.entries.count
            && entries.allSatisfy { entry in other[entry.key]?.equals(entry.value) ?? false }
    }
}

extension Object {
    fileprivate func equals(_ other: Object) -> Bool {
        if self === other { return true }
        return type == other.type && slots.equals(other.slots)
    }
}

extension OptionalValue {
    fileprivate func equals(_ other: OptionalValue) -> Bool {
        switch (wrapped, other.wrapped) {
        case (nil, nil): true
        case (let a?, let b?): a.equals(b)
        default: false
        }
    }
}
