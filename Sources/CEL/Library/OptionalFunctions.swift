// The `optional` extension. `or` and `orValue` are here for their types: a node of their own evaluates them.
extension Library {
    private static let element = Type.parameter("T")
    private static let optional = Type.optional(element)

    static let optionals: [Function] = [
        Function(
            "optional.of", summary: "An optional with a value",
            [.unary(element, returns: optional) { value, _ throws(EvaluationError) in .optional(OptionalValue(value)) }]
        ),
        Function(
            "optional.ofNonZeroValue", summary: "An optional with a value, or none when it is null, zero or empty",
            [
                .unary(element, returns: optional) { value, _ throws(EvaluationError) in
                    .optional(value.isZero ? .none : OptionalValue(value))
                }
            ]),
        Function(
            "optional.none", summary: "An optional without a value",
            [.general([], returns: optional) { _, _ throws(EvaluationError) in .optional(.none) }]),
        Function(
            "optional.unwrap", summary: "The values of the optionals in a list that have one",
            [.unary(.list(optional), returns: .list(element), unwrap)]),
        Function(
            "unwrapOpt", summary: "The values of the optionals in a list that have one",
            [.unary(.list(optional), returns: .list(element), unwrap)].asMembers),
        Function(
            "hasValue", summary: "Whether an optional has a value",
            [
                Overload.unary(optional, returns: .bool) { value, _ throws(EvaluationError) in
                    .bool(try value.optional.wrapped != nil)
                }.asMember
            ]),
        Function(
            "value", summary: "The value of an optional; an error when it has none",
            [
                Overload.unary(optional, returns: element) { value, _ throws(EvaluationError) in
                    guard let wrapped = try value.optional.wrapped else {
                        throw EvaluationError(.invalidArgument, "this optional has no value; orValue() gives another")
                    }
                    return wrapped
                }.asMember
            ]),
        Function(
            "or", summary: "The optional if it has a value, else another",
            [
                Overload.binary(optional, optional, returns: optional) { value, other, _ throws(EvaluationError) in
                    try value.optional.wrapped == nil ? other : value
                }.asMember
            ]),
        Function(
            "orValue", summary: "The value of an optional, else another value",
            [
                Overload.binary(optional, element, returns: element) { value, other, _ throws(EvaluationError) in
                    try value.optional.wrapped ?? other
                }.asMember
            ]),
    ]

    @Sendable private static func unwrap(_ list: Value, _ budget: inout Budget) throws(EvaluationError) -> Value {
        let list = try list.list
        try budget.charge(list.count)
        var values: [Value] = []
        for element in list {
            if let wrapped = try element.optional.wrapped { values.append(wrapped) }
        }
        return .list(values)
    }
}

extension Value {
    fileprivate var optional: OptionalValue {
        get throws(EvaluationError) {
            guard case .optional(let optional) = self else { throw wrongType }
            return optional
        }
    }

    /// Whether it is what its type begins with: null, false, zero, or empty.
    fileprivate var isZero: Bool {
        switch self {
        case .null: true
        case .bool(let value): !value
        case .int(let number): number == 0
        case .uint(let number): number == 0
        case .double(let number): number == 0
        case .string(let text): text.isEmpty
        case .bytes(let bytes): bytes.isEmpty
        case .timestamp(let time): time == Timestamp(seconds: 0)
        case .duration(let duration): duration == .zero
        case .list(let list): list.isEmpty
        case .map(let map): map.count == 0
        case .optional(let optional): optional.wrapped == nil
        case .type, .object, .opaque, .error: false
        }
    }
}
