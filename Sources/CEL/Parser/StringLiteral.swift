/// How a text or bytes literal is to be read, as its prefix says.
struct StringLiteral {
    var isRaw: Bool
    var isBytes: Bool
}

extension StringLiteral {
    init?(prefix: String) {
        switch prefix {
        case "r", "R": self.init(isRaw: true, isBytes: false)
        case "b", "B": self.init(isRaw: false, isBytes: true)
        case "br", "bR", "Br", "BR", "rb", "rB", "Rb", "RB": self.init(isRaw: true, isBytes: true)
        default: return nil
        }
    }
}

extension Lexer {
    /// Reads a literal from its opening quote on.
    mutating func text(_ literal: StringLiteral) throws(CompilationIssue) -> Token.Kind {
        let start = position
        let quote = source[position]
        let isTriple = peek(1) == quote && peek(2) == quote
        advance(isTriple ? 3 : 1)
        var bytes: [UInt8] = []
        while true {
            guard let byte = peek() else { throw .error("this text is not closed", start..<position) }
            if byte == quote, !isTriple || (peek(1) == quote && peek(2) == quote) { break }
            switch byte {
            case UInt8(ascii: "\\") where !literal.isRaw:
                try escape(isBytes: literal.isBytes, into: &bytes)
            case UInt8(ascii: "\n") where !isTriple, UInt8(ascii: "\r") where !isTriple:
                throw .error("this text is not closed; one of several lines is written in \"\"\"", start..<position)
            case UInt8(ascii: "\r"):
                // Every line break in a literal is a line feed, however the file was saved.
                advance(peek(1) == UInt8(ascii: "\n") ? 2 : 1)
                bytes.append(UInt8(ascii: "\n"))
            default:
                bytes.append(byte)
                advance()
            }
        }
        advance(isTriple ? 3 : 1)
        if literal.isBytes { return .bytes(bytes) }
        guard let text = String(utf8Bytes: bytes) else {
            throw .error("this text is not valid UTF-8", start..<position)
        }
        return .string(text)
    }

    private mutating func escape(isBytes: Bool, into bytes: inout [UInt8]) throws(CompilationIssue) {
        let start = position
        advance()
        guard let code = peek() else { throw .error("this text is not closed", start..<position) }
        advance()
        let value: UInt32?
        switch code {
        case UInt8(ascii: "x"), UInt8(ascii: "X"): value = digits(2, radix: 16)
        case UInt8(ascii: "u") where !isBytes: value = digits(4, radix: 16)
        case UInt8(ascii: "U") where !isBytes: value = digits(8, radix: 16)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            advance(-1)
            value = digits(3, radix: 8)
        default:
            guard let plain = StringLiteral.escapes[code] else {
                throw .error("there is no such escape; a backslash is written \\\\", start..<position)
            }
            bytes.append(plain)
            return
        }
        guard let value, let scalar = Unicode.Scalar(value) else {
            throw .error("this escape does not name a character", start..<position)
        }
        if isBytes {
            bytes.append(UInt8(truncatingIfNeeded: value))
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
        }
    }

    private mutating func digits(_ count: Int, radix: Int) -> UInt32? {
        guard position + count <= source.count else { return nil }
        let text = source[position..<position + count]
        guard text.allSatisfy({ isHexDigit($0) }) else { return nil }
        advance(count)
        return UInt32(String(decoding: text, as: UTF8.self), radix: radix)
    }
}

extension StringLiteral {
    fileprivate static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10,
        UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12, UInt8(ascii: "r"): 13, UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "?"): UInt8(ascii: "?"), UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "`"): UInt8(ascii: "`"),
    ]
}
