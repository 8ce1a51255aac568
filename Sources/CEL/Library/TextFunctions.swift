/// The string functions of the language definition; more are in `StringLibrary`.
enum TextFunctions {
    static let functions: [Function] = [
        Function(
            "contains", [.member { (text: String, part: String) in text.utf8Offset(of: part) != nil }],
            documentation: "Whether the text contains the other."),
        Function(
            "startsWith", [.member { (text: String, part: String) in text.hasUTF8Prefix(part) }],
            documentation: "Whether the text starts with the other."),
        Function(
            "endsWith", [.member { (text: String, part: String) in text.hasUTF8Suffix(part) }],
            documentation: "Whether the text ends with the other."),
        Function(
            "matches",
            [.global(matches), .member(matches)],
            documentation: "Whether a part of the text matches the regular expression (RE2 syntax)."),
    ]

    @Sendable private static func matches(_ text: String, _ pattern: String) throws(EvaluationError) -> Bool {
        try RegularExpression(pattern).matches(text)
    }
}
