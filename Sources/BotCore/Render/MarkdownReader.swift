import AdapterKit
import CCmark

/// Reads Markdown into a text tree, filling values in and noting where each stands.
struct MarkdownReader {
    private typealias Node = CmarkDocument.Node

    /// Deeper than this blocks and marks are dropped and their text stays: whoever walks the tree may recurse.
    private static let maximumDepth = 24

    private let values: [MarkdownDraft.Value]
    private(set) var places: [Int: MarkdownPlace] = [:]
    /// Between the brackets of a link.
    private var isInLabel = false

    init(values: [MarkdownDraft.Value]) {
        self.values = values
    }

    mutating func read(_ source: String) -> TextTree {
        guard let document = CmarkDocument(source) else { return TextTree([]) }
        return TextTree(blocks(of: document.root, depth: 0))
    }

    // MARK: - Blocks

    private mutating func blocks(of node: Node, depth: Int) -> [TextBlock] {
        guard depth < Self.maximumDepth else {
            let inlines = flattened(node)
            return inlines.isEmpty ? [] : [.paragraph(inlines)]
        }
        return CmarkDocument.children(of: node).compactMap { block($0, depth: depth + 1) }
    }

    private mutating func block(_ node: Node, depth: Int) -> TextBlock? {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_HEADING:
            return .heading(level: Int(cmark_node_get_heading_level(node)), inlines(of: node, depth: depth))
        case CMARK_NODE_LIST:
            let isOrdered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
            let items = CmarkDocument.children(of: node).map { blocks(of: $0, depth: depth + 1) }
            return .list(start: isOrdered ? Int(cmark_node_get_list_start(node)) : nil, items: items)
        case CMARK_NODE_BLOCK_QUOTE:
            return .quote(blocks(of: node, depth: depth))
        case CMARK_NODE_CODE_BLOCK:
            var text = code(CmarkDocument.literal(of: node), at: .codeBlock)
            if text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
            return .code(text, language: Self.language(of: node))
        case CMARK_NODE_THEMATIC_BREAK:
            return .divider
        case CMARK_NODE_HTML_BLOCK:
            let inlines = lines(CmarkDocument.literal(of: node), at: .html)
            return inlines.isEmpty ? nil : .paragraph(inlines)
        default:
            let inlines = inlines(of: node, depth: depth)
            return inlines.isEmpty ? nil : .paragraph(inlines)
        }
    }

    /// The first word of what stands after a fence, if it is one plain word.
    private static func language(of node: Node) -> String? {
        guard let info = cmark_node_get_fence_info(node) else { return nil }
        let word = String(cString: info).prefix { $0 != " " }
        let isPlain = word.utf8.allSatisfy { byte in
            Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || "0123456789+#-_.".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty && word.utf8.count <= 40 ? String(word) : nil
    }

    // MARK: - Inlines

    private mutating func inlines(of node: Node, depth: Int) -> [TextInline] {
        guard depth < Self.maximumDepth else { return flattened(node) }
        var inlines: [TextInline] = []
        for child in CmarkDocument.children(of: node) {
            for inline in self.inlines(child, depth: depth + 1) { inlines.append(merging: inline) }
        }
        return inlines
    }

    private mutating func inlines(_ node: Node, depth: Int) -> [TextInline] {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_TEXT: text(CmarkDocument.literal(of: node), at: isInLabel ? .label : .text)
        case CMARK_NODE_CODE: [.code(code(CmarkDocument.literal(of: node), at: .codeSpan))]
        case CMARK_NODE_HTML_INLINE: text(CmarkDocument.literal(of: node), at: .html)
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: [.lineBreak]
        case CMARK_NODE_EMPH: [.emphasis(inlines(of: node, depth: depth))]
        case CMARK_NODE_STRONG: [.strong(inlines(of: node, depth: depth))]
        case CMARK_NODE_LINK, CMARK_NODE_IMAGE: link(node, depth: depth)
        case _ where zb_cmark_is_strikethrough(node): [.strikethrough(inlines(of: node, depth: depth))]
        default: inlines(of: node, depth: depth)
        }
    }

    private mutating func link(_ node: Node, depth: Int) -> [TextInline] {
        let source = cmark_node_get_url(node).map { String(cString: $0) } ?? ""
        let words = cmark_node_first_child(node).map(CmarkDocument.literal) ?? ""
        let isOnlyChild = cmark_node_first_child(node) == cmark_node_last_child(node)
        // A name at a host is text here: people write them, and nobody wrote a link.
        if isOnlyChild, source.utf8.elementsEqual("mailto:\(words)".utf8) { return inlines(of: node, depth: depth) }

        let address = address(source)
        if isOnlyChild, source.utf8.elementsEqual(words.utf8) || source.utf8.elementsEqual("http://\(words)".utf8) {
            return address.map { [.link([.text($0)], url: $0)] } ?? text(words, at: .addressPart)
        }
        let isOutermost = !isInLabel
        isInLabel = true
        defer { if isOutermost { isInLabel = false } }
        let label = inlines(of: node, depth: depth)
        guard isOutermost, let address else { return label }
        return [.link(label, url: address)]
    }

    /// Everything readable inside a node, without its marks. Not recursive.
    private mutating func flattened(_ node: Node) -> [TextInline] {
        guard let iterator = cmark_iter_new(node) else { return [] }
        defer { cmark_iter_free(iterator) }
        var inlines: [TextInline] = []
        while case let event = cmark_iter_next(iterator), event != CMARK_EVENT_DONE {
            guard event == CMARK_EVENT_ENTER, let inner = cmark_iter_get_node(iterator) else { continue }
            switch cmark_node_get_type(inner) {
            case CMARK_NODE_TEXT, CMARK_NODE_CODE, CMARK_NODE_HTML_INLINE, CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK:
                for inline in self.inlines(inner, depth: Self.maximumDepth) { inlines.append(merging: inline) }
            case CMARK_NODE_CODE_BLOCK:
                inlines.append(.code(code(CmarkDocument.literal(of: inner), at: .codeBlock).printableLine))
            case CMARK_NODE_HTML_BLOCK:
                inlines += lines(CmarkDocument.literal(of: inner), at: .html)
            default:
                continue
            }
        }
        return inlines
    }

    // MARK: - Values

    /// A node's text with the values filled in.
    private mutating func text(_ literal: String, at place: MarkdownPlace) -> [TextInline] {
        var inlines: [TextInline] = []
        for part in Part.split(literal) {
            switch part {
            case .literal(let text): inlines.append(merging: .text(text))
            case .value(let index):
                guard values.indices.contains(index) else { continue }
                places[index] = place
                if case .link(let words, let url) = values[index], place == .text {
                    inlines.append(.link([.text(words)], url: url))
                } else {
                    inlines.append(merging: .text(values[index].words))
                }
            }
        }
        return inlines
    }

    private mutating func lines(_ literal: String, at place: MarkdownPlace) -> [TextInline] {
        var inlines: [TextInline] = []
        for line in literal.split(separator: "\n") {
            if !inlines.isEmpty { inlines.append(.lineBreak) }
            inlines += text(String(line), at: place)
        }
        return inlines
    }

    private mutating func code(_ literal: String, at place: MarkdownPlace) -> String {
        fill(literal) { _, value in (place, place.code(value.words)) }
    }

    /// Nil for what is not an address that may be followed.
    private mutating func address(_ source: String) -> String? {
        let address = fill(source) { isFirst, value in
            let place: MarkdownPlace = isFirst ? .address : .addressPart
            return (place, place.address(value))
        }
        let scheme = address.prefix { $0 != ":" }.lowercased()
        let isAllowed =
            scheme == "mailto"
            || (scheme == "https" || scheme == "http") && address.dropFirst(scheme.count).hasPrefix("://")
        return isAllowed && address.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F } ? address : nil
    }

    private mutating func fill(
        _ literal: String, _ write: (_ isFirst: Bool, MarkdownDraft.Value) -> (MarkdownPlace, String)
    ) -> String {
        var text = ""
        for part in Part.split(literal) {
            switch part {
            case .literal(let literal): text += literal
            case .value(let index):
                guard values.indices.contains(index) else { continue }
                let (place, written) = write(text.isEmpty, values[index])
                places[index] = place
                text += written
            }
        }
        return text
    }

    private enum Part {
        case literal(String)
        /// An index of `values`.
        case value(Int)

        static func split(_ literal: String) -> [Part] {
            var parts: [Part] = []
            var text = String.UnicodeScalarView()
            for scalar in literal.unicodeScalars {
                guard let index = MarkdownDraft.value(of: scalar) else {
                    text.append(scalar)
                    continue
                }
                if !text.isEmpty { parts.append(.literal(String(text))) }
                text = String.UnicodeScalarView()
                parts.append(.value(index))
            }
            return text.isEmpty ? parts : parts + [.literal(String(text))]
        }
    }
}

extension [TextInline] {
    /// Adjacent texts become one.
    fileprivate mutating func append(merging inline: TextInline) {
        if case .text(let text) = inline, case .text(let before)? = last {
            self[count - 1] = .text(before + text)
        } else {
            append(inline)
        }
    }
}
