import AdapterKit

/// Writes a text as the Markdown of a chat, each piece of text escaped once.
///
/// What both chats that read Markdown agree on is written: no nesting of fences, no HTML, one line per paragraph line.
struct MarkdownText {
    /// Before which of these characters a backslash makes them text.
    var escaped: String
    /// What a backslash does not reach: mentions, for example.
    var guarding: @Sendable (String) -> String

    func text(_ tree: TextTree) -> String {
        text(tree.blocks, isTight: false)
    }

    private func text(_ blocks: [TextBlock], isTight: Bool) -> String {
        blocks.map(text).filter { !$0.isEmpty }.joined(separator: isTight ? "\n" : "\n\n")
    }

    private func text(_ block: TextBlock) -> String {
        switch block {
        case .paragraph(let inlines): lines(inlines)
        case .heading(let level, let inlines):
            String(repeating: "#", count: min(max(level, 1), 3)) + " " + line(inlines)
        case .list(let start, let items): list(items, start: start)
        case .code(let text, let language): fence(text, language: language)
        case .quote(let blocks): "> " + text(blocks, isTight: false).indented(by: "> ")
        case .divider: "---"
        }
    }

    private func list(_ items: [[TextBlock]], start: Int?) -> String {
        items.enumerated().map { index, item in
            let number = start.map { min(max($0, 0), 999_999_000).addingReportingOverflow(index).partialValue }
            let marker = number.map { "\($0). " } ?? "- "
            let indent = String(repeating: " ", count: marker.utf8.count)
            return marker + text(item, isTight: true).indented(by: indent)
        }.joined(separator: "\n")
    }

    private func fence(_ text: String, language: String?) -> String {
        let isWord = language?.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "`") } == true
        return "```\(isWord ? language ?? "" : "")\n\(Self.separatingBackticks(text, of: 3))\n```"
    }

    // MARK: - Lines

    private func lines(_ inlines: [TextInline]) -> String {
        inlines.map(text).joined().split(separator: "\n", omittingEmptySubsequences: false)
            .map { Self.guardingStart(of: $0) }.joined(separator: "\n")
    }

    /// For places where a line end would be the end of it.
    private func line(_ inlines: [TextInline]) -> String {
        inlines.map(text).joined().split(separator: "\n").joined(separator: " ")
    }

    private func text(_ inline: TextInline) -> String {
        switch inline {
        case .text(let text): escaping(text)
        case .strong(let inlines): wrapped(inlines, in: "**")
        case .emphasis(let inlines): wrapped(inlines, in: "*")
        case .strikethrough(let inlines): wrapped(inlines, in: "~~")
        case .code(let text): code(text)
        case .link(let inlines, let url): link(inlines, url)
        case .lineBreak: "\n"
        }
    }

    /// Marks do not count beside a blank, so blanks stay outside.
    private func wrapped(_ inlines: [TextInline], in mark: String) -> String {
        let text = inlines.map(text).joined()
        let start = text.prefix(while: \.isWhitespace)
        let rest = text[start.endIndex...]
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return text }
        return start + mark + rest[...last] + mark + rest[rest.index(after: last)...]
    }

    private func code(_ text: String) -> String {
        if text.isEmpty { return "" }
        guard text.contains("`") else { return "`\(text)`" }
        return "`` \(Self.separatingBackticks(text, of: 2)) ``"
    }

    private func link(_ inlines: [TextInline], _ url: String) -> String {
        // Of the words as plain text: a link in a link, or a bracket in code, would end it.
        let words = escaping(inlines.plainText.split(separator: "\n").joined(separator: " "))
        return "[\(words.isEmpty ? escaping(url) : words)](\(url))"
    }

    private func escaping(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if escaped.unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return guarding(result)
    }

    /// A line of text that would be a heading, an item, a rule or code by how it begins is not.
    private static func guardingStart(of line: Substring) -> String {
        let line = line.drop { $0 == " " }
        switch line.first {
        case "#", "-", "+": return "\\" + line
        case "=": return "\u{200B}" + line
        default:
            let digits = line.prefix { $0.isASCII && $0.isNumber }
            let mark = line[digits.endIndex...].first
            return !digits.isEmpty && (mark == "." || mark == ")")
                ? digits + "\\" + line[digits.endIndex...] : String(line)
        }
    }

    /// Puts something invisible between so many backticks, where they would end the code.
    private static func separatingBackticks(_ text: String, of count: Int) -> String {
        let run = String(repeating: "`", count: count)
        guard text.contains(run) else { return text }
        return text.replacing(run, with: run.map(String.init).joined(separator: "\u{200B}"))
    }
}

extension String {
    /// Puts a prefix before every line but the first.
    fileprivate func indented(by prefix: String) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n" + prefix)
    }
}
