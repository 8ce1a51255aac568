extension Value {
    /// The order of two values; nil when they have none: NaN, kinds that are not ordered or not with each other.
    ///
    /// int, uint and double are ordered by their exact values, false comes before true, text by code point.
    package func compare(_ other: Value) -> Ordering? {
        switch (self, other) {
        case (.int(let a), .int(let b)): Ordering(a, b)
        case (.double(let a), .double(let b)): a.isNaN || b.isNaN ? nil : Ordering(a, b)
        case (.string(let a), .string(let b)): a.compareCodePoints(b)
        case (.timestamp(let a), .timestamp(let b)): Ordering(a, b)
        case (.duration(let a), .duration(let b)): Ordering(a, b)
        case (.uint(let a), .uint(let b)): Ordering(a, b)
        case (.int(let a), .uint(let b)): exactOrder(a, b)
        case (.uint(let a), .int(let b)): exactOrder(b, a).reversed
        case (.int(let a), .double(let b)): exactOrder(a, b)
        case (.double(let a), .int(let b)): exactOrder(b, a)?.reversed
        case (.uint(let a), .double(let b)): exactOrder(a, b)
        case (.double(let a), .uint(let b)): exactOrder(b, a)?.reversed
        case (.bool(let a), .bool(let b)): Ordering(a ? 1 : 0, b ? 1 : 0)
        case (.bytes(let a), .bytes(let b)): a.withUnsafeBytes { a in b.withUnsafeBytes { b in a.compare(b) } }
        default: nil
        }
    }
}

private func exactOrder(_ a: Int64, _ b: UInt64) -> Ordering {
    a < 0 ? .less : Ordering(UInt64(a), b)
}

/// Compares without rounding the integer to a double, which has 53 bits for it.
private func exactOrder<I: FixedWidthInteger>(_ a: I, _ b: Double) -> Ordering? {
    if b.isNaN { return nil }
    let whole = b.rounded(.towardZero)
    // Beyond the integer's range, including infinities, the sign decides.
    guard let bound = I(exactly: whole) else { return b < 0 ? .greater : .less }
    return a == bound ? Ordering(0, b - whole) : Ordering(a, bound)
}
