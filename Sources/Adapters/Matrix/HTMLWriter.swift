import AdapterKit

/// Writes a text tree in the HTML that Matrix clients show ("m.room.message msgtypes"): a few tags, every text escaped once.
struct HTMLWriter {
    private var bytes: [UInt8] = []
    /// Clients stop reading at a hundred levels; what is nested deeper than this is written as its words.
    private static let maximumDepth = 40

    static func html(_ tree: TextTree) -> String {
        var writer = HTMLWriter()
        // A message of one paragraph is a line, without the space that a paragraph has around it.
        if tree.blocks.count == 1, case .paragraph(let inlines) = tree.blocks[0] {
            writer.write(inlines, depth: 0)
        } else {
            writer.write(tree.blocks, depth: 0)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Untrusted text, for between tags and for attributes in double quotes.
    static func escaped(_ text: String) -> String {
        var writer = HTMLWriter()
        writer.escape(text.printableLine)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private mutating func write(_ blocks: [TextBlock], depth: Int) {
        guard depth < Self.maximumDepth else { return escape(TextTree(blocks).plainText.printableText) }
        for block in blocks { write(block, depth: depth + 1) }
    }

    private mutating func write(_ block: TextBlock, depth: Int) {
        switch block {
        case .paragraph(let inlines):
            element("p") { $0.write(inlines, depth: depth) }
        case .heading(let level, let inlines):
            element("h\(min(max(level, 1), 6))") { $0.write(inlines, depth: depth) }
        case .list(let start, let items):
            let attribute = start.map { $0 == 1 ? "" : " start=\"\($0)\"" } ?? ""
            element(start == nil ? "ul" : "ol", attribute) { writer in
                for item in items { writer.element("li") { $0.write(item: item, depth: depth) } }
            }
        case .code(let text, let language):
            let name = (language ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber || "+-#._".contains($0)) }
            element("pre") { writer in
                writer.element("code", name.isEmpty ? "" : " class=\"language-\(name)\"") {
                    $0.escape(text.printableText)
                }
            }
        case .quote(let blocks):
            element("blockquote") { $0.write(blocks, depth: depth) }
        case .divider:
            bytes += "<hr>".utf8
        }
    }

    /// An item of one paragraph is a line too.
    private mutating func write(item: [TextBlock], depth: Int) {
        guard case .paragraph(let inlines)? = item.first else { return write(item, depth: depth) }
        write(inlines, depth: depth)
        write(Array(item.dropFirst()), depth: depth)
    }

    private mutating func write(_ inlines: [TextInline], depth: Int) {
        guard depth < Self.maximumDepth else { return escape(inlines.plainText.printableLine) }
        for inline in inlines { write(inline, depth: depth + 1) }
    }

    private mutating func write(_ inline: TextInline, depth: Int) {
        switch inline {
        case .text(let text): escape(text.printableLine)
        case .strong(let inlines): element("strong") { $0.write(inlines, depth: depth) }
        case .emphasis(let inlines): element("em") { $0.write(inlines, depth: depth) }
        case .strikethrough(let inlines): element("del") { $0.write(inlines, depth: depth) }
        case .code(let text): element("code") { $0.escape(text.printableLine) }
        case .link(let inlines, let url): link(inlines, url, depth: depth)
        case .lineBreak: bytes += "<br>".utf8
        }
    }

    private mutating func link(_ inlines: [TextInline], _ url: String, depth: Int) {
        let words: [TextInline] = inlines.isEmpty ? [.text(url)] : inlines
        let isAllowed = ["https:", "http:", "mailto:"].contains { url.lowercased().hasPrefix($0) }
        guard isAllowed else { return write(words, depth: depth) }
        element("a", " href=\"\(Self.escaped(url))\"") { $0.write(words, depth: depth) }
    }

    private mutating func element(_ name: String, _ attributes: String = "", _ content: (inout HTMLWriter) -> Void) {
        bytes += "<\(name)\(attributes)>".utf8
        content(&self)
        bytes += "</\(name)>".utf8
    }

    private mutating func escape(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            default: bytes.append(byte)
            }
        }
    }
}
