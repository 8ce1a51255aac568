extension Parser {
    /// What has no operand in front: literals, names, calls of functions, and all that is in brackets.
    ///
    /// The functions between here and `expression()` are small because they are what the stack holds for each level.
    mutating func primary() throws(Abort) -> Expression {
        switch symbol {
        case nil where isAtCall: try functionCall()
        case nil: try leaf()
        case .minus: try negativeNumber()
        case .dot: try rooted()
        case .leftParenthesis: try parenthesized()
        case .leftBracket: try list()
        case .leftBrace: try map()
        default: throw expected("an expression")
        }
    }

    private var isAtCall: Bool { ahead(1).symbol == .leftParenthesis && current.isFunctionName }

    private mutating func leaf() throws(Abort) -> Expression {
        switch current.kind {
        case .integer(let magnitude): try integer(magnitude)
        case .literal(let value): try literal(value)
        case .identifier(let name): try named(name)
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
        noteIfReserved()
        return try node(.identifier(name, isRooted: false), at: advance().range)
    }

    private mutating func functionCall() throws(Abort) -> Expression {
        noteIfReserved()
        let name = advance()
        let arguments = try arguments()
        return try call(name.name ?? "", on: nil, arguments, at: name.range.lowerBound..<endOfPrevious)
    }

    /// A name with a dot in front.
    private mutating func rooted() throws(Abort) -> Expression {
        let start = advance().range.lowerBound
        guard current.isFunctionName, let name = current.name else { throw expected("a name") }
        noteIfReserved()
        advance()
        if symbol == .leftParenthesis { return try rootedCall(name, from: start) }
        return try node(.identifier(name, isRooted: true), at: start..<endOfPrevious)
    }

    private mutating func rootedCall(_ name: String, from start: Int) throws(Abort) -> Expression {
        let arguments = try arguments()
        return try node(
            .call(function: "." + name, target: nil, arguments: arguments), at: start..<endOfPrevious)
    }

    private mutating func noteIfReserved() {
        guard let name = current.name, Word.reserved.contains(name) else { return }
        note(.reserved(name, at: current.range))
    }

    // MARK: Brackets

    /// The expression within, at the range with its parentheses.
    private mutating func parenthesized() throws(Abort) -> Expression {
        let start = open()
        let inner = try expression()
        try close(.rightParenthesis, from: start)
        return Expression(inner.kind, at: start..<endOfPrevious)
    }

    private mutating func list() throws(Abort) -> Expression {
        let start = open()
        var elements: [Expression.Element] = []
        repeat {
            if symbol == .rightBracket { break }
            elements.append(try element())
        } while take(.comma)
        try close(.rightBracket, from: start)
        return try node(.list(elements), at: start..<endOfPrevious)
    }

    private mutating func element() throws(Abort) -> Expression.Element {
        let isOptional = take(.question)
        return Expression.Element(value: try expression(), isOptional: isOptional)
    }

    private mutating func map() throws(Abort) -> Expression {
        let start = open()
        var entries: [Expression.Entry] = []
        repeat {
            if symbol == .rightBrace { break }
            entries.append(try entry())
        } while take(.comma)
        try close(.rightBrace, from: start)
        return try node(.map(entries), at: start..<endOfPrevious)
    }

    private mutating func entry() throws(Abort) -> Expression.Entry {
        let isOptional = take(.question)
        let key = try expression()
        try require(.colon)
        return Expression.Entry(key: key, value: try expression(), isOptional: isOptional)
    }

    /// Makes a message of the dotted name in front of a brace; false if it is something else.
    mutating func makeMessage(_ operand: inout Expression) throws(Abort) -> Bool {
        guard let name = messageName(operand) else { return false }
        operand = try message(name, from: operand.range.lowerBound)
        return true
    }

    private func messageName(_ operand: Expression) -> String? {
        var fields: [String] = []
        var operand = operand
        while case .select(let inner, let field, false) = operand.kind {
            fields.append(field)
            operand = inner
        }
        guard case .identifier(let name, let isRooted) = operand.kind else { return nil }
        return ([(isRooted ? "." : "") + name] + fields.reversed()).joined(separator: ".")
    }

    private mutating func message(_ name: String, from start: Int) throws(Abort) -> Expression {
        let opening = open()
        var fields: [Expression.Field] = []
        repeat {
            if symbol == .rightBrace { break }
            fields.append(try field())
        } while take(.comma)
        try close(.rightBrace, from: opening)
        return try node(.message(name: name, fields: fields), at: start..<endOfPrevious)
    }

    private mutating func field() throws(Abort) -> Expression.Field {
        let isOptional = take(.question)
        let name = try fieldName()
        try require(.colon)
        return Expression.Field(name: name, value: try expression(), isOptional: isOptional)
    }
}

extension Token {
    fileprivate var isFunctionName: Bool {
        if case .identifier(let name) = kind { !Word.keywords.contains(name) } else { false }
    }
}
