import AdapterKit

/// A rendered template as Markdown with a placeholder for each value.
///
/// A placeholder is a private code point: a letter like any other to the reader of Markdown, so that the author's markup
/// means the same whatever the values are.
struct MarkdownDraft {
    /// A part of a template with its values filled in.
    enum Segment {
        /// Written by the author, or vouched for.
        case markup(String)
        /// Anybody's words.
        case text(String)
        /// Anybody's words, and an address that is followed if it begins with `https://`.
        case link(text: String, url: String)
        /// One item per element; stands alone on its line.
        case list([[Segment]])
    }

    /// What stands where a `{{ }}` was.
    enum Value: Hashable, Sendable {
        case text(String)
        case link(text: String, url: String)

        /// Without the address.
        var words: String {
            switch self {
            case .text(let text), .link(let text, _): text
            }
        }

        /// As the address of a link, or a part of it.
        var address: String {
            switch self {
            case .text(let text): text
            case .link(_, let url): url
            }
        }
    }

    private enum Piece {
        case markup(String)
        /// An index of `values`.
        case value(Int)
    }

    /// In bytes; what is more is cut off, with `…`.
    static let maximumSize = 64 * 1024
    /// Of one value, in characters.
    private static let maximumValueLength = 4000
    private static let maximumValueCount = 4096

    private(set) var values: [Value] = []
    private var pieces: [Piece] = []
    private var size = 0
    private var isFull = false

    init(_ segments: [Segment]) {
        for (index, segment) in segments.enumerated() {
            if case .markup(let markup) = segment, index > 0, case .list = segments[index - 1] {
                endList(before: markup)
            }
            append(segment)
        }
        dropTrailingBlanks()
    }

    // MARK: - Placeholders

    private static let placeholders: ClosedRange<UInt32> = 0xF0000...0xFFFFD

    /// The index of the value that a code point stands for.
    static func value(of scalar: Unicode.Scalar) -> Int? {
        placeholders.contains(scalar.value) ? Int(scalar.value - placeholders.lowerBound) : nil
    }

    private static func placeholder(_ index: Int) -> Unicode.Scalar? {
        Unicode.Scalar(placeholders.lowerBound + UInt32(index))
    }

    /// An author's text without control characters, and without code points that would be taken for placeholders.
    static func cleaned(_ markup: String) -> String {
        let scalars = markup.printableText.unicodeScalars.filter { value(of: $0) == nil }
        return String(String.UnicodeScalarView(scalars)).clipped(toBytes: maximumSize)
    }

    // MARK: - Putting together

    private mutating func append(markup: String) {
        let markup = Self.cleaned(markup)
        guard !markup.isEmpty, !isFull else { return }
        if markup.utf8.first == UInt8(ascii: "\n") { dropTrailingBlanks() }
        dropBlanksInside(markup.utf8.first)
        let kept = markup.clipped(toBytes: Self.maximumSize - size)
        isFull = kept.utf8.count < markup.utf8.count
        size += kept.utf8.count
        pieces.append(.markup(kept))
    }

    private mutating func append(_ segment: Segment) {
        switch segment {
        case .markup(let markup): append(markup: markup)
        case .text(let text): append(value: .text(text.printableLine.clipped(to: Self.maximumValueLength)))
        case .link(let text, let url):
            let words = text.printableLine.clipped(to: Self.maximumValueLength)
            let address = WebAddress(url, schemes: ["https"])
            append(value: address.map { .link(text: words, url: $0.text) } ?? .text("\(words) (\(url.printableLine))"))
        case .list(let items): append(items: items)
        }
    }

    private mutating func append(value: Value) {
        var value = value
        if case .text(let text) = value, endsWithBlank { value = .text(String(text.drop { $0 == " " })) }
        guard !value.words.isEmpty || !value.address.isEmpty, !isFull else { return }
        let length = value.words.utf8.count + value.address.utf8.count
        guard size + length <= Self.maximumSize, values.count < Self.maximumValueCount else {
            isFull = true
            pieces.append(.markup("…"))
            return
        }
        size += length
        pieces.append(.value(values.count))
        values.append(value)
    }

    /// Each item on a line of its own, as deep as the first.
    private mutating func append(items: [[Segment]]) {
        var indentation = ""
        if case .markup(let markup)? = pieces.last {
            let line = markup.utf8.lastIndex(of: UInt8(ascii: "\n")).map { markup[markup.utf8.index(after: $0)...] }
            indentation = String((line ?? markup[...]).prefix { $0 == " " })
        }
        for (index, item) in items.enumerated() {
            append(markup: index == 0 ? "- " : "\n\(indentation)- ")
            for segment in item { append(segment) }
        }
    }

    /// A line right after a list would be read as part of its last item.
    private mutating func endList(before markup: String) {
        let line = markup.drop { $0 == " " }
        guard line.first == "\n", let next = line.dropFirst().first, next != "\n", next != "-" else { return }
        append(markup: "\n")
    }

    private var endsWithBlank: Bool {
        switch pieces.last {
        case nil: true
        case .markup(let markup): markup.utf8.last == UInt8(ascii: " ") || markup.utf8.last == UInt8(ascii: "\n")
        case .value(let index): values[index].words.utf8.last == UInt8(ascii: " ")
        }
    }

    /// Blanks at the end of a line make a line break in Markdown: only the author's do.
    private mutating func dropTrailingBlanks() {
        while case .value(let index)? = pieces.last, case .text(let text) = values[index], text.utf8.last == 0x20 {
            let kept = text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)]
            values[index] = .text(String(kept))
            if !kept.isEmpty { return }
            pieces.removeLast()
        }
    }

    /// `** x **` is not strong: a value between two marks loses the blanks at its ends.
    private mutating func dropBlanksInside(_ mark: UInt8?) {
        guard
            let mark, "*_~".utf8.contains(mark), pieces.count >= 2, case .markup(let before) = pieces[pieces.count - 2],
            before.utf8.last == mark, case .value(let index)? = pieces.last, case .text(let text) = values[index]
        else { return }
        let kept = text.drop(while: \.isWhitespace)
        values[index] = .text(
            String(kept[..<(kept.lastIndex { !$0.isWhitespace }.map(kept.index(after:)) ?? kept.startIndex)]))
    }

    // MARK: - Results

    /// What is read: placeholders in place of values.
    var source: String {
        var source = String.UnicodeScalarView()
        for piece in pieces {
            switch piece {
            case .markup(let markup): source.append(contentsOf: markup.unicodeScalars)
            case .value(let index): if let placeholder = Self.placeholder(index) { source.append(placeholder) }
            }
        }
        return String(source)
    }

    /// What is sent: values written as their places want it.
    func markdown(places: [Int: MarkdownPlace]) -> String {
        var escaping = MarkdownEscaping()
        for (position, piece) in pieces.enumerated() {
            switch piece {
            case .markup(let markup):
                escaping.append(markup: markup)
            case .value(let index):
                let following = position + 1 < pieces.count ? first(of: pieces[position + 1]) : nil
                escaping.append(values[index], at: places[index] ?? .hidden, before: following)
            }
        }
        return escaping.markdown
    }

    private func first(of piece: Piece) -> Unicode.Scalar? {
        switch piece {
        case .markup(let markup): return markup.unicodeScalars.first
        case .value(let index):
            if case .link = values[index] { return "[" }
            return values[index].words.unicodeScalars.first
        }
    }
}
