/// An operator between two operands. Raw values are as written.
enum Infix: String, Sendable {
    case or = "||"
    case and = "&&"
    case equals = "=="
    case notEquals = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "in"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulo = "%"

    init?(_ token: Token) {
        switch token.kind {
        case .symbol(let symbol): self.init(rawValue: symbol.rawValue)
        case .identifier("in"): self = .isIn
        default: return nil
        }
    }

    init?(function: String) {
        if function == Operator.isIn {
            self = .isIn
        } else if function.hasPrefix("_"), function.hasSuffix("_") {
            self.init(rawValue: String(function.dropFirst().dropLast()))
        } else {
            return nil
        }
    }

    var function: String { self == .isIn ? Operator.isIn : "_\(rawValue)_" }

    /// Operators of a higher one bind tighter; those of the same one group to the left.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equals, .notEquals, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: 3
        case .add, .subtract: 4
        case .multiply, .divide, .modulo: 5
        }
    }

    /// Whether a chain of it is one node.
    var isLogical: Bool { self == .or || self == .and }
}
