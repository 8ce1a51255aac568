extension Parser {
    /// What has no operand in front: literals, names, calls of functions, and all that is in brackets.
    mutating func primary() throws(Abort) -> Expression {
        switch current.kind {
        case .integer(let magnitude): return try integer(magnitude)
        case .literal(let value): return try literal(value)
        case .identifier(let name): return try named(name)
        case .symbol(.minus): return try negativeNumber()
        case .symbol(.dot): return try rooted()
        case .symbol(.leftParenthesis): return try parenthesized()
        case .symbol(.leftBracket): return try list()
        case .symbol(.leftBrace): return try map()
        default: throw expected("an expression")
        }
    }

    // MARK: Literals and names

    private mutating func literal(_ value: Value) throws(Abort) -> Expression {
        try node(.literal(value), at: advance().range)
    }

    private mutating func integer(_ magnitude: UInt64) throws(Abort) -> Expression {
        if magnitude > Int64.max { note(.integerTooLarge(isUnsigned: false, at: current.range)) }
        return try literal(.int(Int64(truncatingIfNeeded: magnitude)))
    }

    /// A minus with its number, so that the smallest int can be written.
    private mutating func negativeNumber() throws(Abort) -> Expression {
        let start = advance().range.lowerBound
        let number = current
        let range = start..<number.range.upperBound
        let value: Value
        switch number.kind {
        case .integer(let magnitude):
            if magnitude > Int64.min.magnitude { note(.integerTooLarge(isUnsigned: false, at: range)) }
            value = .int(Int64(truncatingIfNeeded: 0 &- magnitude))
        case .literal(.double(let double)): value = .double(-double)
        default: throw expected("a number")
        }
        advance()
        return try node(.literal(value), at: range)
    }

    private mutating func named(_ name: String) throws(Abort) -> Expression {
        switch name {
        case "true": return try literal(.bool(true))
        case "false": return try literal(.bool(false))
        case "null": return try literal(.null)
        case "in": throw expected("an expression")
        default: break
        }
        if Word.reserved.contains(name) { note(.reserved(name, at: current.range)) }
        let range = advance().range
        guard current.symbol == .leftParenthesis else {
            return try node(.identifier(name, isRooted: false), at: range)
        }
        let arguments = try arguments()
        return try call(name, on: nil, arguments, at: range.lowerBound..<endOfPrevious)
    }

    private mutating func rooted() throws(Abort) -> Expression {
        let start = advance().range.lowerBound
        guard let name = current.name, !Word.keywords.contains(name) else { throw expected("a name") }
        if Word.reserved.contains(name) { note(.reserved(name, at: current.range)) }
        advance()
        guard current.symbol == .leftParenthesis else {
            return try node(.identifier(name, isRooted: true), at: start..<endOfPrevious)
        }
        let arguments = try arguments()
        return try node(
            .call(function: "." + name, target: nil, arguments: arguments), at: start..<endOfPrevious)
    }

    // MARK: Brackets

    /// The expression within, at the range with its parentheses.
    private mutating func parenthesized() throws(Abort) -> Expression {
        let opening = advance()
        let inner = try expression()
        try close(.rightParenthesis, opening)
        return Expression(inner.kind, at: opening.range.lowerBound..<endOfPrevious)
    }

    private mutating func list() throws(Abort) -> Expression {
        let opening = advance()
        var elements: [Expression.Element] = []
        while current.symbol != .rightBracket {
            let isOptional = take(.question)
            elements.append(Expression.Element(value: try expression(), isOptional: isOptional))
            guard take(.comma) else { break }
        }
        try close(.rightBracket, opening)
        return try node(.list(elements), at: opening.range.lowerBound..<endOfPrevious)
    }

    private mutating func map() throws(Abort) -> Expression {
        let opening = advance()
        var entries: [Expression.Entry] = []
        while current.symbol != .rightBrace {
            let isOptional = take(.question)
            let key = try expression()
            try require(.colon)
            entries.append(Expression.Entry(key: key, value: try expression(), isOptional: isOptional))
            guard take(.comma) else { break }
        }
        try close(.rightBrace, opening)
        return try node(.map(entries), at: opening.range.lowerBound..<endOfPrevious)
    }

    /// The dotted name that `operand` is, if a brace behind it opens a message.
    func messageName(_ operand: Expression) -> String? {
        var fields: [String] = []
        var operand = operand
        while case .select(let inner, let field, false) = operand.kind {
            fields.append(field)
            operand = inner
        }
        guard case .identifier(let name, let isRooted) = operand.kind else { return nil }
        return ([(isRooted ? "." : "") + name] + fields.reversed()).joined(separator: ".")
    }

    mutating func message(_ name: String, from start: Int) throws(Abort) -> Expression {
        let opening = advance()
        var fields: [Expression.Field] = []
        while current.symbol != .rightBrace {
            let isOptional = take(.question)
            let field = try fieldName()
            try require(.colon)
            fields.append(Expression.Field(name: field, value: try expression(), isOptional: isOptional))
            guard take(.comma) else { break }
        }
        try close(.rightBrace, opening)
        return try node(.message(name: name, fields: fields), at: start..<endOfPrevious)
    }
}
