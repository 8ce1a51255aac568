/// The `strings` extension: positions, parts, case and building of text.
package enum StringLibrary {
    package static let functions: [Function] = positions + parts + conversions

    private static let positions: [Function] = [
        Function(
            "charAt", [.member(character)],
            documentation: "The code point at a position counted from 0; empty at the end of the text."),
        Function(
            "indexOf",
            [
                .member { (text: String, part: String) throws(EvaluationError) in try index(text, part, 0) },
                .member(index),
            ], documentation: "Where the other text first occurs, at or after a position; -1 when it does not."),
        Function(
            "lastIndexOf",
            [
                .member { (text: String, part: String) throws(EvaluationError) in
                    try lastIndex(text, part, text.codePointCount)
                },
                .member(lastIndex),
            ], documentation: "Where the other text last occurs, at or before a position; -1 when it does not."),
        Function(
            "substring",
            [
                .member { (text: String, start: Int64) throws(EvaluationError) in
                    try substring(text, start, text.codePointCount)
                },
                .member(substring),
            ], documentation: "The part of a text from one position up to but not including another, or the end."),
    ]

    private static let parts: [Function] = [
        Function(
            "split",
            [
                .member { (text: String, separator: String) throws(EvaluationError) in
                    try TextParts.split(text, separator, -1)
                },
                .member(TextParts.split),
            ], documentation: "The parts of a text between separators; at most so many when a limit is given."),
        Function(
            "join",
            [
                .member { (texts: [String]) throws(EvaluationError) in try TextParts.join(texts, "") },
                .member(TextParts.join),
            ], documentation: "The texts of a list as one, with a separator between them."),
        Function(
            "replace",
            [
                .member { (text: String, old: String, new: String) throws(EvaluationError) in
                    try TextParts.replace(text, old, new, -1)
                },
                Overload([.string, .string, .string, .int], returns: .string, isMember: true) { arguments, _ in
                    replace(arguments)
                },
            ], documentation: "The text with another text in place of each occurrence, or of the first so many."),
    ]

    private static let conversions: [Function] = [
        Function("trim", [.member(trimmed)], documentation: "The text without white space at its ends."),
        Function(
            "lowerAscii", [.member { (text: String) in mapped(text, 0x41...0x5a) { $0 + 32 } }],
            documentation: "The text with the letters A to Z in lower case."),
        Function(
            "upperAscii", [.member { (text: String) in mapped(text, 0x61...0x7a) { $0 - 32 } }],
            documentation: "The text with the letters a to z in upper case."),
        Function(
            "reverse", [.member { (text: String) in String(String.UnicodeScalarView(text.unicodeScalars.reversed())) }],
            documentation: "The code points of the text in the opposite order."),
        Function(
            "format",
            [
                .generic([.string, .list(.dyn)], returns: .string, isMember: true) { arguments in
                    guard case .string(let text) = arguments[0], case .list(let values) = arguments[1] else {
                        return .noSuchOverload(arguments)
                    }
                    return capture { () throws(EvaluationError) in .string(try TextFormat.format(text, values)) }
                }
            ],
            documentation:
                "The text with %s %d %f %e %b %o %x %X replaced by the values of a list, one after the other."),
        Function(
            "strings.quote", [.global(quoted)],
            documentation: "The text as a literal in double quotes, special characters escaped."),
    ]
}

@Sendable private func character(_ text: String, _ position: Int64) throws(EvaluationError) -> String {
    let offset = try text.utf8Offset(ofPosition: position)
    let index = text.utf8.index(text.startIndex, offsetBy: offset)
    return index == text.endIndex ? "" : String(text.unicodeScalars[index])
}

@Sendable private func index(_ text: String, _ part: String, _ start: Int64) throws(EvaluationError) -> Int64 {
    let start = try text.utf8Offset(ofPosition: start)
    return text.utf8Offset(of: part, from: start).map(text.position(ofUTF8Offset:)) ?? -1
}

@Sendable private func lastIndex(_ text: String, _ part: String, _ limit: Int64) throws(EvaluationError) -> Int64 {
    let limit = try text.utf8Offset(ofPosition: limit)
    return text.lastUTF8Offset(of: part, notAfter: limit).map(text.position(ofUTF8Offset:)) ?? -1
}

@Sendable private func substring(_ text: String, _ start: Int64, _ end: Int64) throws(EvaluationError) -> String {
    let (first, last) = (try text.utf8Offset(ofPosition: start), try text.utf8Offset(ofPosition: end))
    guard first <= last else {
        throw EvaluationError(.invalidArgument, "a part cannot start at \(start) and end before, at \(end)")
    }
    return text.utf8Slice(first..<last)
}

private func replace(_ arguments: [Value]) -> Value {
    guard arguments.count == 4, let text = String(arguments[0]), let old = String(arguments[1]),
        let new = String(arguments[2]), let limit = Int64(arguments[3])
    else { return .noSuchOverload(arguments) }
    return capture { () throws(EvaluationError) in .string(try TextParts.replace(text, old, new, limit)) }
}

@Sendable private func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
        let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
}

private func mapped(_ text: String, _ letters: ClosedRange<UInt8>, _ change: (UInt8) -> UInt8) -> String {
    String(decoding: text.utf8.map { letters.contains($0) ? change($0) : $0 }, as: UTF8.self)
}

@Sendable private func quoted(_ text: String) throws(EvaluationError) -> String {
    var quoted = BoundedText()
    try quoted.append("\"")
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\u{7}": try quoted.append(#"\a"#)
        case "\u{8}": try quoted.append(#"\b"#)
        case "\u{c}": try quoted.append(#"\f"#)
        case "\n": try quoted.append(#"\n"#)
        case "\r": try quoted.append(#"\r"#)
        case "\t": try quoted.append(#"\t"#)
        case "\u{b}": try quoted.append(#"\v"#)
        case "\\", "\"": try quoted.append("\\\(scalar)")
        default: try quoted.append(String(scalar))
        }
    }
    try quoted.append("\"")
    return quoted.text
}
