/// How tightly an operator binds.
enum Precedence: Int, Comparable {
    case or, and, relation, addition, multiplication

    static func < (a: Precedence, b: Precedence) -> Bool { a.rawValue < b.rawValue }
}

/// An operator between two operands.
struct Infix {
    let symbol: Token.Symbol
    let precedence: Precedence

    init?(symbol: Token.Symbol) {
        self.symbol = symbol
        switch symbol {
        case .or: precedence = .or
        case .and: precedence = .and
        case .equals, .notEquals, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: precedence = .relation
        case .plus, .minus: precedence = .addition
        case .times, .slash, .percent: precedence = .multiplication
        default: return nil
        }
    }

    /// Of the operator that is this function.
    init?(function: String) {
        guard
            let infix = Token.Symbol.allCases.lazy.compactMap(Infix.init(symbol:)).first(where: {
                $0.function == function
            })
        else { return nil }
        self = infix
    }

    var isLogical: Bool { function == nil }

    /// Nil for `&&` and `||`, which have nodes of their own.
    var function: String? {
        switch symbol {
        case .equals: Operator.equals
        case .notEquals: Operator.notEquals
        case .less: Operator.less
        case .lessOrEqual: Operator.lessOrEqual
        case .greater: Operator.greater
        case .greaterOrEqual: Operator.greaterOrEqual
        case .isIn: Operator.isIn
        case .plus: Operator.add
        case .minus: Operator.subtract
        case .times: Operator.multiply
        case .slash: Operator.divide
        case .percent: Operator.modulo
        default: nil
        }
    }

    func kind(_ operands: [Expression]) -> Expression.Kind {
        if let function { return .call(function: function, target: nil, arguments: operands) }
        return symbol == .or ? .or(operands) : .and(operands)
    }
}
