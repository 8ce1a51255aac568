extension TextTree {
    /// The text without anything in it that could steer a display: see `String.printableLine`. Addresses are encoded, so
    /// that none ends early.
    public var printable: TextTree { TextTree(blocks.map(\.printable)) }
}

extension TextBlock {
    fileprivate var printable: TextBlock {
        switch self {
        case .paragraph(let inlines): .paragraph(inlines.map(\.printable))
        case .heading(let level, let inlines): .heading(level: level, inlines.map(\.printable))
        case .list(let start, let items): .list(start: start, items: items.map { $0.map(\.printable) })
        case .code(let text, let language): .code(text.printableText, language: language?.printableLine)
        case .quote(let blocks): .quote(blocks.map(\.printable))
        case .divider: .divider
        }
    }
}

extension TextInline {
    fileprivate var printable: TextInline {
        switch self {
        case .text(let text): .text(text.printableLine)
        case .strong(let inlines): .strong(inlines.map(\.printable))
        case .emphasis(let inlines): .emphasis(inlines.map(\.printable))
        case .strikethrough(let inlines): .strikethrough(inlines.map(\.printable))
        case .code(let text): .code(text.printableLine)
        case .link(let inlines, let url): .link(inlines.map(\.printable), url: url.percentEncoded)
        case .lineBreak: .lineBreak
        }
    }
}

extension String {
    /// A URL in which nothing ends it or steers a display: all but the characters that RFC 3986 allows is encoded, and
    /// parentheses, which end a link in Markdown.
    var percentEncoded: String {
        let allowed = Array("-._~:/?#[]@!$&'*+,;=%".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            let isAlphanumeric = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            if isAlphanumeric || allowed.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += "%".utf8
                bytes += (byte < 16 ? "0" : "").utf8
                bytes += String(byte, radix: 16, uppercase: true).utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
