/// A symbol of another language, or one that a word processor made of CEL's, with what is written here instead.
struct ForeignSymbol {
    var spelling: String
    /// What CEL writes in its place, where that is a symbol, too.
    var meant: String?
    var message: String

    /// The one that a text begins with. None of them begins anything that CEL has.
    static func beginning(_ text: ArraySlice<UInt8>) -> ForeignSymbol? {
        all.first { text.starts(with: $0.spelling.utf8) }
    }

    /// A longer one stands before those that it begins with.
    private static let all: [ForeignSymbol] =
        [
            same("===", "=="), same("!==", "!="), same("<>", "!="),
            .init(
                spelling: "=>", meant: ">=",
                message:
                    "'=>' is written '>='; what is asked of an element comes behind a comma, as in list.exists(x, x > 0)"
            ),
            .init("->", "what is asked of an element comes behind a comma, as in list.exists(x, x > 0)"),
            .init("=~", "'=~' is written text.matches(\"pattern\")"),
            .init("!~", "'!~' is written !text.matches(\"pattern\")"),
            .init("~", "there is no '~'; a pattern is looked for with text.matches(\"pattern\")"),
            .init("++", "there is no '++'; an expression changes nothing"),
            .init("+=", "there is no '+='; an expression changes nothing"),
            .init("-=", "there is no '-='; an expression changes nothing"),
            .init("**", "there is no '**'; write a product, as in x * x"),
            .init("^", "there is no '^'; write a product, as in x * x, or math.bitXor(a, b)"),
            .init("/*", "a comment begins with '//' and ends with its line"),
            .init("#", "a comment begins with '//'"),
            .init(";", "an expression ends without ';'"),
            .init("$", "a name is written without '$'"),
            same("≥", ">="), same("≤", "<="), same("≠", "!="), same("−", "-"), same("–", "-"), same("×", "*"),
            same("÷", "/"), same("∧", "&&"), same("∨", "||"), same("¬", "!"),
        ]
        + ["“", "”", "„", "‘", "’", "‚", "«", "»"].map {
            .init($0, "\($0) is no quote here: a text is written in \"…\" or '…'")
        }

    private static func same(_ spelling: String, _ meant: String) -> ForeignSymbol {
        ForeignSymbol(spelling: spelling, meant: meant, message: "'\(spelling)' is written '\(meant)'")
    }
}

extension ForeignSymbol {
    private init(_ spelling: String, _ message: String) {
        self.init(spelling: spelling, meant: nil, message: message)
    }
}
