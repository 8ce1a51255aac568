/// Finds its way through the text of an expression without parsing it: strings are passed over, so that what is in them is
/// not taken for anything else.
struct CELText {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The first `//` that begins a comment.
    func comment() -> Int? {
        var index = 0
        while index < bytes.count {
            if let end = endOfString(at: index) {
                index = end
                continue
            }
            if bytes[index] == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == bytes[index] {
                return index
            }
            index += 1
        }
        return nil
    }

    /// Where the `}}` begins that ends the expression starting at `start`.
    func endOfExpression(from start: Int) -> Int? {
        var index = start
        var depth = 0
        while index < bytes.count {
            if let end = endOfString(at: index) {
                index = end
                continue
            }
            switch bytes[index] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}") where depth > 0: depth -= 1
            case UInt8(ascii: "}") where index + 1 < bytes.count && bytes[index + 1] == bytes[index]: return index
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Behind the string literal that begins at `index`; nil when none does, or it is not closed.
    private func endOfString(at index: Int) -> Int? {
        let quote = bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let isTriple = bytes[index...].prefix(3).count { $0 == quote } == 3
        let isRaw = hasRawPrefix(before: index)
        var next = index + (isTriple ? 3 : 1)
        while next < bytes.count {
            if !isRaw, bytes[next] == UInt8(ascii: "\\") {
                next += 2
                continue
            }
            if !isTriple, bytes[next] == UInt8(ascii: "\n") { return nil }
            if bytes[next] == quote {
                if !isTriple { return next + 1 }
                if bytes[next...].prefix(3).count(where: { $0 == quote }) == 3 { return next + 3 }
            }
            next += 1
        }
        return nil
    }

    /// `r"…"`, also together with the `b` of bytes.
    private func hasRawPrefix(before index: Int) -> Bool {
        let letters = bytes[..<index].suffix(3).reversed().prefix { UnicodeScalar($0).properties.isAlphabetic }
        let prefix = String(decoding: letters, as: UTF8.self).lowercased()
        return ["r", "rb", "br"].contains(prefix)
    }
}
