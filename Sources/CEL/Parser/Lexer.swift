/// Splits source text into tokens (langdef, "Syntax"). Works on UTF-8, so offsets are those of diagnostics.
struct Lexer {
    let source: [UInt8]
    private(set) var position = 0

    init(_ source: [UInt8]) {
        self.source = source
    }

    /// The next token; `.end` at the end, as often as it is asked.
    mutating func next() throws(CompilationIssue) -> Token {
        let before = position
        skipSpace()
        let start = position
        guard let byte = peek() else {
            // The end is where the last token ends, not on a line behind it.
            position = before
            return Token(kind: .end, range: before..<before)
        }
        let kind: Token.Kind =
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
            case UInt8(ascii: ".") where isDigit(peek(1)): try number()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): try text(StringLiteral(isRaw: false, isBytes: false))
            case UInt8(ascii: "`"): try quotedIdentifier()
            case _ where isWordStart(byte): try word()
            default: try symbol()
            }
        return Token(kind: kind, range: start..<position)
    }

    func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < source.count ? source[position + offset] : nil
    }

    mutating func advance(_ count: Int = 1) {
        position += count
    }

    private mutating func skipSpace() {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C:
                position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
            default:
                return
            }
        }
    }

    // MARK: Words

    private mutating func word() throws(CompilationIssue) -> Token.Kind {
        let start = position
        while let byte = peek(), isWordPart(byte) { position += 1 }
        try refuseLongName(from: start)
        let name = String(decoding: source[start..<position], as: UTF8.self)
        if peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'"), let prefix = StringLiteral(prefix: name) {
            return try text(prefix)
        }
        switch name {
        case "in", "true", "false", "null": return Token.Symbol(rawValue: name).map { .symbol($0) } ?? .identifier(name)
        default: return .identifier(name)
        }
    }

    private mutating func quotedIdentifier() throws(CompilationIssue) -> Token.Kind {
        let start = position
        position += 1
        while let byte = peek(), byte != UInt8(ascii: "`") {
            guard isWordPart(byte) || [".", "-", "/", " "].contains(Unicode.Scalar(byte)) else {
                throw .error(
                    "a name in backquotes has letters, digits and the characters _ . - / only", start..<position)
            }
            position += 1
        }
        guard peek() != nil else { throw .error("this backquote is not closed", start..<position) }
        position += 1
        try refuseLongName(from: start)
        guard position - start > 2 else { throw .error("there is no name between these backquotes", start..<position) }
        return .quotedIdentifier(String(decoding: source[start + 1..<position - 1], as: UTF8.self))
    }

    private func refuseLongName(from start: Int) throws(CompilationIssue) {
        guard position - start <= Parser.Limit.nameBytes else {
            throw .error("this name is longer than \(Parser.Limit.nameBytes) bytes", start..<position)
        }
    }

    // MARK: Numbers

    private mutating func number() throws(CompilationIssue) -> Token.Kind {
        let start = position
        if peek() == UInt8(ascii: "0"), let x = peek(1), x | 0x20 == UInt8(ascii: "x"), isHexDigit(peek(2)) {
            position += 2
            while isHexDigit(peek()) { position += 1 }
            return try integer(source[start + 2..<position], radix: 16, from: start)
        }
        while isDigit(peek()) { position += 1 }
        var isDouble = false
        if peek() == UInt8(ascii: "."), isDigit(peek(1)) {
            isDouble = true
            position += 1
            while isDigit(peek()) { position += 1 }
        }
        if skipExponent() { isDouble = true }
        guard isDouble else { return try integer(source[start..<position], radix: 10, from: start) }
        try refuseWordAfterNumber(from: start)
        let text = String(decoding: source[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw .error("this number is too large for a double", start..<position)
        }
        return .double(value)
    }

    private mutating func skipExponent() -> Bool {
        guard let e = peek(), e | 0x20 == UInt8(ascii: "e") else { return false }
        let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
        guard isDigit(peek(hasSign ? 2 : 1)) else { return false }
        position += hasSign ? 2 : 1
        while isDigit(peek()) { position += 1 }
        return true
    }

    private mutating func integer(
        _ digits: ArraySlice<UInt8>, radix: Int, from start: Int
    ) throws(CompilationIssue) -> Token.Kind {
        let isUnsigned = peek().map { $0 | 0x20 == UInt8(ascii: "u") } ?? false
        if isUnsigned { position += 1 }
        try refuseWordAfterNumber(from: start)
        guard let value = UInt64(String(decoding: digits, as: UTF8.self), radix: radix) else {
            throw .error("this number is too large for \(isUnsigned ? "a uint" : "an int")", start..<position)
        }
        return isUnsigned ? .uint(value) : .int(value)
    }

    /// `3d` is two tokens by the letter of the grammar, and never what was meant.
    private mutating func refuseWordAfterNumber(from start: Int) throws(CompilationIssue) {
        guard let byte = peek(), isWordStart(byte) else { return }
        let wordStart = position
        while let byte = peek(), isWordPart(byte) { position += 1 }
        let digits = String(decoding: source[start..<wordStart], as: UTF8.self)
        let word = String(decoding: source[wordStart..<position], as: UTF8.self)
        throw .error(digits, before: word, start..<position)
    }

    // MARK: Symbols

    private mutating func symbol() throws(CompilationIssue) -> Token.Kind {
        if let foreign = ForeignSymbol.beginning(source[position...]) {
            let range = position..<position + foreign.spelling.utf8.count
            throw .error(foreign.message, range, suggestion: foreign.meant)
        }
        for length in [2, 1] where position + length <= source.count {
            let text = String(decoding: source[position..<position + length], as: UTF8.self)
            guard let symbol = Token.Symbol(rawValue: text) else { continue }
            position += length
            return .symbol(symbol)
        }
        throw unknownSymbol()
    }

    private func unknownSymbol() -> CompilationIssue {
        let range = position..<position + 1
        switch source[position] {
        case UInt8(ascii: "="):
            return .error("'=' compares nothing; equality is written '=='", range, suggestion: "==")
        case UInt8(ascii: "&"):
            return .error("'&' is written '&&'", range, suggestion: "&&")
        case UInt8(ascii: "|"):
            return .error("'|' is written '||'; a function is called, as in text.size()", range, suggestion: "||")
        default:
            let scalar = String(decoding: source[position...].prefix(4), as: UTF8.self).unicodeScalars.first ?? " "
            return .error("\(scalar.name) has no meaning here", position..<position + scalar.utf8.count)
        }
    }
}

extension Unicode.Scalar {
    /// As a message names it: by its number when nobody would see it.
    fileprivate var name: String {
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
            "the invisible character U+\(String(value, radix: 16, uppercase: true).leftPadded)"
        default: "'\(self)'"
        }
    }
}

extension String {
    /// Four digits at least, as characters are numbered.
    fileprivate var leftPadded: String { String(repeating: "0", count: max(0, 4 - utf8.count)) + self }
}

func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
}

func isHexDigit(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
}

private func isWordStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

func isWordPart(_ byte: UInt8) -> Bool {
    isWordStart(byte) || isDigit(byte)
}

extension CompilationIssue {
    static func error(_ message: String, _ range: Range<Int>, suggestion: String? = nil) -> CompilationIssue {
        CompilationIssue(.error, message, at: range, suggestion: suggestion)
    }

    /// A word right behind a number: a unit of time, digits of another base, or nothing that could be named.
    fileprivate static func error(
        _ digits: String, before word: String, _ range: Range<Int>
    ) -> CompilationIssue {
        if let duration = durationText(digits, word) {
            return .error("'\(digits)\(word)' is written \(duration)", range, suggestion: duration)
        }
        if word.hasPrefix("_") { return .error("the digits of a number stand together", range) }
        if digits == "0", word.hasPrefix("b") || word.hasPrefix("o") {
            return .error("a number is decimal, or hexadecimal as in 0x1F", range)
        }
        return .error("this is neither a number nor a name", range)
    }

    private static func durationText(_ digits: String, _ unit: String) -> String? {
        switch unit {
        case "h", "m", "s", "ms": return "duration(\"\(digits)\(unit)\")"
        case "d", "w":
            guard let count = Int64(digits), count < 10_000 else { return nil }
            return "duration(\"\(count * (unit == "d" ? 24 : 168))h\")"
        default: return nil
        }
    }
}
