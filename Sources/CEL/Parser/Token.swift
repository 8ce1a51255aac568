/// A word of the source text.
struct Token {
    enum Kind: Equatable {
        case identifier(String)
        /// In backquotes: allowed only as the name of a field.
        case quotedIdentifier(String)
        /// The magnitude; a sign is an operator until the parser joins the two.
        case int(UInt64)
        case uint(UInt64)
        case double(Double)
        case string(String)
        case bytes([UInt8])
        /// An operator, bracket or separator, or one of the words `true false null in`.
        case symbol(Symbol)
        case end
    }

    enum Symbol: String, CaseIterable {
        case or = "||"
        case and = "&&"
        case equals = "=="
        case notEquals = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
        case plus = "+"
        case minus = "-"
        case times = "*"
        case slash = "/"
        case percent = "%"
        case not = "!"
        case question = "?"
        case colon = ":"
        case comma = ","
        case dot = "."
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBracket = "["
        case rightBracket = "]"
        case leftBrace = "{"
        case rightBrace = "}"
        case isIn = "in"
        case isTrue = "true"
        case isFalse = "false"
        case null = "null"
    }

    var kind: Kind
    var range: Range<Int>
}

extension Token {
    /// As a message names it.
    var spelling: String {
        switch kind {
        case .identifier(let name): "'\(name)'"
        case .quotedIdentifier(let name): "`\(name)`"
        case .int, .uint, .double: "a number"
        case .string: "a text"
        case .bytes: "a bytes literal"
        case .symbol(let symbol): "'\(symbol.rawValue)'"
        case .end: "the end"
        }
    }
}
