import Rules

extension RenderedText.Segment {
    static func text(_ text: String) -> Self { .inline(.text(text)) }
    static func link(text: String, url: String) -> Self { .inline(.link(text: text, url: url)) }
}
