/// Cuts a source text into tokens (langdef, "Syntax").
///
/// A mistake is noted and reading goes on with the token that was probably meant, so that one pass finds them all.
/// - Complexity: O(*n*) in the length of the source.
struct Lexer {
    private(set) var tokens: [Token] = []
    private(set) var issues: [CompilationIssue] = []
    let source: [UInt8]
    let limits: ParserLimits
    /// The byte to be read next.
    var position = 0

    init(_ source: [UInt8], limits: ParserLimits) {
        self.source = source
        self.limits = limits
    }

    /// All tokens, the last of which is `.end`.
    mutating func readAll() {
        skipBlanks()
        while position < source.count, issues.count < limits.issues {
            let start = position
            let kind = readToken()
            tokens.append(Token(kind: kind, range: start..<position))
            skipBlanks()
        }
        tokens.append(Token(kind: position < source.count ? .invalid : .end, range: position..<position))
    }

    /// The byte so far ahead, or 0 past the end, which begins no token.
    func peek(_ distance: Int = 0) -> UInt8 {
        let index = position + distance
        return index < source.count ? source[index] : 0
    }

    mutating func note(_ issue: CompilationIssue) {
        issues.append(issue)
    }

    private mutating func skipBlanks() {
        while position < source.count {
            switch source[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C:
                position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                position = source[position...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
            default:
                return
            }
        }
    }

    private mutating func readToken() -> Token.Kind {
        if let string = readStringIfAny() { return string }
        let byte = source[position]
        if byte.isNameStart { return .identifier(readName()) }
        if byte.isDigit || byte == UInt8(ascii: ".") && peek(1).isDigit { return readNumber() }
        if byte == UInt8(ascii: "`") { return readQuotedIdentifier() }
        return readSymbol() ?? readUnknown()
    }

    private mutating func readName() -> String {
        let start = position
        while peek().isNameByte { position += 1 }
        return text(start..<position)
    }

    private mutating func readQuotedIdentifier() -> Token.Kind {
        let start = position
        position += 1
        while peek().isNameByte || [UInt8](".-/ ".utf8).contains(peek()) { position += 1 }
        if peek() == UInt8(ascii: "`"), position > start + 1 {
            position += 1
            return .quotedIdentifier(text(start + 1..<position - 1))
        }
        let rest = source[position...].prefix { $0 != UInt8(ascii: "\n") }
        position = rest.firstIndex(of: UInt8(ascii: "`")).map { $0 + 1 } ?? rest.endIndex
        note(.malformedQuotedName(at: start..<position))
        return .invalid
    }

    private mutating func readSymbol() -> Token.Kind? {
        let start = position
        for length in [2, 1] where position + length <= source.count {
            if let symbol = Token.Symbol(rawValue: text(position..<position + length)) {
                position += length
                return .symbol(symbol)
            }
        }
        let meant: Token.Symbol
        switch source[position] {
        case UInt8(ascii: "="): meant = .equals
        case UInt8(ascii: "&"): meant = .and
        case UInt8(ascii: "|"): meant = .or
        default: return nil
        }
        position += 1
        note(.useInstead(of: text(start..<position), meant.rawValue, at: start..<position))
        return .symbol(meant)
    }

    private mutating func readUnknown() -> Token.Kind {
        let start = position
        repeat { position += 1 } while peek().isContinuation
        note(.unknownCharacter(text(start..<position), at: start..<position))
        return .invalid
    }

    /// - Precondition: The range begins and ends between characters, or the text is for display.
    func text(_ range: Range<Int>) -> String {
        String(decoding: source[range], as: UTF8.self)
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isNameStart: Bool {
        self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    var isNameByte: Bool { isNameStart || isDigit }

    /// Not the first byte of a UTF-8 sequence.
    var isContinuation: Bool { self & 0xC0 == 0x80 }

    /// What it stands for as a digit to the base 16.
    var hexadecimalValue: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
