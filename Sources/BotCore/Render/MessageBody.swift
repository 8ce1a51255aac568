// Start here.
//
// `MarkdownDraft` puts a rendered template together with a placeholder for each value, `MarkdownReader` reads that once into
// a text tree and learns where each placeholder stands, `MarkdownEscaping` says how a value is written there. A value itself
// is never read as Markdown.

package import AdapterKit
package import Rules

/// A message's text in the two forms that adapters take.
package struct MessageBody: Hashable, Sendable {
    package var tree: TextTree
    package var markdown: String

    /// - Complexity: O(size) for what an author writes; the size is bounded by `MarkdownDraft.maximumSize`.
    package init(_ text: RenderedText) {
        let draft = MarkdownDraft(text.segments.map(MarkdownDraft.Segment.init))
        var reader = MarkdownReader(values: draft.values)
        tree = reader.read(draft.source)
        markdown = draft.markdown(places: reader.places)
    }
}

extension TextTree {
    /// Reads Markdown: CommonMark with strikethrough and bare addresses. Raw HTML is text.
    package init(markdown: String) {
        var reader = MarkdownReader(values: [])
        self = reader.read(MarkdownDraft.cleaned(markdown))
    }
}

extension RenderedText {
    /// One line without formatting, for a title.
    package var line: String {
        MessageBody(self).tree.plainText.printableLine
    }
}

extension MarkdownDraft.Segment {
    init(_ segment: RenderedText.Segment) {
        switch segment {
        case .markup(let markup): self = .markup(markup)
        case .inline(let inline): self.init(inline)
        case .items(let items): self = .list(items.map { $0.map(Self.init) })
        }
    }

    private init(_ inline: RenderedText.Inline) {
        switch inline {
        case .text(let text): self = .text(text)
        case .link(let text, let url): self = .link(text: text, url: url)
        case .markdown(let markup): self = .markup(markup)
        }
    }
}
