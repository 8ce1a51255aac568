/// A line of the server, taken apart. Everything in it was written by others.
struct IncomingLine: Hashable, Sendable {
    /// Who said it: a server's name, or a nick with what is known of it.
    struct Source: Hashable, Sendable {
        var name: String
        var user: String?
        var host: String?
    }

    /// Of several with one name the last.
    var tags: [String: String] = [:]
    var source: Source?
    /// In upper case, or three digits.
    var command: String
    var parameters: [String]

    /// Nil for a line without a command.
    ///
    /// Bytes are taken apart before they are made text: to Swift a blank with an accent above it is no blank.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        if rest.first == UInt8(ascii: "@") {
            tags = Self.tags(Self.word(&rest).dropFirst())
        }
        Self.skipBlanks(&rest)
        if rest.first == UInt8(ascii: ":") {
            source = Self.source(Self.word(&rest).dropFirst())
        }
        let word = Self.word(&rest)
        guard !word.isEmpty else { return nil }
        command = Self.text(word).uppercased()
        parameters = Self.parameters(rest)
    }

    /// The last parameter, where the words for people are.
    var trailing: String { parameters.last ?? "" }

    /// Empty where there are fewer.
    func parameter(_ index: Int) -> String {
        parameters.indices.contains(index) ? parameters[index] : ""
    }

    /// The number of a reply, 1 … 999.
    var numeric: Int? {
        command.utf8.count == 3 && command.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(command) : nil
    }

    // MARK: - Taking apart

    private static func word(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        skipBlanks(&rest)
        let word = rest.prefix { $0 != 0x20 }
        rest = rest[word.endIndex...]
        return word
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == 0x20 }
    }

    private static func parameters(_ bytes: ArraySlice<UInt8>) -> [String] {
        var rest = bytes
        var parameters: [String] = []
        skipBlanks(&rest)
        while let first = rest.first {
            if first == UInt8(ascii: ":") {
                parameters.append(text(rest.dropFirst()))
                break
            }
            parameters.append(text(word(&rest)))
            skipBlanks(&rest)
        }
        return parameters
    }

    private static func source(_ bytes: ArraySlice<UInt8>) -> Source {
        let beforeHost = bytes.prefix { $0 != UInt8(ascii: "@") }
        let name = beforeHost.prefix { $0 != UInt8(ascii: "!") }
        let user = beforeHost.endIndex > name.endIndex ? text(beforeHost[(name.endIndex + 1)...]) : nil
        let host = bytes.endIndex > beforeHost.endIndex ? text(bytes[(beforeHost.endIndex + 1)...]) : nil
        return Source(name: text(name), user: user, host: host)
    }

    private static func tags(_ bytes: ArraySlice<UInt8>) -> [String: String] {
        var tags: [String: String] = [:]
        for tag in bytes.split(separator: UInt8(ascii: ";")) {
            let name = tag.prefix { $0 != UInt8(ascii: "=") }
            tags[text(name)] = text(unescaped(tag[name.endIndex...].dropFirst()))
        }
        return tags
    }

    private static func unescaped(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in value {
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            }
            switch (isEscaped, byte) {
            case (true, UInt8(ascii: ":")): bytes.append(UInt8(ascii: ";"))
            case (true, UInt8(ascii: "s")): bytes.append(0x20)
            case (true, UInt8(ascii: "r")): bytes.append(0x0D)
            case (true, UInt8(ascii: "n")): bytes.append(0x0A)
            default: bytes.append(byte)
            }
            isEscaped = false
        }
        return bytes[...]
    }

    /// UTF-8, or what is none as Latin-1.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }
}
