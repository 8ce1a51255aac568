/// The types of a function or operator.
struct Signature {
    var parameters: [Type]
    var result: Type
    var isMember = false

    var typeParameters: Set<String> { Set((parameters + [result]).flatMap(\.parameters)) }

    func mapTypes(_ transform: (Type) -> Type) -> Signature {
        Signature(parameters: parameters.map(transform), result: transform(result), isMember: isMember)
    }

    /// `string.contains(string) -> bool`
    func description(of name: String) -> String {
        let types = parameters.map(\.description)
        return isMember && !types.isEmpty
            ? "\(types[0]).\(name)(\(types.dropFirst().joined(separator: ", "))) -> \(result)"
            : "\(name)(\(types.joined(separator: ", "))) -> \(result)"
    }
}

extension Overload {
    var signature: Signature { Signature(parameters: parameters, result: result, isMember: isMember) }
}

extension Operator {
    /// How people write it.
    static func symbol(_ name: String) -> String {
        name == isIn ? "in" : String(name.filter { $0 != "_" })
    }

    static let signatures: [String: [Signature]] = [
        not: [Signature(parameters: [.bool], result: .bool)],
        negate: [.int, .double].map { Signature(parameters: [$0], result: $0) },
        add: same([.int, .uint, .double, .string, .bytes, .list(.parameter("A")), .duration]) + [
            Signature(parameters: [.timestamp, .duration], result: .timestamp),
            Signature(parameters: [.duration, .timestamp], result: .timestamp),
        ],
        subtract: same([.int, .uint, .double, .duration]) + [
            Signature(parameters: [.timestamp, .duration], result: .timestamp),
            Signature(parameters: [.timestamp, .timestamp], result: .duration),
        ],
        multiply: same([.int, .uint, .double]),
        divide: same([.int, .uint, .double]),
        modulo: same([.int, .uint]),
        equals: equality, notEquals: equality,
        less: ordering, lessOrEqual: ordering, greater: ordering, greaterOrEqual: ordering,
        isIn: [
            Signature(parameters: [.parameter("A"), .list(.parameter("A"))], result: .bool),
            Signature(parameters: [.parameter("A"), .map(.parameter("A"), .parameter("B"))], result: .bool),
        ],
    ]

    private static func same(_ types: [Type]) -> [Signature] {
        types.map { Signature(parameters: [$0, $0], result: $0) }
    }

    private static let equality = [Signature(parameters: [.parameter("A"), .parameter("A")], result: .bool)]

    private static let ordering = [Type.bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration].map {
        Signature(parameters: [$0, $0], result: .bool)
    }
}
