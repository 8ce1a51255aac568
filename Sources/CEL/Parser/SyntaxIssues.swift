// What the lexer and the parser have to say.

extension CompilationIssue {
    private static func error(_ message: String, at range: Range<Int>, suggestion: String? = nil) -> Self {
        Self(.error, message, at: range, suggestion: suggestion)
    }

    // MARK: Words

    static func useInstead(of written: String, _ meant: String, at range: Range<Int>) -> Self {
        let hint =
            meant == "==" ? "use '==' to compare" : "use '\(meant)'"
        return error("'\(written)' is no operator; \(hint)", at: range, suggestion: meant)
    }

    static func unknownCharacter(_ character: String, at range: Range<Int>) -> Self {
        error("'\(character.asciiEscaped)' means nothing here; text belongs in quotes", at: range)
    }

    static func curlyQuote(at range: Range<Int>) -> Self {
        error("a typographic quote; use a straight one, ' or \"", at: range, suggestion: "\"")
    }

    static func unterminatedString(at range: Range<Int>) -> Self {
        error("this string has no closing quote", at: range)
    }

    static func unknownEscape(_ escape: String, isBytes: Bool, at range: Range<Int>) -> Self {
        if isBytes, escape.utf8.dropFirst().first.map({ $0 | 0x20 == UInt8(ascii: "u") }) == true {
            return error("'\(escape)' cannot be used in bytes; write its bytes as \\xHH", at: range)
        }
        return error(
            "'\(escape.asciiEscaped)' is no escape; write '\\\\' for a backslash, or put r before the quote", at: range)
    }

    static func shortEscape(_ escape: String, at range: Range<Int>) -> Self {
        error(
            "'\(escape)' has too few digits: an escape is \\xHH, \\uHHHH, \\UHHHHHHHH or three octal digits", at: range)
    }

    static func invalidCodePoint(_ escape: String, at range: Range<Int>) -> Self {
        error("'\(escape)' is not a Unicode character", at: range)
    }

    static func malformedQuotedName(at range: Range<Int>) -> Self {
        error("a name between backquotes is made of letters, digits, '_', '.', '-', '/' and blanks", at: range)
    }

    static func malformedNumber(_ text: String, at range: Range<Int>) -> Self {
        error("'\(text.shortened)' is neither a number nor a name", at: range)
    }

    static func integerTooLarge(isUnsigned: Bool, at range: Range<Int>) -> Self {
        let bounds = isUnsigned ? "0 to \(UInt64.max)" : "\(Int64.min) to \(Int64.max)"
        return error("this number is too large; \(isUnsigned ? "a uint" : "an int") is \(bounds)", at: range)
    }

    static func doubleTooLarge(at range: Range<Int>) -> Self {
        error("this number is too large for a double", at: range)
    }

    // MARK: Grammar

    static func expected(_ what: String, found: Token, at range: Range<Int>) -> Self {
        switch found.kind {
        case .end: error("the expression ends here, but \(what) should follow", at: range)
        default: error("expected \(what), found \(found.display)", at: range)
        }
    }

    static func unclosed(before closing: String, at range: Range<Int>) -> Self {
        error("this bracket is never closed; a '\(closing)' is missing", at: range)
    }

    static func notIn(at range: Range<Int>) -> Self {
        error("'not in' is no operator; write !(a in b)", at: range)
    }

    static func reserved(_ word: String, at range: Range<Int>) -> Self {
        error("'\(word)' is a reserved word and cannot be a name", at: range)
    }

    static func keywordAsField(_ word: String, at range: Range<Int>) -> Self {
        error("'\(word)' is a keyword; as a field name it needs backquotes", at: range, suggestion: "`\(word)`")
    }

    // MARK: Macros

    static func hasNeedsField(at range: Range<Int>) -> Self {
        error("has() asks whether a field is there, as in has(a.b); this is not a field", at: range)
    }

    static func variableNotName(_ macro: String, at range: Range<Int>) -> Self {
        error("\(macro)() names a variable here, which must be a simple name such as x", at: range)
    }

    static func variablesEqual(_ name: String, at range: Range<Int>) -> Self {
        error("the two variables must differ; '\(name)' is already the first", at: range)
    }

    // MARK: Limits

    static func sourceTooLong(_ limit: Int) -> Self {
        error("the expression is longer than \(limit) bytes", at: limit..<limit)
    }

    static func tooDeep(_ limit: Int, at range: Range<Int>) -> Self {
        error("the expression is nested more than \(limit) levels deep here; divide it", at: range)
    }

    static func tooManyNodes(_ limit: Int, at range: Range<Int>) -> Self {
        error("the expression has more than \(limit) parts", at: range)
    }
}

extension Token {
    /// As shown in a message.
    var display: String {
        switch kind {
        case .identifier(let name): "'\(name.shortened)'"
        case .quotedIdentifier(let name): "'`\(name.shortened)`'"
        case .integer, .literal(.uint), .literal(.double): "a number"
        case .literal: "a string"
        case .symbol(let symbol): "'\(symbol.rawValue)'"
        case .invalid: "something else"
        case .end: "the end"
        }
    }
}

extension String {
    /// The beginning of a text that may be long.
    fileprivate var shortened: String { utf8.count <= 40 ? self : String(prefix(37)) + "…" }

    /// With control characters made visible; others as they are.
    fileprivate var asciiEscaped: String {
        unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
