import CEL

/// What `link()` and `markdown()` return: objects that only a message knows how to show.
enum RichText {
    static let link = ObjectType("link", [ObjectType.Field("text", .string), ObjectType.Field("url", .string)])
    static let markdown = ObjectType("markdown", [ObjectType.Field("text", .string)])

    /// Nil for any other object.
    static func inline(_ object: Object) -> RenderedText.Inline? {
        switch (object.type, object.slots.first, object.slots.last) {
        case (link, .string(let text), .string(let url)):
            url.isWebAddress ? .link(text: text.onOneLine, url: url) : .text("\(text) (\(url))".onOneLine)
        case (markdown, .string(let text), _): .markdown(text.printable)
        default: nil
        }
    }
}

extension String {
    /// An `https` address without anything that could end it early.
    fileprivate var isWebAddress: Bool {
        utf8.count > 8 && prefix(8).lowercased() == "https://"
            && unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace }
    }
}
