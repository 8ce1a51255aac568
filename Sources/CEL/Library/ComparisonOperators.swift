/// `== != < <= > >=` (langdef, "Equality" and "Ordering").
enum ComparisonOperators {
    static let functions: [Function] =
        [
            Function(
                Operator.equals,
                [.generic([.parameter("A"), .parameter("A")], returns: .bool) { $0[0].equality(with: $0[1]) }],
                documentation: "Whether two values are equal; numbers are, whatever their types, when their values are."
            ),
            Function(
                Operator.notEquals,
                [.generic([.parameter("A"), .parameter("A")], returns: .bool) { differ($0[0], $0[1]) }],
                documentation: "Whether two values are not equal."),
        ] + orders.map { Function($0.name, sameType(holds: $0.holds), documentation: $0.documentation) }

    /// Overloads that compare numbers of different types, by operator: for environments that allow it.
    static let mixed: [String: [Overload]] = Dictionary(
        uniqueKeysWithValues: orders.map { order in
            let numbers: [Type] = [.int, .uint, .double]
            let pairs = numbers.flatMap { a in numbers.filter { $0 != a }.map { b in [a, b] } }
            return (order.name, pairs.map { overload($0, holds: order.holds) })
        })

    private typealias Test = @Sendable (Ordering) -> Bool

    private static let orders: [(name: String, holds: Test, documentation: String)] = [
        (Operator.less, { $0 == .less }, "Whether the first value comes before the second."),
        (Operator.lessOrEqual, { $0 != .greater }, "Whether the first value does not come after the second."),
        (Operator.greater, { $0 == .greater }, "Whether the first value comes after the second."),
        (Operator.greaterOrEqual, { $0 != .less }, "Whether the first value does not come before the second."),
    ]

    private static func sameType(holds: @escaping Test) -> [Overload] {
        let ordered: [Type] = [.bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration]
        return ordered.map { overload([$0, $0], holds: holds) }
    }

    private static func overload(_ parameters: [Type], holds: @escaping Test) -> Overload {
        .generic(parameters, returns: .bool) { arguments in
            if let order = arguments[0].compare(arguments[1]) { return .bool(holds(order)) }
            // NaN is not before, after or equal to any number.
            return arguments.allSatisfy(\.isNumber) ? .bool(false) : .noSuchOverload(arguments)
        }
    }

    private static func differ(_ a: Value, _ b: Value) -> Value {
        if case .bool(let areEqual) = a.equality(with: b) { return .bool(!areEqual) }
        return a.equality(with: b)
    }
}

extension Value {
    var isNumber: Bool {
        switch self {
        case .int, .uint, .double: true
        default: false
        }
    }
}
