extension Parser {
    /// `a ? b : c`, and all that binds tighter.
    mutating func expression() throws(Abort) -> Expression {
        try enter()
        defer { leave() }
        let condition = try operations()
        guard take(.question) else { return condition }
        let then = try operations()
        try require(.colon)
        let otherwise = try expression()
        return try node(
            .conditional(condition, then: then, otherwise: otherwise),
            at: condition.range.lowerBound..<otherwise.range.upperBound)
    }

    // MARK: Operators

    private typealias Pending = (infix: Infix, operands: [Expression])

    /// Operands with operators between them. An operator waits until one that binds no tighter follows.
    private mutating func operations() throws(Abort) -> Expression {
        var pending: [Pending] = []
        var operand = try unary()
        while let infix = takeInfix() {
            try settle(&pending, &operand, before: infix)
            if infix.isLogical, pending.last?.infix == infix {
                pending[pending.count - 1].operands.append(operand)
            } else {
                pending.append((infix, [operand]))
            }
            operand = try unary()
        }
        try settle(&pending, &operand, before: nil)
        return operand
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
            guard case .identifier("in") = next.kind else { return nil }
            note(.notIn(at: token.range.lowerBound..<next.range.upperBound))
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
        var operand = try member()
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
            if current.symbol == .not || current.symbol == .minus && !next.takesSign {
                signs.append(advance())
            } else if current.name == "not", next.startsOperand {
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
        while true {
            switch current.symbol {
            case .dot: operand = try selection(of: operand)
            case .leftBracket: operand = try index(of: operand)
            case .leftBrace:
                guard let name = messageName(operand) else { return operand }
                operand = try message(name, from: operand.range.lowerBound)
            default: return operand
            }
        }
    }

    private mutating func selection(of operand: Expression) throws(Abort) -> Expression {
        advance()
        let isOptional = take(.question)
        let isQuoted = current.isQuoted
        let field = try fieldName()
        guard current.symbol == .leftParenthesis, !isOptional, !isQuoted else {
            return try node(
                .select(operand, field: field, isOptional: isOptional),
                at: operand.range.lowerBound..<endOfPrevious)
        }
        let arguments = try arguments()
        return try call(field, on: operand, arguments, at: operand.range.lowerBound..<endOfPrevious)
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

    private mutating func index(of operand: Expression) throws(Abort) -> Expression {
        let opening = advance()
        let isOptional = take(.question)
        let index = try expression()
        try close(.rightBracket, opening)
        return try node(
            .index(operand, index, isOptional: isOptional), at: operand.range.lowerBound..<endOfPrevious)
    }

    mutating func arguments() throws(Abort) -> [Expression] {
        let opening = advance()
        var arguments: [Expression] = []
        if take(.rightParenthesis) { return [] }
        repeat { arguments.append(try expression()) } while take(.comma)
        try close(.rightParenthesis, opening)
        return arguments
    }
}

extension Token {
    var name: String? {
        if case .identifier(let name) = kind { name } else { nil }
    }

    var isQuoted: Bool {
        if case .quotedIdentifier = kind { true } else { false }
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
