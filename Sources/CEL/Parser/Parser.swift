/// Makes the tree of an expression from its text, with macros expanded.
///
/// The grammar is in `Parser+Grammar.swift`. Only brackets and conditionals recurse; chains of operators, signs and
/// members are loops, so that `ParserLimits.nesting` bounds the stack.
package struct Parser {
    /// Ends parsing; what is wrong is in `issues`.
    struct Abort: Error {}

    private let tokens: [Token]
    private var index = 0
    private var issues: [CompilationIssue]
    private let limits: ParserLimits
    private var nesting = 0
    private var nodes = 0

    /// - Throws: All mistakes in the words, and those of the grammar up to the first that leaves no way to go on.
    /// - Complexity: O(*n*) in the length of the source.
    package static func parse(
        _ source: String, limits: ParserLimits = .standard
    ) throws(CompilationFailure) -> Expression {
        guard source.utf8.count <= limits.sourceLength else {
            throw CompilationFailure(issues: [.sourceTooLong(limits.sourceLength)])
        }
        var lexer = Lexer(Array(source.utf8), limits: limits)
        lexer.readAll()
        var parser = Parser(lexer, limits: limits)
        let expression = try? parser.wholeSource()
        guard let expression, parser.issues.isEmpty else {
            let issues = parser.issues.sorted { $0.range.lowerBound < $1.range.lowerBound }
            throw CompilationFailure(issues: Array(issues.prefix(limits.issues)))
        }
        return expression
    }

    private init(_ lexer: Lexer, limits: ParserLimits) {
        tokens = lexer.tokens
        issues = lexer.issues
        self.limits = limits
    }

    private mutating func wholeSource() throws(Abort) -> Expression {
        let expression = try expression()
        guard case .end = current.kind else { throw expected("an operator or the end") }
        return expression
    }
}

// MARK: - Tokens

extension Parser {
    /// The last token is `.end`, and nothing goes past it.
    var current: Token { tokens[index] }

    /// The current token's, with no copy of the token left on the stack of who asks.
    var symbol: Token.Symbol? { current.symbol }

    func ahead(_ distance: Int) -> Token { tokens[min(index + distance, tokens.count - 1)] }

    /// Where what has been read ends.
    var endOfPrevious: Int { index > 0 ? tokens[index - 1].range.upperBound : 0 }

    @discardableResult
    mutating func advance() -> Token {
        let token = tokens[index]
        if index < tokens.count - 1 { index += 1 }
        return token
    }

    mutating func take(_ symbol: Token.Symbol) -> Bool {
        guard self.symbol == symbol else { return false }
        advance()
        return true
    }

    mutating func require(_ symbol: Token.Symbol) throws(Abort) {
        guard take(symbol) else { throw expected("'\(symbol.rawValue)'") }
    }

    /// Takes a bracket and returns where it stands.
    mutating func open() -> Int {
        advance().range.lowerBound
    }

    /// Takes the bracket that closes the one at `start`.
    mutating func close(_ symbol: Token.Symbol, from start: Int) throws(Abort) {
        if take(symbol) { return }
        guard case .end = current.kind else { throw expected("'\(symbol.rawValue)'") }
        throw fail(.unclosed(before: symbol.rawValue, at: start..<start + 1))
    }
}

// MARK: - Nodes and errors

extension Parser {
    mutating func node(_ kind: Expression.Kind, at range: Range<Int>) throws(Abort) -> Expression {
        nodes += 1
        let node = Expression(kind, at: range)
        guard nodes <= limits.nodes else { throw fail(.tooManyNodes(limits.nodes, at: lastRange)) }
        guard node.depth <= limits.nesting else { throw fail(.tooDeep(limits.nesting, at: lastRange)) }
        return node
    }

    mutating func enter() throws(Abort) {
        nesting += 1
        guard nesting <= limits.nesting else { throw fail(.tooDeep(limits.nesting, at: current.range)) }
    }

    mutating func leave() {
        nesting -= 1
    }

    mutating func note(_ issue: CompilationIssue) {
        issues.append(issue)
    }

    mutating func fail(_ issue: CompilationIssue) -> Abort {
        issues.append(issue)
        return Abort()
    }

    /// The current token is not what must come here.
    mutating func expected(_ what: String) -> Abort {
        if case .invalid = current.kind { return Abort() }
        return fail(.expected(what, found: current, at: current.range))
    }

    private var lastRange: Range<Int> { tokens[max(index - 1, 0)].range }
}
