// `&&`, `||`, `!` and `?:` (langdef, "Logical Operators").

/// `&&` and `||`: an operand that decides wins over errors of the others, on either side.
final class LogicNode: Node {
    private let operands: [any Node]
    /// The value of one operand that settles the matter: false for `&&`, true for `||`.
    private let decisive: Bool
    private let site: Site

    init(_ operands: [any Node], decisive: Bool, _ site: Site) {
        self.operands = operands
        self.decisive = decisive
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        var failure: EvaluationError?
        for operand in operands {
            let value = operand.evaluate(&frame)
            if case .bool(let holds) = value {
                if holds == decisive { return value }
            } else {
                failure = merged(failure, site.conditionError(value))
            }
        }
        if let failure { return .error(failure) }
        return .bool(!decisive)
    }
}

/// Of two errors the one that matters more: what is merely absent counts less than what could not be known.
func merged(_ a: EvaluationError?, _ b: EvaluationError) -> EvaluationError {
    guard let a, !(a.code == .absent && b.code != .absent) else { return b }
    return a
}

extension Site {
    /// Why a value is no condition.
    func conditionError(_ value: Value) -> EvaluationError {
        switch value {
        case .error(let error): error
        case .null where absence: EvaluationError(.absent, "a condition is null", at: range)
        default: EvaluationError(.noSuchOverload, "a condition is a bool, not \(value.typeName)", at: range)
        }
    }
}

final class NotNode: Node {
    private let operand: any Node
    private let site: Site

    init(_ operand: any Node, _ site: Site) {
        self.operand = operand
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let value = operand.evaluate(&frame)
        if case .bool(let holds) = value { return .bool(!holds) }
        return .error(site.conditionError(value))
    }
}

final class ConditionalNode: Node {
    private let condition: any Node
    private let then: any Node
    private let otherwise: any Node
    private let site: Site

    init(_ condition: any Node, _ then: any Node, _ otherwise: any Node, _ site: Site) {
        self.condition = condition
        self.then = then
        self.otherwise = otherwise
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let value = condition.evaluate(&frame)
        guard case .bool(let holds) = value else { return .error(site.conditionError(value)) }
        return holds ? then.evaluate(&frame) : otherwise.evaluate(&frame)
    }
}
