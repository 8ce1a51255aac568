/// Where in a Markdown text a value stands, as far as that changes how it is written.
enum MarkdownPlace: Hashable, Sendable {
    case text
    /// Among the words of a link, which cannot hold another one.
    case label
    case codeSpan
    case codeBlock
    /// The beginning of a link's address: the whole of it, or a base.
    case address
    /// A later part of a link's address.
    case addressPart
    case html
    /// Nowhere in the tree: a link's title, a code block's language.
    case hidden
}

extension MarkdownPlace {
    /// A value as code shows it. There is no escaping in code: what could end it becomes an apostrophe.
    func code(_ words: String) -> String {
        let ends = Array("`~ ".utf8)
        switch self {
        case .codeSpan: return String(words.map { $0 == "`" ? "'" : $0 })
        // Only a line of nothing but fence ends a block.
        case _ where words.utf8.allSatisfy(ends.contains): return String(words.map { $0 == " " ? " " : "'" })
        default: return words
        }
    }

    /// A value as an address, or as a part of one; empty where it cannot be one.
    func address(_ value: MarkdownDraft.Value) -> String {
        self == .address
            ? WebAddress(value.address, schemes: ["https", "http"])?.text ?? ""
            : WebAddress.encodedPart(value.address)
    }
}
