extension Parser {
    /// `a ? b : c`, and all that binds tighter.
    mutating func expression() throws(Abort) -> Expression {
        try enter()
        defer { leave() }
        let condition = try operations()
        return take(.question) ? try conditional(condition) : condition
    }

    private mutating func conditional(_ condition: Expression) throws(Abort) -> Expression {
        let then = try operations()
        try require(.colon)
        let otherwise = try expression()
        return try node(
            .conditional(condition, then: then, otherwise: otherwise),
            at: condition.range.lowerBound..<otherwise.range.upperBound)
    }

    // MARK: Operators

    private typealias Pending = (infix: Infix, operands: [Expression])

    /// Operands with operators between them.
    private mutating func operations() throws(Abort) -> Expression {
        let first = try unary()
        guard let infix = takeInfix() else { return first }
        return try operations(first, infix)
    }

    /// An operator waits until one that binds no tighter follows.
    private mutating func operations(_ first: Expression, _ infix: Infix) throws(Abort) -> Expression {
        var pending: [Pending] = [(infix, [first])]
        var operand = try unary()
        while let infix = takeInfix() {
            try settle(&pending, &operand, before: infix)
            suspend(&pending, operand, infix)
            operand = try unary()
        }
        try settle(&pending, &operand, before: nil)
        return operand
    }

    private func suspend(_ pending: inout [Pending], _ operand: Expression, _ infix: Infix) {
        if infix.isLogical, pending.last?.infix == infix {
            pending[pending.count - 1].operands.append(operand)
        } else {
            pending.append((infix, [operand]))
        }
    }

    /// Combines what binds tighter than `next`, or as tight and stands to its left.
    private mutating func settle(
        _ pending: inout [Pending], _ operand: inout Expression, before next: Infix?
    ) throws(Abort) {
        while let last = pending.last?.infix, last.precedence >= next?.precedence ?? 0 {
            if last.isLogical, last == next { return }
            operand = try combine(pending.removeLast(), operand)
        }
    }

    private mutating func combine(_ left: Pending, _ right: Expression) throws(Abort) -> Expression {
        let operands = left.operands + [right]
        let kind: Expression.Kind =
            switch left.infix {
            case .and: .and(operands)
            case .or: .or(operands)
            default: .call(function: left.infix.function, target: nil, arguments: operands)
            }
        return try node(kind, at: operands[0].range.lowerBound..<right.range.upperBound)
    }

    private mutating func takeInfix() -> Infix? {
        let token = current
        if let infix = Infix(token) {
            advance()
            return infix
        }
        switch token.kind {
        case .identifier("and"), .identifier("AND"): return takeMeant(.and)
        case .identifier("or"), .identifier("OR"): return takeMeant(.or)
        case .identifier("not"):
            guard case .identifier("in") = ahead(1).kind else { return nil }
            note(.notIn(at: token.range.lowerBound..<ahead(1).range.upperBound))
            advance()
            advance()
            return .isIn
        default: return nil
        }
    }

    private mutating func takeMeant(_ infix: Infix) -> Infix {
        let word = advance()
        note(.useInstead(of: word.name ?? "", infix.rawValue, at: word.range))
        return infix
    }

    private mutating func unary() throws(Abort) -> Expression {
        let signs = takeSigns()
        let operand = try member()
        return signs.isEmpty ? operand : try apply(signs, to: operand)
    }

    private mutating func apply(_ signs: [Token], to operand: Expression) throws(Abort) -> Expression {
        var operand = operand
        for sign in signs.reversed() {
            let function = sign.symbol == .minus ? Operator.negate : Operator.not
            operand = try node(
                .call(function: function, target: nil, arguments: [operand]),
                at: sign.range.lowerBound..<operand.range.upperBound)
        }
        return operand
    }

    /// All signs but a minus that belongs to the number behind it.
    private mutating func takeSigns() -> [Token] {
        var signs: [Token] = []
        while true {
            if symbol == .not || symbol == .minus && !ahead(1).takesSign {
                signs.append(advance())
            } else if current.name == "not", ahead(1).startsOperand {
                note(.useInstead(of: "not", "!", at: current.range))
                signs.append(advance())
            } else {
                return signs
            }
        }
    }

    // MARK: Members

    private mutating func member() throws(Abort) -> Expression {
        var operand = try primary()
        while try extend(&operand) {}
        return operand
    }

    /// Takes one more member, if there is one.
    private mutating func extend(_ operand: inout Expression) throws(Abort) -> Bool {
        switch symbol {
        case .dot where isAtMethod: try callMethod(&operand)
        case .dot: try select(&operand)
        case .leftBracket: try index(&operand)
        case .leftBrace: return try makeMessage(&operand)
        default: return false
        }
        return true
    }

    private var isAtMethod: Bool { ahead(1).name != nil && ahead(2).symbol == .leftParenthesis }

    private mutating func callMethod(_ target: inout Expression) throws(Abort) {
        advance()
        let function = try fieldName()
        let arguments = try arguments()
        target = try call(function, on: target, arguments, at: target.range.lowerBound..<endOfPrevious)
    }

    private mutating func select(_ operand: inout Expression) throws(Abort) {
        advance()
        let isOptional = take(.question)
        let field = try fieldName()
        operand = try node(
            .select(operand, field: field, isOptional: isOptional),
            at: operand.range.lowerBound..<endOfPrevious)
    }

    /// A name behind a dot or in a message: reserved words are allowed.
    mutating func fieldName() throws(Abort) -> String {
        switch current.kind {
        case .quotedIdentifier(let name):
            advance()
            return name
        case .identifier(let name):
            if Word.keywords.contains(name) { note(.keywordAsField(name, at: current.range)) }
            advance()
            return name
        default:
            throw expected("a field name")
        }
    }

    private mutating func index(_ operand: inout Expression) throws(Abort) {
        let start = open()
        let isOptional = take(.question)
        let index = try expression()
        try close(.rightBracket, from: start)
        operand = try node(
            .index(operand, index, isOptional: isOptional), at: operand.range.lowerBound..<endOfPrevious)
    }

    mutating func arguments() throws(Abort) -> [Expression] {
        let start = open()
        var arguments: [Expression] = []
        if take(.rightParenthesis) { return [] }
        repeat { arguments.append(try expression()) } while take(.comma)
        try close(.rightParenthesis, from: start)
        return arguments
    }
}

extension Token {
    var name: String? {
        if case .identifier(let name) = kind { name } else { nil }
    }

    /// A number that a minus in front makes negative.
    fileprivate var takesSign: Bool {
        switch kind {
        case .integer, .literal(.double): true
        default: false
        }
    }

    /// As far as a word in front, which may be a function or a variable, can tell.
    fileprivate var startsOperand: Bool {
        switch kind {
        case .identifier(let name): !["in", "and", "or", "AND", "OR"].contains(name)
        case .integer, .literal: true
        default: false
        }
    }
}
