extension Lexer {
    /// How a string literal is written.
    private struct Style {
        var isRaw = false
        var isBytes = false
        var quote: UInt8 = 0
        var isTriple = false
    }

    /// Reads a string or bytes literal; nil, with nothing read, where none begins.
    mutating func readStringIfAny() -> Token.Kind? {
        let start = position
        if let closing = curlyQuoteEnd() {
            note(.curlyQuote(at: start..<closing.opened))
            position = closing.closed
            return .literal(.string(""))
        }
        guard let style = readOpening() else { return nil }
        guard let content = readContent(style) else {
            note(.unterminatedString(at: start..<start + 1))
            position = source.count
            return .invalid
        }
        return .literal(style.isBytes ? .bytes(content) : .string(String(decoding: content, as: UTF8.self)))
    }

    /// The prefixes and quotes; nil, with nothing read, if there are none.
    private mutating func readOpening() -> Style? {
        var style = Style()
        var length = 0
        while true {
            switch peek(length) {
            case UInt8(ascii: "r"), UInt8(ascii: "R"):
                guard !style.isRaw else { return nil }
                style.isRaw = true
            case UInt8(ascii: "b"), UInt8(ascii: "B"):
                guard !style.isBytes else { return nil }
                style.isBytes = true
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                style.quote = peek(length)
                style.isTriple = peek(length + 1) == style.quote && peek(length + 2) == style.quote
                position += length + (style.isTriple ? 3 : 1)
                return style
            default:
                return nil
            }
            length += 1
        }
    }

    /// What lies between the quotes, as bytes, with the closing quote consumed; nil if there is none.
    private mutating func readContent(_ style: Style) -> [UInt8]? {
        var content: [UInt8] = []
        while position < source.count {
            let byte = source[position]
            switch byte {
            case style.quote where !style.isTriple:
                position += 1
                return content
            case style.quote where peek(1) == byte && peek(2) == byte:
                position += 3
                return content
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                guard style.isTriple else { return nil }
                content.append(byte)
                position += 1
            case UInt8(ascii: "\\") where !style.isRaw:
                guard position + 1 < source.count else { return nil }
                readEscape(isBytes: style.isBytes, into: &content)
            default:
                content.append(byte)
                position += 1
            }
        }
        return nil
    }

    private mutating func readEscape(isBytes: Bool, into content: inout [UInt8]) {
        let start = position
        let letter = peek(1)
        position += 2
        switch letter {
        case UInt8(ascii: "a"): content.append(0x07)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "v"): content.append(0x0B)
        case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            content.append(letter)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            append(readDigits(2, radix: 16), isByte: isBytes, from: start, to: &content)
        case UInt8(ascii: "u") where !isBytes:
            append(readDigits(4, radix: 16), isByte: false, from: start, to: &content)
        case UInt8(ascii: "U") where !isBytes:
            append(readDigits(8, radix: 16), isByte: false, from: start, to: &content)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            position -= 1
            append(readDigits(3, radix: 8), isByte: isBytes, from: start, to: &content)
        default:
            while peek().isContinuation { position += 1 }
            note(.unknownEscape(text(start..<position), isBytes: isBytes, at: start..<position))
        }
    }

    /// Exactly so many digits as a number; nil, after reading those there are, if there are fewer.
    private mutating func readDigits(_ count: Int, radix: UInt32) -> UInt32? {
        var number: UInt32 = 0
        for _ in 0..<count {
            guard let digit = peek().hexadecimalValue, digit < radix else { return nil }
            number = number &* radix &+ digit
            position += 1
        }
        return number
    }

    private mutating func append(_ number: UInt32?, isByte: Bool, from start: Int, to content: inout [UInt8]) {
        guard let number else {
            return note(.shortEscape(text(start..<position), at: start..<position))
        }
        if isByte {
            content.append(UInt8(truncatingIfNeeded: number))
        } else if let scalar = Unicode.Scalar(number) {
            content.append(contentsOf: UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
        } else {
            note(.invalidCodePoint(text(start..<position), at: start..<position))
        }
    }

    /// If a typographic quote begins here: where it ends, and where the text ends that it seems to open.
    private func curlyQuoteEnd() -> (opened: Int, closed: Int)? {
        func isCurly(_ index: Int) -> Bool {
            // U+2018 to U+201F are E2 80 98 to E2 80 9F.
            index + 2 < source.count && source[index] == 0xE2 && source[index + 1] == 0x80
                && (0x98...0x9F).contains(source[index + 2])
        }
        guard isCurly(position) else { return nil }
        let opened = position + 3
        var closed = opened
        while closed < source.count, source[closed] != 0x0A, !isCurly(closed) { closed += 1 }
        return (opened, closed < source.count && isCurly(closed) ? closed + 3 : closed)
    }
}
