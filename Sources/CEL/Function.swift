/// A named function with its overloads, as a host registers it.
package struct Function: Sendable {
    package var name: String
    package var overloads: [Overload]
    /// What it does, in one line, for a reference of functions.
    package var documentation: String

    package init(_ name: String, _ overloads: [Overload], documentation: String = "") {
        self.name = name
        self.overloads = overloads
        self.documentation = documentation
    }

    /// The library's way to say it: first what a function does, then for which types.
    init(_ name: String, summary: String, _ overloads: [Overload]) {
        self.init(name, overloads, documentation: summary)
    }
}

/// One signature of a function.
package struct Overload: Sendable {
    /// Gets the arguments (the receiver first) and the activation. No argument is an error: those propagate before the
    /// call. What it returns may be `.error`. It is called again whenever its result is needed, so it must be quick.
    package typealias Body = @Sendable (_ arguments: [Value], _ activation: Activation) -> Value

    typealias Unary = @Sendable (Value, inout Budget) throws(EvaluationError) -> Value
    typealias Binary = @Sendable (Value, Value, inout Budget) throws(EvaluationError) -> Value
    typealias General = @Sendable ([Value], inout Budget) throws(EvaluationError) -> Value

    /// Functions of the library depend on their arguments alone, so that a call with constants is made once.
    enum Implementation: Sendable {
        case host(Body)
        case unary(Unary)
        case binary(Binary)
        case general(General)
    }

    package var parameters: [Type]
    package var result: Type
    /// Called as `receiver.name(…)`; the receiver's type is the first parameter.
    package var isMember: Bool
    /// Variables that the body reads from the activation, so that `Program.references` can list them.
    package var reads: [String]
    /// The last parameter may be given more than once.
    var isVariadic = false
    let implementation: Implementation

    package init(
        _ parameters: [Type], returns result: Type, isMember: Bool = false, reads: [String] = [], body: @escaping Body
    ) {
        self.init(parameters, result, isMember, reads, .host(body))
    }

    private init(
        _ parameters: [Type], _ result: Type, _ isMember: Bool, _ reads: [String], _ implementation: Implementation
    ) {
        self.parameters = parameters
        self.result = result
        self.isMember = isMember
        self.reads = reads
        self.implementation = implementation
    }
}

extension Overload {
    static func unary(_ parameter: Type, returns result: Type, _ body: @escaping Unary) -> Overload {
        Overload([parameter], result, false, [], .unary(body))
    }

    static func binary(_ a: Type, _ b: Type, returns result: Type, _ body: @escaping Binary) -> Overload {
        Overload([a, b], result, false, [], .binary(body))
    }

    static func general(_ parameters: [Type], returns result: Type, _ body: @escaping General) -> Overload {
        Overload(parameters, result, false, [], .general(body))
    }

    /// Takes any number of arguments of one type, two at least.
    static func variadic(_ parameter: Type, returns result: Type, _ body: @escaping General) -> Overload {
        var overload = general([parameter, parameter], returns: result, body)
        overload.isVariadic = true
        return overload
    }

    /// The same, called as `receiver.name(…)`.
    var asMember: Overload {
        var overload = self
        overload.isMember = true
        return overload
    }

    func accepts(count: Int) -> Bool {
        isVariadic ? count >= parameters.count : count == parameters.count
    }

    func signature(count: Int) -> Signature {
        var signature = self.signature
        if isVariadic, let last = parameters.last {
            signature.parameters += Array(repeating: last, count: max(0, count - parameters.count))
        }
        return signature
    }

    /// Whether these values may be passed, as far as their own type tells.
    func accepts(_ arguments: [Value]) -> Bool {
        for (index, argument) in arguments.enumerated() {
            let parameter = parameters[min(index, parameters.count - 1)]
            if !parameter.admits(argument) { return false }
        }
        return true
    }
}

extension Type {
    /// Whether a value is of this type; what is inside a list or map is not looked at.
    func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (.dyn, _), (.parameter, _), (.error, _): true
        case (.nullable(let type), _): if case .null = value { true } else { type.admits(value) }
        case (.string, .string), (.int, .int), (.bool, .bool), (.double, .double), (.uint, .uint), (.bytes, .bytes),
            (.null, .null), (.timestamp, .timestamp), (.duration, .duration), (.list, .list), (.map, .map),
            (.type, .type), (.optional, .optional):
            true
        case (.object(let type), .object(let object)): type == object.type
        case (.named(let name, _), .opaque(let value)): value.type.runtimeName == name
        default: false
        }
    }
}
