/// Turns source text into a tree (langdef, "Syntax"); macros are expanded on the way.
///
/// Stops at the first error: what follows a syntax error is guesswork.
package struct Parser {
    /// What a source may have before it is refused. Nesting and depth keep recursion within a small thread's stack.
    enum Limit {
        static let sourceBytes = 100_000
        static let nameBytes = 1_000
        static let nesting = 64
        static let depth = 200
    }

    private var lexer: Lexer
    private(set) var token: Token
    /// The token before this one.
    private(set) var previous: Token?
    /// Where that one ended.
    var end: Int { previous?.range.upperBound ?? 0 }
    private var nesting = 0
    /// Functions written as macros, `list.name(x, key)`.
    let keyedFunctions: Set<String>

    /// - Parameter keyedFunctions: names that are macros beyond those of the language; see
    ///   `Environment.register(keyed:)`.
    package static func parse(
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
        previous = token
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
        foreignWord() ?? .error("expected \(wanted), found \(token.spelling)", token.range)
    }

    /// The token after this one; nil when there is none that can be read.
    func peek() -> Token? {
        var lexer = lexer
        return try? lexer.next()
    }

    func text(of range: Range<Int>) -> String {
        String(decoding: lexer.source[range], as: UTF8.self)
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

    // The functions that call one another for each level of nesting are kept small: their frames are what the stack holds.

    mutating func expression() throws(CompilationIssue) -> Expression {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Limit.nesting else { throw tooDeep(token.range) }
        let condition = try operations()
        return at(.question) ? try conditional(condition) : condition
    }

    private mutating func conditional(_ condition: Expression) throws(CompilationIssue) -> Expression {
        let question = token.range
        try advance()
        try refuseFallback(after: question)
        let isAccess = at(.dot) && token.range.lowerBound == question.upperBound
        let then = try operations()
        guard at(.colon) else { throw isAccess ? safeAccess(question) : missingColon() }
        try advance()
        let otherwise = try expression()
        return try node(.conditional(condition, then: then, otherwise: otherwise), from: condition.range.lowerBound)
    }

    private func missingColon() -> CompilationIssue {
        at(.question) ? .error("put the inner condition in parentheses", token.range) : unexpected("':'")
    }

    /// Operands with operators between them. An operator waits, on the heap, until one follows that binds no tighter.
    private mutating func operations() throws(CompilationIssue) -> Expression {
        let first = try unary()
        guard infix != nil else { return first }
        return try operations(first)
    }

    private mutating func operations(_ first: Expression) throws(CompilationIssue) -> Expression {
        var waiting: [Waiting] = []
        var operand = first
        while let infix {
            operand = try settled(operand, &waiting, before: infix)
            hold(operand, &waiting, infix)
            try advance()
            operand = try unary()
        }
        return try settled(operand, &waiting, before: nil)
    }

    /// The operator that comes next, if one does.
    private var infix: Infix? {
        guard case .symbol(let symbol) = token.kind else { return nil }
        return Infix(symbol: symbol)
    }

    /// Combines what binds tighter than `next`, or as tight and stands to its left.
    private func settled(
        _ operand: Expression, _ waiting: inout [Waiting], before next: Infix?
    ) throws(CompilationIssue) -> Expression {
        var operand = operand
        while let last = waiting.last, last.isDue(before: next) {
            waiting.removeLast()
            operand = try node(
                last.infix.kind(last.operands + [operand]), from: last.operands[0].range.lowerBound)
        }
        return operand
    }

    /// `a && b && c` is one node however long it is.
    private func hold(_ operand: Expression, _ waiting: inout [Waiting], _ infix: Infix) {
        if let last = waiting.indices.last, waiting[last].infix.symbol == infix.symbol {
            waiting[last].operands.append(operand)
        } else {
            waiting.append(Waiting(infix: infix, operands: [operand]))
        }
    }

    private mutating func unary() throws(CompilationIssue) -> Expression {
        if at(.not) || at(.minus) { return try signed() }
        let start = token.range.lowerBound
        return try member(of: try primary(from: start), from: start)
    }

    private mutating func signed() throws(CompilationIssue) -> Expression {
        var signs = try signs()
        let operand = try unsigned(&signs)
        return try applied(signs, to: operand)
    }

    private mutating func signs() throws(CompilationIssue) -> [Sign] {
        var signs: [Sign] = []
        while at(.not) || at(.minus) {
            signs.append(Sign(isNot: at(.not), start: token.range.lowerBound))
            try advance()
        }
        return signs
    }

    /// What the signs stand before. The last minus belongs to a number: the smallest int has no positive counterpart.
    private mutating func unsigned(_ signs: inout [Sign]) throws(CompilationIssue) -> Expression {
        if let last = signs.last, !last.isNot, token.isSignedNumber {
            signs.removeLast()
            return try member(of: try literal(isNegative: true, from: last.start), from: last.start)
        }
        let start = token.range.lowerBound
        return try member(of: try primary(from: start), from: start)
    }

    private func applied(_ signs: [Sign], to operand: Expression) throws(CompilationIssue) -> Expression {
        var operand = operand
        for sign in signs.reversed() {
            let function = sign.isNot ? Operator.not : Operator.negate
            operand = try node(.call(function: function, target: nil, arguments: [operand]), from: sign.start)
        }
        return operand
    }
}

/// An operator with what stands to its left.
private struct Waiting {
    let infix: Infix
    var operands: [Expression]

    func isDue(before next: Infix?) -> Bool {
        guard let next else { return true }
        if infix.isLogical, infix.symbol == next.symbol { return false }
        return infix.precedence >= next.precedence
    }
}

private struct Sign {
    var isNot: Bool
    var start: Int
}

extension Token {
    fileprivate var isSignedNumber: Bool {
        switch kind {
        case .int, .double: true
        default: false
        }
    }
}

extension Expression {
    /// The tree of a source, for hosts that look at what an expression says; nil when it is none. Unchecked.
    package static func parsed(_ source: String) -> Expression? {
        try? Parser.parse(source)
    }
}
