/// The functions of optional values. `optMap` and `optFlatMap` are macros, `?.` and `[?]` syntax.
package enum OptionalLibrary {
    package static let functions: [Function] = making + using + lists

    private static let anything = Type.parameter("A")
    private static let optional = Type.optional(anything)

    private static let making: [Function] = [
        Function(
            "optional.of", [.generic([anything], returns: optional) { .optional(OptionalValue($0[0])) }],
            documentation: "An optional with the value."),
        Function(
            "optional.none", [.generic([], returns: optional) { _ in .optional(.none) }],
            documentation: "An optional without a value."),
        Function(
            "optional.ofNonZeroValue",
            [.generic([anything], returns: optional) { .optional($0[0].isZero ? .none : OptionalValue($0[0])) }],
            documentation: "An optional with the value, or without one when it is null, false, zero or empty."),
    ]

    private static let using: [Function] = [
        member("hasValue", [optional], returns: .bool, documentation: "Whether the optional has a value.") {
            wrapped, _ in .bool(wrapped != nil)
        },
        member(
            "value", [optional], returns: anything, documentation: "The value of the optional; an error without one."
        ) {
            wrapped, _ in wrapped ?? .error(EvaluationError(.invalidArgument, "the optional has no value"))
        },
        member(
            "or", [optional, optional], returns: optional,
            documentation: "The optional, or the other when it has no value."
        ) { wrapped, arguments in wrapped == nil ? arguments[1] : arguments[0] },
        member(
            "orValue", [optional, anything], returns: anything,
            documentation: "The value of the optional, or the other when it has none."
        ) { wrapped, arguments in wrapped ?? arguments[1] },
    ]

    private static let lists: [Function] = [
        Function(
            "optional.unwrap", [.generic([.list(optional)], returns: .list(anything), unwrapped)],
            documentation: "The values of those optionals of a list that have one."),
        Function(
            "unwrapOpt", [.generic([.list(optional)], returns: .list(anything), isMember: true, unwrapped)],
            documentation: "The values of those optionals of a list that have one."),
        Function(
            "first", [.generic([.list(anything)], returns: optional, isMember: true) { end(of: $0, \.first) }],
            documentation: "The first element of a list, or none."),
        Function(
            "last", [.generic([.list(anything)], returns: optional, isMember: true) { end(of: $0, \.last) }],
            documentation: "The last element of a list, or none."),
    ]

    private static func member(
        _ name: String, _ parameters: [Type], returns result: Type, documentation: String,
        _ body: @escaping @Sendable (_ wrapped: Value?, _ arguments: [Value]) -> Value
    ) -> Function {
        let overload = Overload.generic(parameters, returns: result, isMember: true) { arguments in
            guard case .optional(let optional) = arguments[0] else { return .noSuchOverload(arguments) }
            return body(optional.wrapped, arguments)
        }
        return Function(name, [overload], documentation: documentation)
    }

    @Sendable private static func unwrapped(_ arguments: [Value]) -> Value {
        guard case .list(let elements) = arguments[0] else { return .noSuchOverload(arguments) }
        var values: [Value] = []
        for element in elements {
            guard case .optional(let optional) = element else { return .noSuchOverload(arguments) }
            if let wrapped = optional.wrapped { values.append(wrapped) }
        }
        return .list(values)
    }

    private static func end(of arguments: [Value], _ end: (([Value]) -> Value?)) -> Value {
        guard case .list(let elements) = arguments[0] else { return .noSuchOverload(arguments) }
        return .optional(end(elements).map { OptionalValue($0) } ?? .none)
    }
}

extension Value {
    /// Whether this is the value that a field of its type has when nothing was put in: null, false, zero or empty.
    var isZero: Bool {
        switch self {
        case .null: true
        case .bool(let bool): !bool
        case .int(let number): number == 0
        case .uint(let number): number == 0
        case .double(let number): number == 0
        case .string(let text): text.isEmpty
        case .bytes(let bytes): bytes.isEmpty
        case .timestamp(let timestamp): timestamp == Timestamp(seconds: 0)
        case .duration(let duration): duration == .zero
        case .list(let elements): elements.isEmpty
        case .map(let map): map.entries.isEmpty
        case .optional(let optional): optional.wrapped == nil
        case .type, .object, .error: false
        }
    }
}
