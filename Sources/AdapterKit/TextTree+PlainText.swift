extension TextTree {
    /// The text without formatting: blocks a blank line apart, items of a list behind `- ` or their number, a link's
    /// address behind its words where they differ.
    ///
    /// - Complexity: O(size × depth).
    public var plainText: String {
        TextBlock.plainText(blocks)
    }
}

extension TextBlock {
    fileprivate static func plainText(_ blocks: [TextBlock], tight: Bool = false) -> String {
        blocks.map(\.plainText).joined(separator: tight ? "\n" : "\n\n")
    }

    fileprivate var plainText: String {
        switch self {
        case .paragraph(let inlines), .heading(_, let inlines):
            return inlines.plainText
        case .list(let start, let items):
            return items.enumerated().map { index, item in
                // A list may start at the largest number there is.
                let marker = start.map { "\($0.addingReportingOverflow(index).partialValue). " } ?? "- "
                return marker
                    + Self.plainText(item, tight: true).indented(by: String(repeating: " ", count: marker.utf8.count))
            }.joined(separator: "\n")
        case .code(let text, _):
            return text
        case .quote(let blocks):
            return "> " + Self.plainText(blocks).indented(by: "> ")
        case .divider:
            return "---"
        }
    }
}

extension [TextInline] {
    /// The words of a line without formatting.
    public var plainText: String {
        var text = ""
        appendPlainText(to: &text)
        return text
    }

    private func appendPlainText(to text: inout String) {
        for inline in self {
            switch inline {
            case .text(let words), .code(let words):
                text += words
            case .strong(let inlines), .emphasis(let inlines), .strikethrough(let inlines):
                inlines.appendPlainText(to: &text)
            case .link(let inlines, let url):
                let words = inlines.plainText
                text += words.utf8.elementsEqual(url.utf8) || words.isEmpty ? url : "\(words) (\(url))"
            case .lineBreak:
                text += "\n"
            }
        }
    }
}

extension String {
    /// Puts a prefix before every line but the first.
    fileprivate func indented(by prefix: String) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n" + prefix)
    }
}
