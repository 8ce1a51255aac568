import CEL

/// What one comparison, or another part that is true or false, says about a term.
struct Claim {
    var term: String
    var domain: Domain

    /// What follows where the expression came out as `outcome`; nil where it never does.
    static func claims(of expression: Expression, _ outcome: Bool, _ terms: Terms) -> [Claim]? {
        if !expression.namesConstants, case .bool(let value)? = terms.constant(expression) {
            return value == outcome ? [] : nil
        }
        switch expression.kind {
        case .presence(let operand, let field):
            let path = Expression(.select(operand, field: field, isOptional: false), at: expression.range)
            guard case .object = terms.facts(operand.text)?.type.withoutNull else { break }
            return about(path, outcome ? .present : Domain([.null]))
        case .call(let name, nil, let sides) where sides.count == 2:
            if let elapsed = ElapsedTime(name, sides[0], sides[1], terms) { return elapsed.claims(outcome, terms) }
            guard let comparison = Comparison(name, sides[0], sides[1], terms) else { break }
            return comparison.claims(outcome)
        default: break
        }
        return about(expression, Domain([.bool(outcome)]))
    }

    /// With it, that the objects on the way to it are there.
    fileprivate static func about(_ expression: Expression, _ domain: Domain) -> [Claim] {
        expression.objectsOnTheWay.map { Claim(term: $0.text, domain: .present) }
            + [Claim(term: expression.text, domain: domain)]
    }
}

extension ElapsedTime {
    fileprivate func claims(_ outcome: Bool, _ terms: Terms) -> [Claim] {
        let isNullable = terms.facts(start.text).map { $0.type != $0.type.withoutNull } ?? true
        return Claim.about(start, isNullable ? .present : Domain())
            + Claim.order(term, comparison, .duration(length), outcome, terms)
    }
}

/// A comparison, the constant on its right side.
private struct Comparison {
    private let name: String
    private let left: Expression
    private let right: Value?
    private let text: (left: String, right: String)
    private let terms: Terms

    private static let reversed = [
        Operator.equals: Operator.equals, Operator.notEquals: Operator.notEquals,
        Operator.less: Operator.greater, Operator.lessOrEqual: Operator.greaterOrEqual,
        Operator.greater: Operator.less, Operator.greaterOrEqual: Operator.lessOrEqual,
    ]

    /// Nil for what compares nothing, or two constants.
    init?(_ name: String, _ left: Expression, _ right: Expression, _ terms: Terms) {
        guard name == Operator.isIn || Self.reversed[name] != nil else { return nil }
        self.terms = terms
        text = (left.text, right.text)
        let constants = (left: terms.constant(left), right: terms.constant(right))
        switch constants {
        case (nil, let value?): (self.name, self.left, self.right) = (name, left, value)
        case (let value?, nil):
            guard let reversed = Self.reversed[name] else { return nil }
            (self.name, self.left, self.right) = (reversed, right, value)
        case (nil, nil): (self.name, self.left, self.right) = (name, left, nil)
        case (_?, _?): return nil
        }
    }

    func claims(_ outcome: Bool) -> [Claim] {
        switch name {
        case Operator.equals: return equality(outcome) ?? opaque(outcome)
        case Operator.notEquals: return equality(!outcome) ?? opaque(outcome)
        case Operator.isIn: return membership(outcome) ?? opaque(outcome)
        default: return order(outcome) ?? opaque(outcome)
        }
    }

    private func opaque(_ outcome: Bool) -> [Claim] {
        // `a != b` is `a == b`, the other way round.
        let isNegated = name == Operator.notEquals
        let symbol = isNegated ? Operator.equals : name
        return [Claim(term: "\(symbol)(\(text.left), \(text.right))", domain: Domain([.bool(outcome != isNegated)]))]
    }

    private func equality(_ isEqual: Bool) -> [Claim]? {
        guard let constant = right.flatMap(Constant.init) else { return nil }
        return isEqual ? Claim.about(left, Domain([constant])) : others(than: [constant])
    }

    private func membership(_ isMember: Bool) -> [Claim]? {
        guard case .list(let elements)? = right else { return nil }
        let constants = elements.compactMap(Constant.init)
        guard constants.count == elements.count else { return nil }
        return isMember ? Claim.about(left, Domain(Set(constants))) : others(than: Set(constants))
    }

    private func others(than constants: Set<Constant>) -> [Claim] {
        let type = terms.facts(left.text)?.type
        guard type?.withoutNull == .bool else { return Claim.about(left, Domain(allBut: constants)) }
        let all: Set<Constant> = type == .bool ? [.bool(true), .bool(false)] : [.bool(true), .bool(false), .null]
        return Claim.about(left, Domain(all.subtracting(constants)))
    }

    private func order(_ outcome: Bool) -> [Claim]? {
        guard let constant = right.flatMap(Constant.init), constant.isOrdered else { return nil }
        return Claim.order(left, name, constant, outcome, terms)
    }
}

extension Claim {
    fileprivate static func order(
        _ term: Expression, _ name: String, _ constant: Constant, _ outcome: Bool, _ terms: Terms
    ) -> [Claim] {
        let (isLower, isIncluded) =
            switch name {
            case Operator.greater: (true, false)
            case Operator.greaterOrEqual: (true, true)
            case Operator.less: (false, false)
            default: (false, true)
            }
        let bound = Domain.Bound(value: constant, isIncluded: isIncluded == outcome)
        let whole = terms.facts(term.text)?.type.withoutNull == .int ? bound.whole(isLower: isLower == outcome) : bound
        return about(term, isLower == outcome ? Domain(above: whole) : Domain(below: whole))
    }
}

extension Domain.Bound {
    /// The same of whole numbers: more than 5 is 6 or more.
    fileprivate func whole(isLower: Bool) -> Self {
        guard case .number(let number) = value, number.magnitude < 0x1p52 else { return self }
        let rounded = number.rounded(isLower ? .up : .down)
        let next = rounded == number && !isIncluded ? rounded + (isLower ? 1 : -1) : rounded
        return Self(value: .number(next), isIncluded: true)
    }
}
