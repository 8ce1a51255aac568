/// Formatted text, apart from any chat's way to write it.
///
/// An adapter walks it and writes its own format, escaping every `text` and `code` on the way. Depth and size are bounded
/// by whoever makes one: a walk may recurse.
public struct TextTree: Hashable, Sendable, Codable {
    public var blocks: [TextBlock]

    public init(_ blocks: [TextBlock]) {
        self.blocks = blocks
    }

    /// One paragraph of unformatted text.
    public init(text: String) {
        blocks = text.isEmpty ? [] : [.paragraph([.text(text)])]
    }
}

/// A part of a text that stands on lines of its own.
public indirect enum TextBlock: Hashable, Sendable, Codable {
    case paragraph([TextInline])
    /// The level is 1 … 6.
    case heading(level: Int, [TextInline])
    /// `start` is the number of the first item, nil in a list without numbers.
    case list(start: Int?, items: [[TextBlock]])
    /// Ends without a newline.
    case code(String, language: String?)
    case quote([TextBlock])
    case divider
}

/// A part of a line.
public indirect enum TextInline: Hashable, Sendable, Codable {
    /// Without newlines.
    case text(String)
    case strong([TextInline])
    case emphasis([TextInline])
    case strikethrough([TextInline])
    case code(String)
    /// The URL begins with `https://`, `http://` or `mailto:`.
    case link([TextInline], url: String)
    case lineBreak
}
