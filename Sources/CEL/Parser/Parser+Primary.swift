// Literals, names, calls, selections and brackets.
extension Parser {
    mutating func primary(isNegative: Bool, from start: Int) throws(CompilationIssue) -> Expression {
        let kind = token.kind
        switch kind {
        case .int, .uint, .double, .string, .bytes: return try literal(isNegative: isNegative, from: start)
        case .identifier(let name): return try named(name, isRooted: false, from: start)
        case .quotedIdentifier:
            throw .error("a name in backquotes may only follow a point, as in headers.`content-type`", token.range)
        case .end: throw unexpected("a value")
        case .symbol(let symbol): return try primary(symbol, from: start)
        }
    }

    private mutating func literal(isNegative: Bool, from start: Int) throws(CompilationIssue) -> Expression {
        let value: Value? =
            switch token.kind {
            case .int(let magnitude):
                if isNegative {
                    magnitude == Int64.min.magnitude ? .int(.min) : Int64(exactly: magnitude).map { .int(-$0) }
                } else {
                    Int64(exactly: magnitude).map { .int($0) }
                }
            case .uint(let number): .uint(number)
            case .double(let number): .double(isNegative ? -number : number)
            case .string(let text): .string(text)
            case .bytes(let bytes): .bytes(bytes)
            default: nil
            }
        guard let value else { throw .error("this number is too large for an int", token.range) }
        try advance()
        return try node(.literal(value), from: start)
    }

    private mutating func primary(_ symbol: Token.Symbol, from start: Int) throws(CompilationIssue) -> Expression {
        switch symbol {
        case .isTrue, .isFalse, .null:
            try advance()
            return try node(.literal(symbol == .null ? .null : .bool(symbol == .isTrue)), from: start)
        case .dot:
            try advance()
            guard case .identifier(let name) = token.kind else { throw unexpected("a name") }
            return try named(name, isRooted: true, from: start)
        case .leftParenthesis:
            try advance()
            let inner = try expression()
            try expect(.rightParenthesis)
            return Expression(inner.kind, at: start..<end)
        case .leftBracket: return try list(from: start)
        case .leftBrace: return try map(from: start)
        default: throw unexpected("a value")
        }
    }

    private mutating func named(_ name: String, isRooted: Bool, from start: Int) throws(CompilationIssue) -> Expression
    {
        guard !Parser.reserved.contains(name) else {
            throw .error("'\(name)' is a reserved word and cannot be a name", token.range)
        }
        try advance()
        guard try take(.leftParenthesis) else {
            return try node(.identifier(name, isRooted: isRooted), from: start)
        }
        let arguments = try arguments()
        let call = MacroCall(name: name, target: nil, arguments: arguments, range: start..<end)
        if !isRooted, let expansion = try expand(call) { return expansion }
        return try node(.call(function: isRooted ? "." + name : name, target: nil, arguments: arguments), from: start)
    }

    /// What follows a value: `.name`, `.name(…)`, `[…]`, `{…}`.
    mutating func member(of operand: Expression, from start: Int) throws(CompilationIssue) -> Expression {
        var operand = operand
        while true {
            if try take(.dot) {
                operand = try selection(of: operand, from: start)
            } else if try take(.leftBracket) {
                let isOptional = try take(.question)
                let index = try expression()
                try expect(.rightBracket)
                operand = try node(.index(operand, index, isOptional: isOptional), from: start)
            } else if at(.leftBrace), let name = operand.qualifiedName {
                operand = try message(name, from: start)
            } else {
                return operand
            }
        }
    }

    private mutating func selection(of operand: Expression, from start: Int) throws(CompilationIssue) -> Expression {
        let isOptional = try take(.question)
        let field: String
        switch token.kind {
        case .identifier(let name): field = name
        case .quotedIdentifier(let name):
            try advance()
            return try node(.select(operand, field: name, isOptional: isOptional), from: start)
        default: throw unexpected("the name of a field or function")
        }
        try advance()
        guard !isOptional, try take(.leftParenthesis) else {
            return try node(.select(operand, field: field, isOptional: isOptional), from: start)
        }
        let arguments = try arguments()
        let call = MacroCall(name: field, target: operand, arguments: arguments, range: start..<end)
        if let expansion = try expand(call) { return expansion }
        return try node(.call(function: field, target: operand, arguments: arguments), from: start)
    }

    /// The arguments of a call, whose opening parenthesis has been taken.
    private mutating func arguments() throws(CompilationIssue) -> [Expression] {
        var arguments: [Expression] = []
        while !at(.rightParenthesis) {
            arguments.append(try expression())
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
            guard case .identifier(let field) = token.kind else { throw unexpected("the name of a field") }
            try advance()
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
