import CEL

extension RuleFunctions {
    private static let element = Type.parameter("T")

    static let lists: [Function] = [
        Function(
            "reverse",
            [
                .init([.list(element)], returns: .list(element), isMember: true) { arguments, _ in
                    list(arguments, "reverse()") { .list($0.reversed()) }
                }
            ], documentation: "The elements from last to first."),
        Function(
            "take",
            [
                .init([.list(element), .int], returns: .list(element), isMember: true) { arguments, _ in
                    list(arguments, "take()") { elements in
                        guard case .int(let count) = arguments.last, count >= 0 else {
                            return .refused("take() takes how many")
                        }
                        return .list(Array(elements.prefix(Int(clamping: count))))
                    }
                }
            ], documentation: "The first so many elements."),
        Function(
            "distinct",
            [
                .init([.list(element)], returns: .list(element), isMember: true) { arguments, _ in
                    list(arguments, "distinct()", distinct)
                }
            ], documentation: "Each value once, where it comes first."),
        Function(
            "sum",
            [
                sum(of: .int, from: .int(0)), sum(of: .uint, from: .uint(0)), sum(of: .double, from: .double(0)),
                sum(of: .duration, from: .duration(.zero)),
            ], documentation: "Numbers or durations added up."),
    ]

    private static func list(_ arguments: [Value], _ name: String, _ body: ([Value]) -> Value) -> Value {
        guard case .list(let elements) = arguments.first else { return .refused("\(name) takes a list") }
        return body(elements)
    }

    /// What has no cheap key is compared with everything before it, so there may not be much of it.
    private static let mostUnkeyed = 200

    private static func distinct(_ elements: [Value]) -> Value {
        var keys: Set<[UInt8]> = []
        var unkeyed: [Value] = []
        var kept: [Value] = []
        for element in elements {
            if let key = element.identity {
                if keys.insert(Array(key.utf8)).inserted { kept.append(element) }
                continue
            }
            if unkeyed.contains(where: { $0.equals(element) }) { continue }
            guard unkeyed.count < mostUnkeyed else {
                return .refused("distinct() compares at most \(mostUnkeyed) lists, maps or objects")
            }
            unkeyed.append(element)
            kept.append(element)
        }
        return .list(kept)
    }

    private static func sum(of type: Type, from zero: Value) -> Overload {
        Overload([.list(type)], returns: type, isMember: true) { arguments, _ in
            list(arguments, "sum()") { elements in
                var total: Value?
                for element in elements {
                    guard let next = (total ?? element.zero).flatMap({ $0.adding(element) }) else {
                        return .refused("sum() takes numbers of one type, or durations")
                    }
                    if case .error = next { return next }
                    total = next
                }
                return total ?? zero
            }
        }
    }
}

extension Value {
    /// The same text for equal values; nil for what has no short one.
    var identity: String? {
        switch self {
        case .null: "0"
        case .bool(let value): "b\(value)"
        case .int(let value): "n\(value)"
        case .uint(let value): "n\(value)"
        case .double(let value):
            Int64(exactly: value).map { "n\($0)" } ?? UInt64(exactly: value).map { "n\($0)" }
                ?? (value.isNaN ? nil : "f\(value)")
        case .string(let value): "s\(value)"
        case .timestamp(let value): "t\(value.seconds).\(value.nanoseconds)"
        case .duration(let value): "d\(value.components)"
        default: nil
        }
    }

    fileprivate var zero: Value? {
        switch self {
        case .int: .int(0)
        case .uint: .uint(0)
        case .double: .double(0)
        case .duration: .duration(.zero)
        default: nil
        }
    }

    fileprivate func adding(_ other: Value) -> Value? {
        let overflow = Value.error(EvaluationError(.overflow, "sum() overflows"))
        switch (self, other) {
        case (.int(let a), .int(let b)):
            let (sum, isTooLarge) = a.addingReportingOverflow(b)
            return isTooLarge ? overflow : .int(sum)
        case (.uint(let a), .uint(let b)):
            let (sum, isTooLarge) = a.addingReportingOverflow(b)
            return isTooLarge ? overflow : .uint(sum)
        case (.double(let a), .double(let b)): return .double(a + b)
        case (.duration(let a), .duration(let b)):
            // Each is far from the limits of `Duration`, so that their sum cannot trap.
            let sum = a + b
            return sum.isInRange ? .duration(sum) : overflow
        default: return nil
        }
    }
}
