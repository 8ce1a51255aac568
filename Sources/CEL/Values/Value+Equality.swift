extension Value {
    /// CEL's equality (langdef, "Equality"): numbers by exact value whatever their type, NaN unequal to everything, text
    /// by code point, lists, maps and objects part by part. Values of different kinds are unequal, and an error equals
    /// nothing.
    ///
    /// - Complexity: linear in the smaller value written out, which may be far larger than it is in memory: an
    ///   expression can put one list twice into the next. Where expressions decide use `equality(with:)`.
    package func equals(_ other: Value) -> Bool {
        var steps = Int.max
        return equals(other, within: &steps)
    }

    /// The same as a CEL value: a bool, or the error `budgetExceeded` after a million parts.
    package func equality(with other: Value) -> Value {
        var steps = 1_000_000
        let isEqual = equals(other, within: &steps)
        return steps >= 0 ? .bool(isEqual) : .error(.tooManyParts)
    }

    /// Takes one of `steps` for every part compared; the result means nothing once they are below zero.
    func equals(_ other: Value, within steps: inout Int) -> Bool {
        switch (self, other) {
        case (.string(let a), .string(let b)): a.hasSameCodePoints(as: b)
        case (.bool(let a), .bool(let b)): a == b
        case (.null, .null): true
        case (.bytes(let a), .bytes(let b)): a == b
        case (.list(let a), .list(let b)): a.equals(b, within: &steps)
        case (.map(let a), .map(let b)): a.equals(b, within: &steps)
        case (.object(let a), .object(let b)): a.equals(b, within: &steps)
        case (.optional(let a), .optional(let b)): a.equals(b, within: &steps)
        case (.type(let a), .type(let b)): a.isSameAtRunTime(as: b)
        default: compare(other) == .equal
        }
    }
}

extension EvaluationError {
    static var tooManyParts: EvaluationError {
        EvaluationError(.budgetExceeded, "the values have too many parts to compare")
    }
}

extension [Value] {
    fileprivate func equals(_ other: [Value], within steps: inout Int) -> Bool {
        guard count == other.count else { return false }
        for (a, b) in zip(self, other) {
            steps -= 1
            guard steps >= 0, a.equals(b, within: &steps) else { return false }
        }
        return true
    }
}

extension MapValue {
    fileprivate func equals(_ other: MapValue, within steps: inout Int) -> Bool {
        guard entries.count == other.entries.count else { return false }
        for entry in entries {
            steps -= 1
            guard steps >= 0, let value = other[entry.key], entry.value.equals(value, within: &steps) else {
                return false
            }
        }
        return true
    }
}

extension Object {
    fileprivate func equals(_ other: Object, within steps: inout Int) -> Bool {
        self === other || (type == other.type && slots.equals(other.slots, within: &steps))
    }
}

extension OptionalValue {
    fileprivate func equals(_ other: OptionalValue, within steps: inout Int) -> Bool {
        switch (wrapped, other.wrapped) {
        case (nil, nil): return true
        case (let a?, let b?):
            steps -= 1
            return steps >= 0 && a.equals(b, within: &steps)
        default: return false
        }
    }
}
