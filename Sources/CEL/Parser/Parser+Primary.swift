// Literals, names, calls, selections and brackets.
extension Parser {
    mutating func primary(from start: Int) throws(CompilationIssue) -> Expression {
        if at(.leftParenthesis) { return try parenthesized(from: start) }
        if at(.leftBracket) { return try list(from: start) }
        if at(.leftBrace) { return try map(from: start) }
        if at(.dot) { return try rooted(from: start) }
        if let name = try plainName() { return try named(name, isRooted: false, from: start) }
        return try literal(isNegative: false, from: start)
    }

    private mutating func parenthesized(from start: Int) throws(CompilationIssue) -> Expression {
        try advance()
        let inner = try expression()
        try refuseListInParentheses()
        try expect(.rightParenthesis)
        return Expression(inner.kind, at: start..<end)
    }

    private mutating func rooted(from start: Int) throws(CompilationIssue) -> Expression {
        try advance()
        guard let name = try plainName() else { throw unexpected("a name") }
        return try named(name, isRooted: true, from: start)
    }

    /// Takes a name that may begin an expression; nil, with nothing taken, for what is none.
    private mutating func plainName() throws(CompilationIssue) -> String? {
        switch token.kind {
        case .quotedIdentifier:
            throw .error("a name in backquotes may only follow a point, as in headers.`content-type`", token.range)
        case .identifier(let name):
            guard !Parser.reserved.contains(name) else {
                throw reserved(name)
            }
            try advance()
            return name
        default: return nil
        }
    }

    mutating func literal(isNegative: Bool, from start: Int) throws(CompilationIssue) -> Expression {
        let value = try literalValue(isNegative: isNegative)
        try advance()
        return try node(.literal(value), from: start)
    }

    private func literalValue(isNegative: Bool) throws(CompilationIssue) -> Value {
        switch token.kind {
        case .int(let magnitude):
            if isNegative, magnitude == Int64.min.magnitude { return .int(.min) }
            guard let number = Int64(exactly: magnitude) else {
                throw .error("this number is too large for an int", token.range)
            }
            return .int(isNegative ? -number : number)
        case .uint(let number): return .uint(number)
        case .double(let number): return .double(isNegative ? -number : number)
        case .string(let text): return .string(text)
        case .bytes(let bytes): return .bytes(bytes)
        case .symbol(.isTrue): return .bool(true)
        case .symbol(.isFalse): return .bool(false)
        case .symbol(.null): return .null
        default: throw unexpected("a value")
        }
    }

    private mutating func named(_ name: String, isRooted: Bool, from start: Int) throws(CompilationIssue) -> Expression
    {
        guard at(.leftParenthesis) else {
            return try node(.identifier(name, isRooted: isRooted), from: start)
        }
        let arguments = try arguments()
        return try call(isRooted ? "." + name : name, on: nil, arguments, from: start)
    }

    private func call(
        _ name: String, on target: Expression?, _ arguments: [Expression], from start: Int
    ) throws(CompilationIssue) -> Expression {
        let call = MacroCall(name: name, target: target, arguments: arguments, range: start..<end)
        if let expansion = try expand(call) { return expansion }
        return try node(.call(function: name, target: target, arguments: arguments), from: start)
    }

    /// What follows a value: `.name`, `.name(…)`, `[…]`, `{…}`.
    mutating func member(of operand: Expression, from start: Int) throws(CompilationIssue) -> Expression {
        var operand = operand
        while let next = try suffix(of: operand, from: start) { operand = next }
        return operand
    }

    private mutating func suffix(of operand: Expression, from start: Int) throws(CompilationIssue) -> Expression? {
        if try take(.dot) { return try selection(of: operand, from: start) }
        if try take(.leftBracket) { return try index(of: operand, from: start) }
        if at(.leftBrace), let name = operand.qualifiedName { return try message(name, from: start) }
        return nil
    }

    private mutating func index(of operand: Expression, from start: Int) throws(CompilationIssue) -> Expression {
        let isOptional = try take(.question)
        let index = try expression()
        try refuseSlice()
        try expect(.rightBracket)
        return try node(.index(operand, index, isOptional: isOptional), from: start)
    }

    private mutating func selection(of operand: Expression, from start: Int) throws(CompilationIssue) -> Expression {
        let isOptional = try take(.question)
        let (field, isQuoted) = try fieldName()
        guard !isOptional, !isQuoted, at(.leftParenthesis) else {
            return try node(.select(operand, field: field, isOptional: isOptional), from: start)
        }
        let arguments = try arguments()
        return try call(field, on: operand, arguments, from: start)
    }

    private mutating func fieldName() throws(CompilationIssue) -> (String, isQuoted: Bool) {
        let result: (String, Bool)
        switch token.kind {
        case .identifier(let name): result = (name, false)
        case .quotedIdentifier(let name): result = (name, true)
        default: throw unexpected("the name of a field")
        }
        try advance()
        return result
    }

    private mutating func arguments() throws(CompilationIssue) -> [Expression] {
        try expect(.leftParenthesis)
        var arguments: [Expression] = []
        while !at(.rightParenthesis) {
            arguments.append(try expression())
            try refuseColonBehindVariable()
            guard try take(.comma) else { break }
        }
        try expect(.rightParenthesis)
        return arguments
    }

    private mutating func list(from start: Int) throws(CompilationIssue) -> Expression {
        try expect(.leftBracket)
        var elements: [Expression.Element] = []
        while !at(.rightBracket) {
            let isOptional = try take(.question)
            elements.append(Expression.Element(value: try expression(), isOptional: isOptional))
            guard try take(.comma) else { break }
        }
        try expect(.rightBracket)
        return try node(.list(elements), from: start)
    }

    private mutating func map(from start: Int) throws(CompilationIssue) -> Expression {
        try expect(.leftBrace)
        var entries: [Expression.Entry] = []
        while !at(.rightBrace) {
            let isOptional = try take(.question)
            let key = try expression()
            try refuseEntryWithoutValue(of: start)
            try expect(.colon)
            entries.append(Expression.Entry(key: key, value: try expression(), isOptional: isOptional))
            guard try take(.comma) else { break }
        }
        try expect(.rightBrace)
        return try node(.map(entries), from: start)
    }

    private mutating func message(_ name: String, from start: Int) throws(CompilationIssue) -> Expression {
        try expect(.leftBrace)
        var fields: [Expression.Field] = []
        while !at(.rightBrace) {
            let isOptional = try take(.question)
            let (field, _) = try fieldName()
            try expect(.colon)
            fields.append(Expression.Field(name: field, value: try expression(), isOptional: isOptional))
            guard try take(.comma) else { break }
        }
        try expect(.rightBrace)
        return try node(.message(name: name, fields: fields), from: start)
    }

    /// Words that CEL keeps for languages it is embedded in. They may be fields and functions of a value.
    static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
        "namespace", "return", "var", "void", "while",
    ]
}

extension Expression {
    /// `a.b.c` when the expression is nothing but names; a leading point when it is rooted.
    var qualifiedName: String? {
        var fields: [String] = []
        var expression = self
        while case .select(let operand, let field, isOptional: false) = expression.kind {
            fields.append(field)
            expression = operand
        }
        guard case .identifier(let name, let isRooted) = expression.kind else { return nil }
        return ([isRooted ? "." + name : name] + fields.reversed()).joined(separator: ".")
    }
}
