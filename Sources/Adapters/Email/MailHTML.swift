import AdapterKit

/// Writes a text as HTML for mail programs: nothing is loaded from elsewhere, and every text is escaped.
struct MailHTML {
    private(set) var text = ""

    /// - Parameter picture: Shown at the end, by its content id.
    init(_ tree: TextTree, picture: (id: String, picture: Picture)? = nil) {
        text = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head><body>\n"
        append(tree.blocks)
        if let (id, picture) = picture {
            let description = Self.escaped(picture.description.printableLine)
            text += "<p><img src=\"cid:\(id)\" alt=\"\(description)\" width=\"\(picture.width)\" "
            text += "height=\"\(picture.height)\" style=\"max-width:100%;height:auto\"></p>\n"
        }
        text += "</body></html>\n"
    }

    private mutating func append(_ blocks: [TextBlock]) {
        for block in blocks { append(block) }
    }

    private mutating func append(_ block: TextBlock) {
        switch block {
        case .paragraph(let inlines):
            element("p") { $0.append(inlines) }
        case .heading(let level, let inlines):
            element("h\(min(max(level, 1), 6))") { $0.append(inlines) }
        case .list(let start, let items):
            let attributes = start.map { $0 == 1 ? "" : " start=\"\($0)\"" } ?? ""
            element(start == nil ? "ul" : "ol", attributes) { html in
                for item in items { html.element("li") { $0.append(item) } }
            }
        case .code(let code, _):
            element("pre") { $0.text += "<code>\(Self.escaped(code))</code>" }
        case .quote(let blocks):
            element("blockquote") { $0.append(blocks) }
        case .divider:
            text += "<hr>\n"
        }
    }

    private mutating func element(_ name: String, _ attributes: String = "", _ content: (inout MailHTML) -> Void) {
        text += "<\(name)\(attributes)>"
        content(&self)
        text += "</\(name)>\n"
    }

    private mutating func append(_ inlines: [TextInline]) {
        for inline in inlines { append(inline) }
    }

    private mutating func append(_ inline: TextInline) {
        switch inline {
        case .text(let words): text += Self.escaped(words)
        case .strong(let inlines): wrap("strong", inlines)
        case .emphasis(let inlines): wrap("em", inlines)
        case .strikethrough(let inlines): wrap("del", inlines)
        case .code(let code): text += "<code>\(Self.escaped(code))</code>"
        case .link(let inlines, let url):
            text += "<a href=\"\(Self.escaped(url))\">"
            if inlines.plainText.isEmpty { text += Self.escaped(url) } else { append(inlines) }
            text += "</a>"
        case .lineBreak: text += "<br>\n"
        }
    }

    private mutating func wrap(_ name: String, _ inlines: [TextInline]) {
        text += "<\(name)>"
        append(inlines)
        text += "</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
