import CEL

/// A value that a condition compares with, as far as it can be reasoned about.
enum Constant: Hashable {
    case null
    case bool(Bool)
    /// As bytes, since CEL compares text by code points and Swift does not.
    case text([UInt8])
    case number(Double)
    case duration(Duration)
    case time(Timestamp)

    /// Nil for what is not compared by value here: lists, objects, and numbers that a double cannot hold exactly.
    init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .string(let text): self = .text(Array(text.utf8))
        case .int(let int):
            guard let number = Double(exactly: int) else { return nil }
            self = .number(number)
        case .uint(let uint):
            guard let number = Double(exactly: uint) else { return nil }
            self = .number(number)
        case .double(let double):
            guard !double.isNaN else { return nil }
            self = .number(double)
        case .duration(let duration): self = .duration(duration)
        case .timestamp(let time): self = .time(time)
        default: return nil
        }
    }

    /// Nil where the two have no order.
    func isLess(than other: Constant) -> Bool? {
        switch (self, other) {
        case (.number(let a), .number(let b)): a < b
        case (.duration(let a), .duration(let b)): a < b
        case (.time(let a), .time(let b)): a < b
        default: nil
        }
    }

    /// Numbers, durations and times.
    var isOrdered: Bool { isLess(than: self) != nil }
}
