import CEL

/// A comparison that asks how long something was ago, in whichever way it is written: `now - a > d`, `a + d < now`,
/// `a < now - d`.
struct ElapsedTime {
    /// `now - a`, or the field of the subject that is that.
    let term: Expression
    /// `a`
    let start: Expression
    /// One of the operators that order.
    let comparison: String
    let length: Duration

    /// Fields of a session that are the time since another.
    static let fields = ["touched_at": "idle", "created_at": "age"]

    private static let reversed = [
        Operator.less: Operator.greater, Operator.lessOrEqual: Operator.greaterOrEqual,
        Operator.greater: Operator.less, Operator.greaterOrEqual: Operator.lessOrEqual,
    ]

    init?(_ name: String, _ left: Expression, _ right: Expression, _ terms: Terms) {
        guard let reversed = Self.reversed[name] else { return nil }
        var sum = Sum()
        guard sum.add(left, 1, terms), sum.add(right, -1, terms), sum.parts.count == 2 else { return nil }
        guard let now = sum.parts.first(where: { $0.expression.isClock }),
            let start = sum.parts.first(where: { !$0.expression.isClock }), now.sign == -start.sign,
            terms.facts(start.expression.text)?.type.withoutNull == .timestamp
        else { return nil }
        self.start = start.expression
        comparison = now.sign > 0 ? name : reversed
        length = now.sign > 0 ? .zero - sum.constant : sum.constant
        term = Self.field(of: start.expression, terms) ?? start.expression.untilNow
    }

    /// The same for the field of the subject that is a time since another.
    private static func field(of start: Expression, _ terms: Terms) -> Expression? {
        guard case .select(let subject, let field, false) = start.kind, let name = fields[field],
            case .object(let type) = terms.facts(subject.text)?.type.withoutNull, type.slot(of: name) != nil
        else { return nil }
        return Expression(.select(subject, field: name, isOptional: false), at: start.range)
    }
}

/// A sum of times and durations.
private struct Sum {
    var parts: [(expression: Expression, sign: Int)] = []
    var constant: Duration = .zero

    /// A century and more is out of the range of what conditions ask for, and of what can be added without care.
    private static let longest: Duration = .seconds(200 * 366 * 86_400)

    mutating func add(_ expression: Expression, _ sign: Int, _ terms: Terms) -> Bool {
        switch expression.kind {
        case .call(Operator.add, nil, let sides) where sides.count == 2:
            return add(sides[0], sign, terms) && add(sides[1], sign, terms)
        case .call(Operator.subtract, nil, let sides) where sides.count == 2:
            return add(sides[0], sign, terms) && add(sides[1], -sign, terms)
        default:
            guard let value = terms.constant(expression) else {
                parts.append((expression, sign))
                return parts.count <= 2
            }
            guard case .duration(let length) = value, length < Self.longest, .zero - length < Self.longest else {
                return false
            }
            constant += sign > 0 ? length : .zero - length
            return constant < Self.longest && .zero - constant < Self.longest
        }
    }
}

extension Expression {
    fileprivate var isClock: Bool {
        if case .identifier("now", _) = kind { true } else { false }
    }

    fileprivate var untilNow: Expression {
        let now = Expression(.identifier("now", isRooted: false), at: range)
        return Expression(.call(function: Operator.subtract, target: nil, arguments: [now, self]), at: range)
    }
}
