import CEL

/// A template with its values filled in, before any channel's format.
package struct RenderedText: Hashable, Sendable {
    package indirect enum Segment: Hashable, Sendable {
        /// Markdown that the rule's author wrote, or vouched for with `markdown()`.
        case markup(String)
        /// Text from elsewhere: cleaned, never to be read as markup.
        case text(String)
        case link(text: String, url: String)
        /// One list item per element.
        case list([RenderedText])
    }

    package var segments: [Segment]
    /// What could not be evaluated, for the log; `(?)` stands in its place.
    package var errors: [String]

    package init(_ segments: [Segment] = [], errors: [String] = []) {
        self.segments = segments
        self.errors = errors
    }

    /// As one would read it without any formatting, markup characters included.
    package var plain: String {
        segments.map { segment in
            switch segment {
            case .markup(let text), .text(let text): text
            case .link(let text, let url): "\(text) (\(url))"
            case .list(let items): items.map { "- " + $0.plain }.joined(separator: "\n")
            }
        }.joined()
    }
}
