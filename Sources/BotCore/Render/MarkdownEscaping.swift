import AdapterKit

/// Writes Markdown: the author's as it is, values so that they are read as the text that they are.
///
/// A backslash goes before each character that CommonMark, or GitHub's additions to it, could read as markup where it
/// stands: some anywhere, some only where a block could begin.
struct MarkdownEscaping {
    private(set) var markdown = ""
    private var start = BlockStart()

    mutating func append(markup: String) {
        markdown += markup
        for byte in markup.utf8 { start.take(markup: byte) }
    }

    /// - Parameter following: What comes right after the value.
    mutating func append(_ value: MarkdownDraft.Value, at place: MarkdownPlace, before following: Unicode.Scalar?) {
        if place != .text && place != .label { start.end() }
        switch (place, value) {
        case (.text, .link(let text, let url)):
            markdown += "["
            append(text: text, before: "]")
            start.end()
            markdown += "](\(Self.destination(url)))"
        case (.text, .text(let text)):
            append(text: text, before: following)
        case (.label, _):
            append(text: value.words, before: following)
        case (.codeSpan, _), (.codeBlock, _):
            markdown += place.code(value.words)
        case (.address, _), (.addressPart, _):
            markdown += Self.destination(place.address(value))
        case (.html, _):
            markdown += Self.characterReferences(value.words)
        case (.hidden, _):
            markdown += Self.everyMark(value.words)
        }
    }

    // MARK: - Text

    private mutating func append(text: String, before following: Unicode.Scalar?) {
        let scalars = Array(text.unicodeScalars)
        let isInAddress = text.utf8.contains(where: "\"'()".utf8.contains) && endsInAddress
        let closingStart = scalars.lastIndex { $0 != "#" && $0 != " " }.map { $0 + 1 } ?? 0
        var previous = markdown.unicodeScalars.last
        var countOfW = markdown.utf8.reversed().prefix { $0 == UInt8(ascii: "w") }.count
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : following
            let isMarkup =
                switch scalar {
                case ".": countOfW >= 3
                case "#": previous == " " && index >= closingStart
                case ";": endsInReference
                case "/" where index == 0 && previous == ":": true
                // Right after something in brackets these make a link of it.
                case "(" where index == 0 && previous == "]", ":" where index == 0 && previous == "]": true
                case "\"", "'", "(", ")": isInAddress
                default: Self.isMarkup(scalar, before: next)
                }
            // In this order: `start` has to see every character.
            if start.takeAndTest(scalar) || isMarkup { markdown.unicodeScalars.append("\\") }
            markdown.unicodeScalars.append(scalar)
            countOfW = scalar == "w" || scalar == "W" ? countOfW + 1 : 0
            previous = scalar
        }
    }

    /// After an `](` of the author's that is still open: a quote would begin a title, a parenthesis would end it.
    private var endsInAddress: Bool {
        let tail = Array(markdown.utf8.suffix(2048))
        guard let last = tail.lastIndex(where: { $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "(") }) else {
            return false
        }
        return tail[last] == UInt8(ascii: "(") && last > 0 && tail[last - 1] == UInt8(ascii: "]")
    }

    /// After an `&name` of the author's, which a semicolon would complete.
    private var endsInReference: Bool {
        let beforeName = markdown.unicodeScalars.suffix(34).reversed().drop { $0 == "#" || $0.isASCIIWord }
        return beforeName.first == "&" && beforeName.dropFirst().first != "\\"
    }

    private static func isMarkup(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        switch scalar {
        case "\\", "`", "*", "_", "[", "]", "<", ">", "~", "|": true
        case "&": next.map { $0 == "#" || $0.isASCIIWord } ?? false
        case "!": next == "["
        // `https://…` and `www.…` become links where GitHub's additions are read.
        case ":": next == "/"
        default: false
        }
    }

    // MARK: - Other places

    /// Entities are read in an address too.
    private static func destination(_ address: String) -> String {
        address.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "\\&")
    }

    private static func characterReferences(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            scalar.isASCII && !scalar.isASCIIWord && scalar != " " ? "&#\(scalar.value);" : String(scalar)
        }.joined()
    }

    /// Before every mark a backslash; backticks, which no backslash helps in a code block's first line, are replaced.
    private static func everyMark(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            if scalar == "`" { return "'" }
            return scalar.isASCII && !scalar.isASCIIWord && scalar != " " ? "\\\(scalar)" : String(scalar)
        }.joined()
    }
}

extension Unicode.Scalar {
    /// An ASCII letter or digit.
    fileprivate var isASCIIWord: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }
}
