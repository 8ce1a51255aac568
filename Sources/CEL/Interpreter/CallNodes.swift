// Calls of functions: the first overload that takes the values is called. Overloads of one or two arguments need no array.

final class UnaryCallNode: Node {
    private let call: Call
    private let argument: any Node
    private let bodies: [(Type, Overload.Unary)]

    init(_ call: Call, _ argument: any Node) {
        self.call = call
        self.argument = argument
        bodies = call.overloads.compactMap { overload in
            guard case .unary(let body) = overload.implementation else { return nil }
            return (overload.parameters[0], body)
        }
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let value = argument.evaluate(&frame)
        if value.isError { return value }
        guard frame.budget.spend(value.weight) else { return .error(.budgetExceeded) }
        for (parameter, body) in bodies where parameter.admits(value) {
            do {
                return try body(value, &frame.budget)
            } catch {
                return call.site.error(error, value)
            }
        }
        return call.general([value], &frame)
    }
}

final class BinaryCallNode: Node {
    private let call: Call
    private let left: any Node
    private let right: any Node
    private let bodies: [(Type, Type, Overload.Binary)]

    init(_ call: Call, _ left: any Node, _ right: any Node) {
        self.call = call
        self.left = left
        self.right = right
        bodies = call.overloads.compactMap { overload in
            guard case .binary(let body) = overload.implementation else { return nil }
            return (overload.parameters[0], overload.parameters[1], body)
        }
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let a = left.evaluate(&frame)
        if a.isError { return a }
        let b = right.evaluate(&frame)
        if b.isError { return b }
        guard frame.budget.spend(a.weight + b.weight) else { return .error(.budgetExceeded) }
        for (first, second, body) in bodies where first.admits(a) && second.admits(b) {
            do {
                return try body(a, b, &frame.budget)
            } catch {
                return call.site.error(error, a, b)
            }
        }
        return call.general([a, b], &frame)
    }
}

final class GeneralCallNode: Node {
    private let call: Call
    private let arguments: [any Node]

    init(_ call: Call, _ arguments: [any Node]) {
        self.call = call
        self.arguments = arguments
    }

    func evaluate(_ frame: inout Frame) -> Value {
        var values: [Value] = []
        values.reserveCapacity(arguments.count)
        for argument in arguments {
            let value = argument.evaluate(&frame)
            if value.isError { return value }
            guard frame.budget.spend(value.weight) else { return .error(.budgetExceeded) }
            values.append(value)
        }
        return call.general(values, &frame)
    }
}

/// A function with the overloads that may be meant.
struct Call: Sendable {
    let name: String
    let overloads: [Overload]
    let site: Site

    /// Calls the first overload that takes the values.
    func general(_ arguments: [Value], _ frame: inout Frame) -> Value {
        guard let overload = overloads.first(where: { $0.accepts(arguments) }) else { return noOverload(arguments) }
        do {
            switch overload.implementation {
            case .host(let body):
                if !overload.reads.isEmpty { frame.horizon.close() }
                guard frame.budget.spend(arguments.reduce(0) { $0 + $1.count }) else {
                    return .error(.budgetExceeded)
                }
                return placed(body(arguments, frame.activation))
            case .unary(let body): return try body(arguments[0], &frame.budget)
            case .binary(let body): return try body(arguments[0], arguments[1], &frame.budget)
            case .general(let body): return try body(arguments, &frame.budget)
            }
        } catch {
            return site.error(error, arguments)
        }
    }

    private func placed(_ value: Value) -> Value {
        guard case .error(let error) = value else { return value }
        return site.error(error)
    }

    private func noOverload(_ arguments: [Value]) -> Value {
        if site.absence, arguments.contains(where: \.isNull) {
            return site.error(.absent, "\(name)() was given null")
        }
        let types = arguments.map(\.typeName).joined(separator: ", ")
        return site.error(.noSuchOverload, "\(name)() does not take (\(types))")
    }
}

extension Value {
    /// How many elements or entries it has. The library charges for those that it goes through; a host's function is
    /// taken to go through all.
    fileprivate var count: Int {
        switch self {
        case .list(let list): list.count
        case .map(let map): map.count
        default: 0
        }
    }
}

/// `or` and `orValue`: what stands on the right is evaluated only when the optional on the left is none.
final class FallbackNode: Node {
    private let optional: any Node
    private let fallback: any Node
    /// `orValue` gives the value, `or` the optional itself.
    private let unwraps: Bool
    private let site: Site

    init(_ optional: any Node, _ fallback: any Node, unwraps: Bool, _ site: Site) {
        self.optional = optional
        self.fallback = fallback
        self.unwraps = unwraps
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        switch optional.evaluate(&frame) {
        case .optional(let optional):
            guard let wrapped = optional.wrapped else { return fallback.evaluate(&frame) }
            return unwraps ? wrapped : .optional(optional)
        case .error(let error): return .error(error)
        case let other:
            let code: EvaluationError.Code = site.absence && other.isNull ? .absent : .noSuchOverload
            return site.error(code, "a \(other.typeName) is no optional")
        }
    }
}
