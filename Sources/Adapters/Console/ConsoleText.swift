import AdapterKit

/// Writes a message for a terminal: a line that says what it is, then its text, indented.
///
/// Text comes from strangers, and a terminal obeys control characters: none gets through but those written here.
struct ConsoleText {
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case italic = "3"
        case underlined = "4"
        case struckThrough = "9"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    let usesColor: Bool

    func render(_ message: Message) -> String {
        var lines = [heading(message)]
        if let title = message.title { lines.append("    " + styled(title.printableLine, .bold)) }
        lines += self.lines(message.body.blocks).map { $0.isEmpty ? "" : "    " + $0 }
        if let chart = message.chart { lines.append("    " + styled(chart.sparkline.printableLine, .cyan)) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func heading(_ message: Message) -> String {
        let time = message.time.rfc3339.split(separator: "T").joined(separator: " ")
        var words = [styled(time, .dim), styled(message.channel.printableLine, .cyan), kind(message)]
        if let rule = message.rule { words.append(rule.printableLine) }
        if let subject = message.subject {
            let name = subject.type == subject.id ? subject.type : "\(subject.type) \(subject.id)"
            words.append(styled(name.printableLine, .dim))
        }
        return words.joined(separator: "  ")
    }

    private func kind(_ message: Message) -> String {
        let word = message.urgency == .high ? message.kind.rawValue + "!" : message.kind.rawValue
        switch message.kind {
        case _ where message.urgency == .high: return styled(word, .red)
        case .resolved: return styled(word, .green)
        default: return styled(word, .yellow)
        }
    }

    // MARK: - Blocks

    private func lines(_ blocks: [TextBlock], tight: Bool = false) -> [String] {
        var lines: [String] = []
        for (index, block) in blocks.enumerated() {
            if index > 0, !tight { lines.append("") }
            lines += self.lines(block)
        }
        return lines
    }

    private func lines(_ block: TextBlock) -> [String] {
        switch block {
        case .paragraph(let inlines):
            return lines(of: text(inlines))
        case .heading(_, let inlines):
            return lines(of: styled(text(inlines), .bold))
        case .list(let start, let items):
            return items.enumerated().flatMap { index, item in
                let marker = start.map { "\($0.addingReportingOverflow(index).partialValue). " } ?? "- "
                let rest = String(repeating: " ", count: marker.utf8.count)
                return lines(item, tight: true).enumerated().map { ($0 == 0 ? marker : rest) + $1 }
            }
        case .code(let text, _):
            return lines(of: text.printableText).map { styled($0, .dim) }
        case .quote(let blocks):
            return lines(blocks).map { styled("> ", .dim) + $0 }
        case .divider:
            return [styled("---", .dim)]
        }
    }

    private func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: - Inlines

    private func text(_ inlines: [TextInline]) -> String {
        inlines.map(text).joined()
    }

    private func text(_ inline: TextInline) -> String {
        switch inline {
        case .text(let text): text.printableLine
        case .strong(let inlines): styled(text(inlines), .bold)
        case .emphasis(let inlines): styled(text(inlines), .italic)
        case .strikethrough(let inlines): styled(text(inlines), .struckThrough)
        case .code(let text): styled(text.printableLine, .cyan)
        case .link(let inlines, let url): link(inlines, url)
        case .lineBreak: "\n"
        }
    }

    private func link(_ inlines: [TextInline], _ url: String) -> String {
        let address = styled(url.printableLine, .underlined)
        let words = inlines.plainText
        return words.isEmpty || words.utf8.elementsEqual(url.utf8) ? address : "\(text(inlines)) (\(address))"
    }

    /// Switches one attribute on and the same off again, so that styles nest.
    private func styled(_ text: String, _ style: Style) -> String {
        guard usesColor, !text.isEmpty else { return text }
        let off =
            switch style {
            case .bold, .dim: "22"
            case .italic: "23"
            case .underlined: "24"
            case .struckThrough: "29"
            case .red, .green, .yellow, .cyan: "39"
            }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[\(off)m"
    }
}
