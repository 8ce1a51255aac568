extension Value {
    /// CEL's `==`: by code point, across int, uint and double, lists and maps by content. NaN equals nothing.
    ///
    /// False when a value inside could not be read, or when the values are so large that comparing them would take
    /// millions of steps.
    package func equals(_ other: Value) -> Bool {
        var budget = Budget(10_000_000)
        return (try? isEqual(to: other, &budget)) ?? false
    }

    func isEqual(to other: Value, _ budget: inout Budget) throws(EvaluationError) -> Bool {
        switch (self, other) {
        case (.string(let a), .string(let b)):
            guard budget.spend(comparing: a, b) else { throw .budgetExceeded }
            return a.hasSameText(as: b)
        case (.bool(let a), .bool(let b)): return a == b
        case (.int(let a), .int(let b)): return a == b
        case (.null, .null): return true
        case (.bytes(let a), .bytes(let b)):
            guard a.count == b.count else { return false }
            try budget.charge(bytes: a.count)
            return a == b
        case (.timestamp(let a), .timestamp(let b)): return a == b
        case (.duration(let a), .duration(let b)): return a == b
        case (.list(let a), .list(let b)): return try Value.areEqual(a, b, &budget)
        case (.map(let a), .map(let b)): return try a.isEqual(to: b, &budget)
        case (.type(let a), .type(let b)): return a.runtimeName == b.runtimeName
        case (.object(let a), .object(let b)): return try a.isEqual(to: b, &budget)
        case (.optional(let a), .optional(let b)): return try a.isEqual(to: b, &budget)
        case (.opaque(let a), .opaque(let b)): return a.isEqual(to: b)
        case (.error(let error), _), (_, .error(let error)): throw error
        default: return numericOrder(other) == .equal
        }
    }

    static func areEqual(_ a: [Value], _ b: [Value], _ budget: inout Budget) throws(EvaluationError) -> Bool {
        guard a.count == b.count else { return false }
        try budget.charge(a.count)
        for index in a.indices where try !a[index].isEqual(to: b[index], &budget) { return false }
        return true
    }

    /// How two values are ordered by `<`; nil when they are not.
    package func compare(_ other: Value) -> Ordering? {
        switch (self, other) {
        case (.int(let a), .int(let b)): return Ordering(a, b)
        case (.timestamp(let a), .timestamp(let b)): return Ordering(a, b)
        case (.duration(let a), .duration(let b)): return Ordering(a, b)
        case (.string(let a), .string(let b)): return Ordering(a.order(b), 0)
        case (.bytes(let a), .bytes(let b)):
            if a == b { return .equal }
            return a.lexicographicallyPrecedes(b) ? .less : .greater
        case (.bool(let a), .bool(let b)): return Ordering(a ? 1 : 0, b ? 1 : 0)
        default: return numericOrder(other)
        }
    }

    private func numericOrder(_ other: Value) -> Ordering? {
        switch (self, other) {
        case (.int(let a), .int(let b)): Ordering(a, b)
        case (.uint(let a), .uint(let b)): Ordering(a, b)
        case (.double(let a), .double(let b)): Ordering(a, b)
        case (.int(let a), .uint(let b)): a < 0 ? .less : Ordering(UInt64(a), b)
        case (.uint(let a), .int(let b)): b < 0 ? .greater : Ordering(a, UInt64(b))
        // An integer is taken as the double nearest to it, as the conformance suite has it.
        case (.double(let a), .int(let b)): Ordering(a, Double(b))
        case (.double(let a), .uint(let b)): Ordering(a, Double(b))
        case (.int(let a), .double(let b)): Ordering(Double(a), b)
        case (.uint(let a), .double(let b)): Ordering(Double(a), b)
        default: nil
        }
    }
}

/// How one value stands to another. NaN is unordered with everything.
package enum Ordering: Hashable, Sendable {
    case less, equal, greater, unordered

    package init<T: Comparable>(_ a: T, _ b: T) {
        self = a < b ? .less : a == b ? .equal : a > b ? .greater : .unordered
    }
}

extension OptionalValue {
    func isEqual(to other: OptionalValue, _ budget: inout Budget) throws(EvaluationError) -> Bool {
        switch (wrapped, other.wrapped) {
        case (nil, nil): return true
        case (let a?, let b?): return try a.isEqual(to: b, &budget)
        default: return false
        }
    }
}

extension Object {
    func isEqual(to other: Object, _ budget: inout Budget) throws(EvaluationError) -> Bool {
        if self === other { return true }
        guard type == other.type else { return false }
        return try Value.areEqual(slots, other.slots, &budget)
    }
}
