// The `strings` extension. Positions count code points.
extension Library {
    static let text: [Function] = [
        Function(
            "charAt", summary: "The code point at a position, as text; nothing at the end",
            [.binary(.string, .int, returns: .string, charAt)].asMembers),
        Function(
            "indexOf", summary: "Where another text begins for the first time, from a position on; -1 if nowhere",
            [
                .binary(.string, .string, returns: .int) { text, other, _ throws(EvaluationError) in
                    try indexOf(text, other, from: 0)
                },
                .general([.string, .string, .int], returns: .int) { arguments, _ throws(EvaluationError) in
                    try indexOf(arguments[0], arguments[1], from: try arguments[2].int)
                },
            ].asMembers),
        Function(
            "lastIndexOf", summary: "Where another text begins for the last time, up to a position; -1 if nowhere",
            [
                .binary(.string, .string, returns: .int) { text, other, _ throws(EvaluationError) in
                    try lastIndexOf(text, other, upTo: nil)
                },
                .general([.string, .string, .int], returns: .int) { arguments, _ throws(EvaluationError) in
                    try lastIndexOf(arguments[0], arguments[1], upTo: try arguments[2].int)
                },
            ].asMembers),
        Function(
            "join", summary: "The texts of a list, with another between them",
            [
                .unary(.list(.string), returns: .string) { list, budget throws(EvaluationError) in
                    try join(try list.list, "", &budget)
                },
                .binary(.list(.string), .string, returns: .string) { list, separator, budget throws(EvaluationError) in
                    try join(try list.list, try separator.string, &budget)
                },
            ].asMembers),
        Function(
            "split", summary: "The parts of a text between separators, at most so many",
            [
                .binary(.string, .string, returns: .list(.string)) { text, separator, budget throws(EvaluationError) in
                    try split(try text.string, try separator.string, limit: -1, &budget)
                },
                .general([.string, .string, .int], returns: .list(.string)) {
                    arguments, budget throws(EvaluationError) in
                    try split(try arguments[0].string, try arguments[1].string, limit: try arguments[2].int, &budget)
                },
            ].asMembers),
        Function(
            "replace", summary: "The text with one part replaced by another, everywhere or so many times",
            [
                .general([.string, .string, .string], returns: .string) { arguments, budget throws(EvaluationError) in
                    try replace(arguments, limit: -1, &budget)
                },
                .general([.string, .string, .string, .int], returns: .string) {
                    arguments, budget throws(EvaluationError) in
                    try replace(arguments, limit: try arguments[3].int, &budget)
                },
            ].asMembers),
        Function(
            "substring", summary: "The text from one position to another, or to the end",
            [
                .binary(.string, .int, returns: .string) { text, start, _ throws(EvaluationError) in
                    try substring(try text.string, from: try start.int, to: nil)
                },
                .general([.string, .int, .int], returns: .string) { arguments, _ throws(EvaluationError) in
                    try substring(try arguments[0].string, from: try arguments[1].int, to: try arguments[2].int)
                },
            ].asMembers),
        Function(
            "trim", summary: "The text without white space at its ends",
            [.unary(.string, returns: .string, trim)].asMembers),
        Function(
            "lowerAscii", summary: "The text with the letters A to Z made small",
            [
                Overload.unary(.string, returns: .string) { text, _ throws(EvaluationError) in
                    .string(try text.string.mappingASCII(from: "A"..."Z") { $0 | 0x20 })
                }.asMember
            ]),
        Function(
            "upperAscii", summary: "The text with the letters a to z made capital",
            [
                Overload.unary(.string, returns: .string) { text, _ throws(EvaluationError) in
                    .string(try text.string.mappingASCII(from: "a"..."z") { $0 & ~0x20 })
                }.asMember
            ]),
        Function(
            "reverse", summary: "The text with its code points in the opposite order",
            [
                Overload.unary(.string, returns: .string) { text, _ throws(EvaluationError) in
                    .string(reversed(Array(try text.string.utf8)))
                }.asMember
            ]),
        Function(
            "strings.quote", summary: "The text as a literal: in quotes, with escapes",
            [.unary(.string, returns: .string) { text, _ throws(EvaluationError) in .string(quote(try text.string)) }]),
        Function(
            "format", summary: "Fills in %s %d %f %e %b %o %x %X from a list",
            [
                Overload.binary(.string, .list(.dyn), returns: .string) { text, list, budget throws(EvaluationError) in
                    .string(try Formatter.format(try text.string, try list.list, &budget))
                }.asMember
            ]),
    ]

    // MARK: Positions

    @Sendable private static func charAt(
        _ text: Value, _ position: Value, _: inout Budget
    ) throws(EvaluationError) -> Value {
        let text = try text.string
        let position = try position.int
        let start = try text.index(ofCodePoint: position)
        return .string(start == text.endIndex ? "" : String(text.unicodeScalars[start]))
    }

    private static func indexOf(_ text: Value, _ other: Value, from start: Int64) throws(EvaluationError) -> Value {
        let text = try text.string
        let bytes = Array(text.utf8)
        let begin = text.utf8.distance(from: text.startIndex, to: try text.index(ofCodePoint: start))
        let found = ByteSearch(Array(try other.string.utf8)).first(in: bytes, from: begin)
        return .int(found.map { codePoints(before: $0, in: bytes) } ?? -1)
    }

    private static func lastIndexOf(
        _ text: Value, _ other: Value, upTo end: Int64?
    ) throws(EvaluationError) -> Value {
        let text = try text.string
        let bytes = Array(text.utf8)
        var limit = bytes.count
        if let end { limit = text.utf8.distance(from: text.startIndex, to: try text.index(ofCodePoint: end)) }
        let found = ByteSearch(Array(try other.string.utf8)).last(in: bytes, upTo: limit)
        return .int(found.map { codePoints(before: $0, in: bytes) } ?? -1)
    }

    private static func codePoints(before offset: Int, in bytes: [UInt8]) -> Int64 {
        Int64(bytes.prefix(offset).count { $0 & 0xC0 != 0x80 })
    }

    private static func substring(_ text: String, from start: Int64, to end: Int64?) throws(EvaluationError) -> Value {
        let first = try text.index(ofCodePoint: start)
        var last = text.endIndex
        if let end { last = try text.index(ofCodePoint: end) }
        guard first <= last else {
            throw EvaluationError(.invalidArgument, "position \(start) lies behind position \(end ?? 0)")
        }
        return .string(String(text.unicodeScalars[first..<last]))
    }

    // MARK: Parts

    private static func join(
        _ list: [Value], _ separator: String, _ budget: inout Budget
    ) throws(EvaluationError) -> Value {
        try budget.charge(list.count)
        var joined = ""
        for (index, element) in list.enumerated() {
            guard case .string(let text) = element else {
                throw EvaluationError(.noSuchOverload, "join() takes texts, not a \(element.typeName)")
            }
            try budget.charge(bytes: text.utf8.count + separator.utf8.count)
            if index > 0 { joined += separator }
            joined += text
        }
        return .string(joined)
    }

    private static func split(
        _ text: String, _ separator: String, limit: Int64, _ budget: inout Budget
    ) throws(EvaluationError) -> Value {
        guard limit != 0 else { return .list([]) }
        if separator.isEmpty { return try characters(text, limit: limit, &budget) }
        let bytes = Array(text.utf8)
        let search = ByteSearch(Array(separator.utf8))
        var parts: [Value] = []
        var start = 0
        while limit < 0 || parts.count < limit - 1, let end = search.first(in: bytes, from: start) {
            try budget.charge(1)
            parts.append(.string(String(decoding: bytes[start..<end], as: UTF8.self)))
            start = end + separator.utf8.count
        }
        parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
        return .list(parts)
    }

    /// An empty separator lies between any two code points.
    private static func characters(
        _ text: String, limit: Int64, _ budget: inout Budget
    ) throws(EvaluationError) -> Value {
        let scalars = text.unicodeScalars
        try budget.charge(scalars.count)
        let count = limit < 0 ? scalars.count : min(Int(clamping: limit), scalars.count)
        guard count > 0 else { return .list([]) }
        var parts = scalars.prefix(count - 1).map { Value.string(String($0)) }
        parts.append(.string(String(scalars.dropFirst(count - 1).prefix(limit < 0 ? 1 : .max))))
        return .list(parts)
    }

    private static func replace(
        _ arguments: [Value], limit: Int64, _ budget: inout Budget
    ) throws(EvaluationError) -> Value {
        let text = Array(try arguments[0].string.utf8)
        let old = Array(try arguments[1].string.utf8)
        let new = Array(try arguments[2].string.utf8)
        let search = ByteSearch(old)
        var result: [UInt8] = []
        var start = 0
        var count: Int64 = 0
        while limit < 0 || count < limit, let found = search.first(in: text, from: start) {
            try budget.charge(1 + (new.count >> 6))
            result += text[start..<found] + new
            count += 1
            start = found + old.count
            guard old.isEmpty else { continue }
            // The empty text lies before every code point and at the end.
            guard start < text.count else { break }
            let next = text.indices.dropFirst(start + 1).first { text[$0] & 0xC0 != 0x80 } ?? text.count
            result += text[start..<next]
            start = next
        }
        result += text[start...]
        return .string(String(decoding: result, as: UTF8.self))
    }

    @Sendable private static func trim(_ text: Value, _: inout Budget) throws(EvaluationError) -> Value {
        let scalars = try text.string.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return .string("") }
        return .string(String(scalars[first...last]))
    }

    /// By code points; byte by byte, as it is many times quicker than by Swift's views of text.
    private static func reversed(_ text: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var end = text.count
        for start in text.indices.reversed() where text[start] & 0xC0 != 0x80 {
            for index in start..<end { result.append(text[index]) }
            end = start
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func quote(_ text: String) -> String {
        var quoted = [UInt8(ascii: "\"")]
        quoted.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            if let letter = escape(byte) {
                quoted.append(UInt8(ascii: "\\"))
                quoted.append(letter)
            } else {
                quoted.append(byte)
            }
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }

    /// What stands behind the backslash for a byte that a literal cannot have.
    private static func escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x07: UInt8(ascii: "a")
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0B: UInt8(ascii: "v")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        case UInt8(ascii: "\\"), UInt8(ascii: "\""): byte
        default: nil
        }
    }
}

extension String {
    /// The index of the code point at a position; the end for the position after the last.
    fileprivate func index(ofCodePoint position: Int64) throws(EvaluationError) -> Index {
        let index =
            position < 0
            ? nil : unicodeScalars.index(startIndex, offsetBy: Int(clamping: position), limitedBy: endIndex)
        guard let index else {
            throw EvaluationError(.invalidArgument, "position \(position) is outside the text")
        }
        return index
    }

    fileprivate func mappingASCII(
        from range: ClosedRange<Unicode.Scalar>, _ transform: (UInt8) -> UInt8
    ) -> String {
        let bytes = utf8.map { range.contains(Unicode.Scalar($0)) ? transform($0) : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
