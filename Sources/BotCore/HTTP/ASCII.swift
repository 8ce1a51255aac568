/// Comparing protocol words, whose case means nothing, byte by byte.
enum ASCII {
    static func equalIgnoringCase(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
        a.utf8.lazy.map(lowercase).elementsEqual(b.utf8.lazy.map(lowercase))
    }

    static func hasPrefixIgnoringCase(_ text: some StringProtocol, _ prefix: some StringProtocol) -> Bool {
        text.utf8.lazy.map(lowercase).starts(with: prefix.utf8.lazy.map(lowercase))
    }

    static func hasSuffixIgnoringCase(_ text: some StringProtocol, _ suffix: some StringProtocol) -> Bool {
        text.utf8.reversed().lazy.map(lowercase).starts(with: suffix.utf8.reversed().lazy.map(lowercase))
    }

    static func lowercase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
