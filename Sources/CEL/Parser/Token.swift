/// A word of the source.
struct Token: Sendable {
    enum Kind: Sendable {
        /// A name, keyword or reserved word; the parser tells which by where it stands.
        case identifier(String)
        /// A field name between backquotes, without them.
        case quotedIdentifier(String)
        /// An int without its sign, since only a minus in front makes 2^63 one.
        case integer(UInt64)
        /// Uint, double, string or bytes.
        case literal(Value)
        case symbol(Symbol)
        /// Text that is no token and has been reported.
        case invalid
        case end
    }

    /// Operators and punctuation.
    enum Symbol: String, Sendable {
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBracket = "["
        case rightBracket = "]"
        case leftBrace = "{"
        case rightBrace = "}"
        case dot = "."
        case comma = ","
        case colon = ":"
        case question = "?"
        case plus = "+"
        case minus = "-"
        case star = "*"
        case slash = "/"
        case percent = "%"
        case not = "!"
        case and = "&&"
        case or = "||"
        case equals = "=="
        case notEquals = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    var kind: Kind
    /// UTF-8 offsets into the source.
    var range: Range<Int>

    var symbol: Symbol? {
        if case .symbol(let symbol) = kind { symbol } else { nil }
    }
}

/// Words that are no names (langdef, "Syntax").
enum Word {
    /// Have a meaning of their own and are refused everywhere else.
    static let keywords: Set<String> = ["true", "false", "null", "in"]
    /// Are kept for host languages: refused as identifiers, allowed as fields.
    static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
        "namespace", "return", "var", "void", "while",
    ]
}
