extension Lexer {
    /// Reads `1`, `0x1F`, either with `u`, or `1.5`, `.5`, `1e3`.
    mutating func readNumber() -> Token.Kind {
        let start = position
        let kind = readHexadecimal() ?? readDouble() ?? readDecimal()
        guard peek().isNameByte else { return kind }
        while peek().isNameByte { position += 1 }
        note(.malformedNumber(text(start..<position), at: start..<position))
        return .integer(0)
    }

    private mutating func readHexadecimal() -> Token.Kind? {
        guard peek() == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x"), peek(2).hexadecimalValue != nil else {
            return nil
        }
        let start = position
        position += 2
        while peek().hexadecimalValue != nil { position += 1 }
        return integer(digits: start + 2..<position, radix: 16, start: start)
    }

    private mutating func readDecimal() -> Token.Kind {
        let start = position
        skipDigits()
        return integer(digits: start..<position, radix: 10, start: start)
    }

    private mutating func integer(digits: Range<Int>, radix: Int, start: Int) -> Token.Kind {
        let isUnsigned = peek() | 0x20 == UInt8(ascii: "u")
        if isUnsigned { position += 1 }
        guard let magnitude = UInt64(text(digits), radix: radix) else {
            note(.integerTooLarge(isUnsigned: isUnsigned, at: start..<position))
            return isUnsigned ? .literal(.uint(0)) : .integer(0)
        }
        return isUnsigned ? .literal(.uint(magnitude)) : .integer(magnitude)
    }

    /// A number with a fraction, an exponent or both; nil, with nothing read, if it has neither.
    private mutating func readDouble() -> Token.Kind? {
        let start = position
        skipDigits()
        let hasFraction = peek() == UInt8(ascii: ".") && peek(1).isDigit
        if hasFraction {
            position += 1
            skipDigits()
        }
        guard skipExponent() || hasFraction else {
            position = start
            return nil
        }
        guard let value = Double(text(start..<position)), value.isFinite else {
            note(.doubleTooLarge(at: start..<position))
            return .literal(.double(0))
        }
        return .literal(.double(value))
    }

    private mutating func skipExponent() -> Bool {
        guard peek() | 0x20 == UInt8(ascii: "e") else { return false }
        let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
        guard peek(1 + sign).isDigit else { return false }
        position += 1 + sign
        skipDigits()
        return true
    }

    private mutating func skipDigits() {
        while peek().isDigit { position += 1 }
    }
}
