import Testing

@testable import CEL

/// Calls a function with values, as the interpreter does when it knows no types: the first overload that takes them.
func call(_ name: String, _ arguments: [Value], in functions: [Function] = StandardLibrary.functions) -> Value {
    let overloads = functions.filter { $0.name == name }.flatMap(\.overloads)
    var result = Value.error(EvaluationError(.noSuchOverload, "there is no function \(name)"))
    for overload in overloads where overload.parameters.count == arguments.count {
        result = overload.body(arguments, Activation(Environment()))
        guard case .error(let error) = result, error.code == .noSuchOverload else { return result }
    }
    return result
}

func isIdentical(_ a: Value, _ b: Value) -> Bool {
    a.taggedJSON == b.taggedJSON
}

extension Value {
    var errorCode: EvaluationError.Code? {
        guard case .error(let error) = self else { return nil }
        return error.code
    }
}

func list(_ elements: Value...) -> Value { .list(elements) }

func time(_ text: String) -> Value { call("timestamp", [.string(text)]) }

func span(_ text: String) -> Value { call("duration", [.string(text)]) }

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral
{
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
