/// Finds its way through the text of an expression without parsing it: strings are passed over, so that what is in them is
/// not taken for anything else.
struct CELText {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The first `//` that begins a comment.
    func comment() -> Int? {
        firstOutsideStrings(from: 0) { index in
            bytes[index] == UInt8(ascii: "/") && bytes[index...].dropFirst().first == UInt8(ascii: "/")
        }
    }

    /// Where the `}}` begins that ends the expression starting at `start`.
    func endOfExpression(from start: Int) -> Int? {
        var depth = 0
        return firstOutsideStrings(from: start) { index in
            switch bytes[index] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}") where depth > 0: depth -= 1
            case UInt8(ascii: "}"): return bytes[index...].dropFirst().first == UInt8(ascii: "}")
            default: break
            }
            return false
        }
    }

    /// - Complexity: O(n): where a string is not closed, none is looked for in the rest of what it could have covered.
    private func firstOutsideStrings(from start: Int, where matches: (Int) -> Bool) -> Int? {
        var index = start
        var withoutStrings = start
        while index < bytes.count {
            if index >= withoutStrings, let string = string(at: index) {
                if string.isClosed {
                    index = string.end
                    continue
                }
                withoutStrings = string.end
            }
            if matches(index) { return index }
            index += 1
        }
        return nil
    }

    /// The string literal that begins at `index`: where it ends, or where it should have ended.
    private func string(at index: Int) -> (end: Int, isClosed: Bool)? {
        let quote = bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let isTriple = hasThree(quote, at: index)
        let isRaw = hasRawPrefix(before: index)
        var next = index + (isTriple ? 3 : 1)
        while next < bytes.count {
            switch bytes[next] {
            case UInt8(ascii: "\\") where !isRaw: next += 1
            case UInt8(ascii: "\n") where !isTriple: return (next, false)
            case quote where !isTriple: return (next + 1, true)
            case quote where hasThree(quote, at: next): return (next + 3, true)
            default: break
            }
            next += 1
        }
        return (bytes.count, false)
    }

    private func hasThree(_ quote: UInt8, at index: Int) -> Bool {
        index + 2 < bytes.count && bytes[index] == quote && bytes[index + 1] == quote && bytes[index + 2] == quote
    }

    /// `r"…"`, also together with the `b` of bytes.
    private func hasRawPrefix(before index: Int) -> Bool {
        let letters = bytes[..<index].suffix(3).reversed().prefix { UnicodeScalar($0).properties.isAlphabetic }
        return ["r", "rb", "br"].contains(String(decoding: letters, as: UTF8.self).lowercased())
    }
}
