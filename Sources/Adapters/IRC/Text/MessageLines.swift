import AdapterKit

/// A message as lines of an IRC channel, however long: a line for each paragraph, item and line of code.
struct MessageLines {
    struct Line: Hashable {
        var spans: [Span]
        /// Of a code block, which is better read elsewhere.
        var isCode = false

        var byteCount: Int { spans.reduce(0) { $0 + $1.text.utf8.count } }
    }

    private(set) var lines: [Line] = []
    /// What bold text of this message looks like.
    private let strong: Style

    init(_ message: Message) {
        strong =
            switch message.kind {
            case .resolved: [.bold, .green]
            case _ where message.urgency == .high: [.bold, .red]
            default: .bold
            }
        if let title = message.title { add([Span(title.withoutFormatting, strong)]) }
        add(message.body.blocks, indent: "")
        if let chart = message.chart { add([Span(chart.sparkline)]) }
    }

    private mutating func add(_ spans: [Span], isCode: Bool = false) {
        // A line without text is refused by servers.
        guard spans.contains(where: { $0.text.utf8.contains { $0 != 0x20 } }) else { return }
        lines.append(Line(spans: spans, isCode: isCode))
    }

    // MARK: - Blocks

    private mutating func add(_ blocks: [TextBlock], indent: String) {
        for block in blocks {
            switch block {
            case .paragraph(let inlines): add(inlines, [], indent)
            case .heading(_, let inlines): add(inlines, strong, indent)
            case .list(let start, let items): add(items, start: start, indent)
            case .code(let text, _):
                for line in text.printableText.split(separator: "\n") {
                    add([Span(indent + line, .code)], isCode: true)
                }
            case .quote(let blocks): add(blocks, indent: indent + "> ")
            case .divider: break
            }
        }
    }

    private mutating func add(_ items: [[TextBlock]], start: Int?, _ indent: String) {
        for (index, item) in items.enumerated() {
            let marker = start.map { "\($0.addingReportingOverflow(index).partialValue). " } ?? "- "
            let first = lines.count
            add(item, indent: indent + String(repeating: " ", count: marker.utf8.count))
            guard lines.indices.contains(first) else { continue }
            // The marker takes the place of the blanks before the item's first line.
            let blanks = indent.utf8.count + marker.utf8.count
            let text = lines[first].spans[0].text.dropFirst(blanks)
            lines[first].spans[0].text = indent + marker + text
        }
    }

    // MARK: - Inlines

    private mutating func add(_ inlines: [TextInline], _ style: Style, _ indent: String) {
        var line = [Span(indent, style)]
        for span in Self.spans(inlines, style, strong) {
            guard let span else {
                add(line)
                line = [Span(indent, style)]
                continue
            }
            line.append(span)
        }
        add(line)
    }

    /// Nil stands for a line break.
    private static func spans(_ inlines: [TextInline], _ style: Style, _ strong: Style) -> [Span?] {
        inlines.flatMap { inline -> [Span?] in
            switch inline {
            case .text(let text): return [Span(text.withoutFormatting, style)]
            case .code(let text): return [Span(text.withoutFormatting, style.union(.code))]
            case .strong(let inlines): return spans(inlines, style.union(strong), strong)
            case .emphasis(let inlines): return spans(inlines, style.union(.italic), strong)
            case .strikethrough(let inlines): return spans(inlines, style.union(.strikethrough), strong)
            case .link(let inlines, let url):
                let address = Span(url.withoutFormatting, style)
                let words = inlines.plainText
                if words.isEmpty || words.utf8.elementsEqual(url.utf8) { return [address] }
                return spans(inlines, style, strong) + [Span(" (", style), address, Span(")", style)]
            case .lineBreak: return [nil]
            }
        }
    }
}
