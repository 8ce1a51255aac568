import CEL

/// Turns a condition into the situations in which it holds: `a && (b || c)` into `a && b` and `a && c`.
///
/// What is not a comparison with a constant takes part as a term that is true or false. Each situation says no more than the
/// condition does; that a term has a value at all is part of it, as without one the condition does not hold.
struct Cases {
    /// Gives up on a condition.
    struct TooMany: Error {}

    let terms: Terms
    /// Parts that cannot both hold, found while situations were put together.
    private(set) var conflicts: [Situation.Conflict] = []

    /// A condition with more is left alone.
    static let most = 64
    /// Pairs of situations that were put together.
    private var work = 0

    private static let mostWork = 5_000

    init(_ terms: Terms) {
        self.terms = terms
    }

    mutating func situations(in expression: Expression, when outcome: Bool = true) throws(TooMany) -> [Situation] {
        switch expression.kind {
        case .literal(.bool(let value)): return value == outcome ? [Situation()] : []
        case .and(let operands): return try outcome ? all(operands, are: true) : any(operands, is: false)
        case .or(let operands): return try outcome ? any(operands, is: true) : all(operands, are: false)
        case .call(Operator.not, nil, let operands) where operands.count == 1:
            return try situations(in: operands[0], when: !outcome)
        case .conditional(let condition, let then, let otherwise):
            let holds = try product(try situations(in: condition), try situations(in: then, when: outcome))
            let fails = try product(
                try situations(in: condition, when: false), try situations(in: otherwise, when: outcome))
            return try limited(holds + fails)
        default: return single(expression, outcome)
        }
    }

    private mutating func all(_ operands: [Expression], are outcome: Bool) throws(TooMany) -> [Situation] {
        var product = [Situation()]
        for operand in operands {
            product = try self.product(product, try situations(in: operand, when: outcome))
        }
        return product
    }

    private mutating func any(_ operands: [Expression], is outcome: Bool) throws(TooMany) -> [Situation] {
        var sum: [Situation] = []
        for operand in operands { sum = try limited(sum + (try situations(in: operand, when: outcome))) }
        return sum
    }

    /// Those that are possible of all pairs.
    private mutating func product(_ left: [Situation], _ right: [Situation]) throws(TooMany) -> [Situation] {
        work += left.count * right.count
        guard work <= Self.mostWork else { throw TooMany() }
        var product: [Situation] = []
        for first in left {
            for second in right {
                var both = first
                if let conflict = both.add(second) { conflicts.append(conflict) } else { product.append(both) }
            }
        }
        return try limited(product)
    }

    private func limited(_ situations: [Situation]) throws(TooMany) -> [Situation] {
        guard situations.count <= Self.most else { throw TooMany() }
        return situations
    }

    /// The situation of a part that is not put together of others.
    private mutating func single(_ expression: Expression, _ outcome: Bool) -> [Situation] {
        guard let claims = Claim.claims(of: expression, outcome, terms) else { return [] }
        let text = outcome ? expression.text : Expression.negation(of: expression).text
        var situation = Situation()
        for claim in claims {
            if let conflict = situation.add(claim.term, claim.domain, from: text) {
                conflicts.append(conflict)
                return []
            }
        }
        return [situation]
    }
}

extension Expression {
    fileprivate static func negation(of expression: Expression) -> Expression {
        if case .call(let name, nil, let operands) = expression.kind, let opposite = Operator.opposites[name] {
            return Expression(.call(function: opposite, target: nil, arguments: operands), at: expression.range)
        }
        return Expression(.call(function: Operator.not, target: nil, arguments: [expression]), at: expression.range)
    }
}

extension Operator {
    fileprivate static let opposites = [
        equals: notEquals, notEquals: equals, less: greaterOrEqual, greaterOrEqual: less, greater: lessOrEqual,
        lessOrEqual: greater,
    ]
}
