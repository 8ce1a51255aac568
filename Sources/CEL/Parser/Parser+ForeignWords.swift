// What people write who know another language, and what is written here instead.
extension Parser {
    /// What is wrong with this token, when it is known from elsewhere.
    func foreignWord() -> CompilationIssue? {
        if case .identifier("not") = previous?.kind, let range = previous?.range {
            return .error("'not' is written '!'", range, suggestion: "!")
        }
        switch token.kind {
        case .identifier(let word): return operatorWord(word) ?? wordBefore()
        case .string: return textBefore() ?? wordBefore()
        case .double where isDotted: return dotted()
        case .int, .uint, .double: return wordBefore()
        default: return nil
        }
    }

    private func operatorWord(_ word: String) -> CompilationIssue? {
        if case .string = previous?.kind, end == token.range.lowerBound {
            return .error("the text before this ends here; a quote in a text is written \\' or \\\"", token.range)
        }
        if word == "is", let next = peek(), next.kind == .identifier("not") {
            let range = token.range.lowerBound..<next.range.upperBound
            return .error("'is not' is written '!='", range, suggestion: "!=")
        }
        if let symbol = Self.operators[word.lowercased()] {
            return .error("'\(word)' is written '\(symbol)'", token.range, suggestion: symbol)
        }
        if let form = Self.forms[word.lowercased()] { return .error("'\(word)' is written \(form)", token.range) }
        guard Self.textFunctions.contains(word) else { return nil }
        return .error("'\(word)' is a function of a text, as in text.\(word)(\"a\")", token.range)
    }

    private static let operators = [
        "and": "&&", "or": "||", "xor": "!=", "is": "==", "eq": "==", "equals": "==", "ne": "!=", "neq": "!=",
        "lt": "<",
        "le": "<=", "lte": "<=", "gt": ">", "ge": ">=", "gte": ">=", "mod": "%", "div": "/",
    ]

    /// What takes more than another symbol.
    private static let forms = [
        "not": "!(a in list)", "between": "x >= 1 && x <= 5", "like": "text.contains(\"a\")",
        "ilike": "text.lowerAscii().contains(\"a\")", "instanceof": "type(x) == string", "if": "condition ? a : b",
        "then": "condition ? a : b", "else": "condition ? a : b", "for": "list.map(x, x + 1) or list.filter(x, x > 0)",
    ]

    private static let textFunctions: Set<String> = ["matches", "contains", "startsWith", "endsWith"]

    /// A function whose argument just follows it.
    private func wordBefore() -> CompilationIssue? {
        guard case .identifier(let word) = previous?.kind, let range = previous?.range else { return nil }
        switch word {
        case "size", "has", "type", "duration", "timestamp", "int", "double", "string":
            return .error("'\(word)' is called with parentheses, as in \(word)(a.b)", range)
        case "len", "count": return .error("'\(word)' is written size(x)", range)
        case "typeof": return .error("'typeof' is written type(x)", range)
        case "exists", "defined": return .error("'\(word)' is written has(a.b)", range)
        case "interval": return .error("'interval' is written duration(\"1h\")", range)
        case "lambda": return variableBeforeComma(range)
        case "case": return .error("'case' is written condition ? a : b", range)
        default: return nil
        }
    }

    /// One text right behind another, or behind a prefix that texts do not have here.
    private func textBefore() -> CompilationIssue? {
        switch previous?.kind {
        case .string: return .error("texts are joined with '+'", token.range)
        case .identifier(let prefix) where end == token.range.lowerBound:
            let range = end - prefix.utf8.count..<end
            return .error("there is no \(prefix)\"…\"; what is computed is joined to a text with '+'", range)
        default: return nil
        }
    }

    /// `.5`: not what it looks like behind a value.
    private var isDotted: Bool {
        text(of: token.range).hasPrefix(".")
    }

    private func dotted() -> CompilationIssue {
        if case .symbol(.dot) = previous?.kind {
            return .error("there are no ranges; write x >= 1 && x <= 5", token.range)
        }
        let position = text(of: token.range).dropFirst()
        return .error(
            "an element of a list is read with [\(position)]", token.range, suggestion: "[\(position)]")
    }

    // MARK: Forms

    // These throw by themselves instead of being asked: what an error takes of the stack is not to be there for each level of
    // nesting.

    /// `("a", "b")`, where an element was read.
    func refuseListInParentheses() throws(CompilationIssue) {
        guard at(.comma) else { return }
        throw listInBrackets()
    }

    /// `{"a", "b"}` and `{{ name }}`, where a key was read.
    func refuseEntryWithoutValue(of start: Int) throws(CompilationIssue) {
        guard at(.comma) || at(.rightBrace) else { return }
        guard start > 0, text(of: start - 1..<start) == "{" else { throw listInBrackets() }
        throw .error(
            "'{{' has no meaning inside of an expression: names stand here as they are", start - 1..<start + 1)
    }

    private func listInBrackets() -> CompilationIssue {
        .error("a list is written in brackets, as in [\"a\", \"b\"]", token.range)
    }

    func refuseSlice() throws(CompilationIssue) {
        guard at(.colon) else { return }
        throw .error("there are no slices; a part of a text is text.substring(0, 3)", token.range)
    }

    func refuseColonBehindVariable() throws(CompilationIssue) {
        guard at(.colon) else { return }
        throw variableBeforeComma(token.range)
    }

    private func variableBeforeComma(_ range: Range<Int>) -> CompilationIssue {
        .error("the name of an element stands before a comma, as in list.exists(x, x > 0)", range)
    }

    /// `a ?? b` and `a ?: b`.
    func refuseFallback(after question: Range<Int>) throws(CompilationIssue) {
        guard at(.question) || at(.colon) else { return }
        let range = question.lowerBound..<token.range.upperBound
        throw .error(
            "there is no '\(text(of: range).filter { $0 != " " })'; a field that may not be there is a.?b.orValue(c)",
            range)
    }

    /// `a?.b`.
    func safeAccess(_ question: Range<Int>) -> CompilationIssue {
        let range = question.lowerBound..<question.upperBound + 1
        return .error("'?.' is written '.?'", range, suggestion: ".?")
    }

    func reserved(_ word: String) -> CompilationIssue {
        let hint =
            switch word {
            case "if", "else": "; a choice is written condition ? a : b"
            case "let", "const", "var": "; a value is given a name with cel.bind(x, value, x + 1)"
            case "for", "while", "loop": "; every element is gone through with list.map(x, x + 1)"
            case "return": "; an expression is its own result"
            case "function": "; there are only those functions that are there"
            default: ""
            }
        return .error("'\(word)' is a reserved word and cannot be a name\(hint)", token.range)
    }
}
