/// A message with its values filled in, before any channel gives it a form.
///
/// The author's Markdown and other people's text stay apart until the end, so that nobody's title can become markup.
package struct RenderedText: Hashable, Sendable {
    /// What a `{{ }}` printed.
    package enum Inline: Hashable, Sendable {
        /// Anybody's words, one line, without control characters. To be escaped.
        case text(String)
        /// Anybody's words and an `https` address.
        case link(text: String, url: String)
        /// Markdown that the author vouches for, from `markdown(x)`.
        case markdown(String)
    }

    package enum Segment: Hashable, Sendable {
        /// Markdown that the author wrote.
        case markup(String)
        case inline(Inline)
        /// A list that stood alone on its line; it still does.
        case items([[Inline]])
    }

    package var segments: [Segment]
    /// Why a `{{ }}` printed as `(?)`, for the log.
    package var errors: [String]

    package init(_ segments: [Segment] = [], errors: [String] = []) {
        self.segments = segments
        self.errors = errors
    }

    /// Text by the bot itself, without markup.
    package init(text: String) {
        self.init([.inline(.text(text))])
    }

    package var isEmpty: Bool { segments.isEmpty }

    /// For a terminal or a log: the author's Markdown as written, everything else unescaped.
    package var plain: String {
        segments.map { segment in
            switch segment {
            case .markup(let markup): markup
            case .inline(let inline): inline.plain
            case .items(let items): items.map { "- " + $0.map(\.plain).joined() }.joined(separator: "\n")
            }
        }.joined()
    }
}

extension RenderedText.Inline {
    package var plain: String {
        switch self {
        case .text(let text), .markdown(let text): text
        case .link(let text, let url): "\(text) (\(url))"
        }
    }
}
