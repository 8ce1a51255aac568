/// Turns source text into a tree by precedence climbing (langdef, "Syntax"); macros are expanded on the way.
///
/// Stops at the first error: what follows a syntax error is guesswork.
struct Parser {
    /// What a source may have before it is refused. Nesting and depth keep recursion within a small thread's stack.
    enum Limit {
        static let sourceBytes = 100_000
        static let nesting = 100
        static let depth = 200
    }

    private var lexer: Lexer
    private(set) var token: Token
    /// Where the token before this one ended.
    private(set) var end = 0
    private var nesting = 0
    /// Functions written as macros, `list.name(x, key)`.
    let keyedFunctions: Set<String>

    /// - Parameter keyedFunctions: names that are macros beyond those of the language; see
    ///   `Environment.register(keyed:)`.
    static func parse(
        _ source: String, keyedFunctions: Set<String> = []
    ) throws(CompilationIssue) -> Expression {
        let bytes = Array(source.utf8)
        guard bytes.count <= Limit.sourceBytes else {
            throw .error("this expression is longer than \(Limit.sourceBytes) bytes", 0..<bytes.count)
        }
        var parser = try Parser(Lexer(bytes), keyedFunctions)
        let expression = try parser.expression()
        guard parser.token.kind == .end else { throw parser.unexpected("an operator") }
        return expression
    }

    private init(_ lexer: Lexer, _ keyedFunctions: Set<String>) throws(CompilationIssue) {
        self.lexer = lexer
        self.keyedFunctions = keyedFunctions
        token = try self.lexer.next()
    }

    // MARK: Tokens

    mutating func advance() throws(CompilationIssue) {
        end = token.range.upperBound
        token = try lexer.next()
    }

    func at(_ symbol: Token.Symbol) -> Bool {
        token.kind == .symbol(symbol)
    }

    mutating func take(_ symbol: Token.Symbol) throws(CompilationIssue) -> Bool {
        guard at(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: Token.Symbol) throws(CompilationIssue) {
        guard try take(symbol) else { throw unexpected("'\(symbol.rawValue)'") }
    }

    func unexpected(_ wanted: String) -> CompilationIssue {
        .error("expected \(wanted), found \(token.spelling)", token.range)
    }

    /// Every node is made here, so that no tree is deeper than what walks it can bear.
    func node(_ kind: Expression.Kind, from start: Int) throws(CompilationIssue) -> Expression {
        let expression = Expression(kind, at: start..<end)
        guard expression.depth <= Limit.depth else { throw tooDeep(expression.range) }
        return expression
    }

    private func tooDeep(_ range: Range<Int>) -> CompilationIssue {
        .error("this expression is nested too deeply; split it", range)
    }

    // MARK: Operators

    mutating func expression() throws(CompilationIssue) -> Expression {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Limit.nesting else { throw tooDeep(token.range) }
        let condition = try binary(.or)
        guard try take(.question) else { return condition }
        let then = try binary(.or)
        if at(.question) {
            throw .error("put the inner condition in parentheses", token.range)
        }
        try expect(.colon)
        let otherwise = try expression()
        return try node(.conditional(condition, then: then, otherwise: otherwise), from: condition.range.lowerBound)
    }

    private mutating func binary(_ minimum: Precedence) throws(CompilationIssue) -> Expression {
        var left = try unary()
        while case .symbol(let symbol) = token.kind, let infix = Infix(symbol), infix.precedence >= minimum {
            try advance()
            var operands = [left, try binary(infix.precedence.next)]
            // A chain of && or || is one node however long it is.
            while infix.isLogical, at(symbol) {
                try advance()
                operands.append(try binary(infix.precedence.next))
            }
            left = try node(infix.kind(operands), from: left.range.lowerBound)
        }
        return left
    }

    private mutating func unary() throws(CompilationIssue) -> Expression {
        var operators: [(symbol: Token.Symbol, start: Int)] = []
        while at(.not) || at(.minus) {
            operators.append((at(.not) ? .not : .minus, token.range.lowerBound))
            try advance()
        }
        // The sign belongs to the number: the smallest int has no positive counterpart.
        var start = token.range.lowerBound
        var isNegative = false
        if let last = operators.last, last.symbol == .minus, token.isSignedNumber {
            operators.removeLast()
            isNegative = true
            start = last.start
        }
        var operand = try member(of: try primary(isNegative: isNegative, from: start), from: start)
        for (symbol, start) in operators.reversed() {
            let function = symbol == .not ? Operator.not : Operator.negate
            operand = try node(.call(function: function, target: nil, arguments: [operand]), from: start)
        }
        return operand
    }
}

/// How tightly an operator binds.
private enum Precedence: Int, Comparable {
    case or, and, relation, addition, multiplication, unary

    static func < (a: Precedence, b: Precedence) -> Bool { a.rawValue < b.rawValue }

    var next: Precedence { Precedence(rawValue: rawValue + 1) ?? .unary }
}

private struct Infix {
    var precedence: Precedence
    /// Nil for `&&` and `||`, which have nodes of their own.
    var function: String?
    var isLogical: Bool { function == nil }

    init?(_ symbol: Token.Symbol) {
        switch symbol {
        case .or: (precedence, function) = (.or, nil)
        case .and: (precedence, function) = (.and, nil)
        case .equals: (precedence, function) = (.relation, Operator.equals)
        case .notEquals: (precedence, function) = (.relation, Operator.notEquals)
        case .less: (precedence, function) = (.relation, Operator.less)
        case .lessOrEqual: (precedence, function) = (.relation, Operator.lessOrEqual)
        case .greater: (precedence, function) = (.relation, Operator.greater)
        case .greaterOrEqual: (precedence, function) = (.relation, Operator.greaterOrEqual)
        case .isIn: (precedence, function) = (.relation, Operator.isIn)
        case .plus: (precedence, function) = (.addition, Operator.add)
        case .minus: (precedence, function) = (.addition, Operator.subtract)
        case .times: (precedence, function) = (.multiplication, Operator.multiply)
        case .slash: (precedence, function) = (.multiplication, Operator.divide)
        case .percent: (precedence, function) = (.multiplication, Operator.modulo)
        default: return nil
        }
    }

    func kind(_ operands: [Expression]) -> Expression.Kind {
        if let function { return .call(function: function, target: nil, arguments: operands) }
        return precedence == .or ? .or(operands) : .and(operands)
    }
}

extension Token {
    fileprivate var isSignedNumber: Bool {
        switch kind {
        case .int, .double: true
        default: false
        }
    }
}
