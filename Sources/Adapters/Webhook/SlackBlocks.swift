import AdapterKit

/// Writes a text as Slack's rich text: every piece of text is a value of its own, so that nothing in it is read as markup.
///
/// Slack's rich text has neither headings nor nesting: a heading is bold, a list in a list is a list with an indent behind
/// it, and what stands in a quote is lines of it.
struct SlackBlocks {
    private(set) var blocks: [JSONValue] = []
    private var elements: [JSONValue] = []
    /// Of paragraphs not written yet: neighbours go into one section.
    private var section: [JSONValue] = []

    /// - Parameter mentions: Elements to begin with.
    init(_ tree: TextTree, mentions: [JSONValue] = []) {
        section = mentions.flatMap { [$0, Self.text(" ", [])] }
        for (index, block) in tree.blocks.enumerated() { append(block, indent: 0, isFirst: index == 0) }
        endRichText()
    }

    private mutating func append(_ block: TextBlock, indent: Int, isFirst: Bool = false) {
        switch block {
        case .paragraph(let inlines):
            appendParagraph(Self.elements(inlines, []), isFirst: isFirst)
        case .heading(_, let inlines):
            appendParagraph(Self.elements(inlines, [.bold]), isFirst: isFirst)
        case .list(let start, let items):
            appendList(items, start: start, indent: indent)
        case .code(let text, _):
            guard !text.isEmpty else { return }
            append("rich_text_preformatted", [Self.text(text, [])])
        case .quote(let blocks):
            append("rich_text_quote", Self.lines(blocks))
        case .divider:
            endRichText()
            blocks.append(["type": "divider"])
        }
    }

    private mutating func appendParagraph(_ inlines: [JSONValue], isFirst: Bool) {
        if !section.isEmpty, !isFirst { section.append(Self.text("\n\n", [])) }
        section += inlines
    }

    private mutating func append(_ type: String, _ inlines: [JSONValue]) {
        endSection()
        guard !inlines.isEmpty else { return }
        elements.append(["type": .string(type), "elements": .array(inlines)])
    }

    private mutating func appendList(_ items: [[TextBlock]], start: Int?, indent: Int) {
        endSection()
        var sections: [JSONValue] = []
        var first = min(max(start ?? 1, 1), 1 << 30) - 1
        func list() -> JSONValue {
            [
                "type": "rich_text_list", "style": start == nil ? "bullet" : "ordered",
                "indent": .integer(min(indent, 8)), "offset": .integer(first), "elements": .array(sections),
            ]
        }
        for item in items {
            // What an item has beside lines of text stands between two parts of its list.
            let lines = item.prefix(while: \.isLines)
            let words = Self.lines(Array(lines))
            sections.append(
                ["type": "rich_text_section", "elements": .array(words.isEmpty ? [Self.text(" ", [])] : words)])
            guard lines.count < item.count else { continue }
            elements.append(list())
            first += sections.count
            sections = []
            for block in item[lines.endIndex...] { append(block, indent: indent + 1) }
            endSection()
        }
        if !sections.isEmpty { elements.append(list()) }
    }

    private mutating func endSection() {
        guard !section.isEmpty else { return }
        elements.append(["type": "rich_text_section", "elements": .array(section)])
        section = []
    }

    private mutating func endRichText() {
        endSection()
        guard !elements.isEmpty else { return }
        blocks.append(["type": "rich_text", "elements": .array(elements)])
        elements = []
    }
}

// MARK: - Text

extension SlackBlocks {
    private enum Style: String {
        case bold, italic, strike, code
    }

    private static func elements(_ inlines: [TextInline], _ styles: [Style]) -> [JSONValue] {
        inlines.flatMap { inline -> [JSONValue] in
            switch inline {
            case .text(let text): text.isEmpty ? [] : [Self.text(text, styles)]
            case .strong(let inlines): elements(inlines, styles + [.bold])
            case .emphasis(let inlines): elements(inlines, styles + [.italic])
            case .strikethrough(let inlines): elements(inlines, styles + [.strike])
            case .code(let text): text.isEmpty ? [] : [Self.text(text, styles + [.code])]
            case .link(let inlines, let url): [link(inlines.plainText, url, styles)]
            case .lineBreak: [Self.text("\n", styles)]
            }
        }
    }

    private static func text(_ text: String, _ styles: [Style]) -> JSONValue {
        .object([("type", "text"), ("text", .string(text))] + style(styles))
    }

    private static func link(_ text: String, _ url: String, _ styles: [Style]) -> JSONValue {
        .object(
            [("type", "link"), ("url", .string(url)), ("text", .string(text.isEmpty ? url : text))] + style(styles))
    }

    private static func style(_ styles: [Style]) -> [(name: String, value: JSONValue)] {
        if styles.isEmpty { return [] }
        let names = Set(styles.map(\.rawValue)).sorted()
        return [("style", .object(names.map { ($0, true) }))]
    }

    /// Blocks as lines of one piece of text.
    private static func lines(_ blocks: [TextBlock]) -> [JSONValue] {
        var lines: [JSONValue] = []
        for block in blocks {
            let line = Self.line(block)
            if !lines.isEmpty, !line.isEmpty { lines.append(text("\n", [])) }
            lines += line
        }
        return lines
    }

    private static func line(_ block: TextBlock) -> [JSONValue] {
        switch block {
        case .paragraph(let inlines): elements(inlines, [])
        case .heading(_, let inlines): elements(inlines, [.bold])
        case .code(let code, _): code.isEmpty ? [] : [text(code, [.code])]
        case .quote(let blocks): lines(blocks)
        case .divider: [text("---", [])]
        case .list(let start, let items):
            items.enumerated().flatMap { index, item in
                let marker = start.map { "\($0.addingReportingOverflow(index).partialValue). " } ?? "• "
                return [text(index == 0 ? marker : "\n" + marker, [])] + lines(item)
            }
        }
    }
}

extension TextBlock {
    /// It can stand in a line of a list.
    fileprivate var isLines: Bool {
        switch self {
        case .paragraph, .heading: true
        case .list, .code, .quote, .divider: false
        }
    }
}
