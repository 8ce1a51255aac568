import CEL

/// Puts a message together line by line, because a line without content disappears and a list may become items.
struct TemplateRenderer {
    private enum Piece {
        case markup(String)
        case value(Value)
    }

    private static let mostItems = 20
    private static let mostJoined = 200

    private var line: [Piece] = []
    private var lines: [[RenderedText.Segment]] = []
    private var errors: [String] = []

    mutating func append(_ markup: String) {
        let pieces = markup.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
            if index > 0 { endLine() }
            if !piece.isEmpty { line.append(.markup(String(piece))) }
        }
    }

    mutating func append(_ value: Value, of program: Program) {
        if case .error(let error) = value { errors.append("{{ \(program.source) }}: \(error.message)") }
        line.append(.value(value))
    }

    mutating func finish() -> RenderedText {
        endLine()
        let isBlank = { (segments: [RenderedText.Segment]) in segments.allSatisfy(\.isBlank) }
        let text = lines.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        var segments = Array(text.joined(separator: [.markup("\n")]))
        segments.trim()
        return RenderedText(segments.merged, errors: errors)
    }

    private mutating func endLine() {
        defer { line = [] }
        let values = line.compactMap { if case .value(let value) = $0 { value } else { nil } }
        let markup = line.compactMap { if case .markup(let markup) = $0 { markup } else { nil } }.joined()
        if values.count == 1, values[0].printsNothing, !markup.contains(where: { $0.isLetter || $0.isNumber }) {
            return
        }
        if values.count == 1, markup.allSatisfy(\.isWhitespace), let elements = values[0].elements {
            lines.append([.items(items(elements))])
            return
        }
        lines.append(
            line.flatMap { piece -> [RenderedText.Segment] in
                switch piece {
                case .markup(let markup): [.markup(markup)]
                case .value(let value): inline(value).map { .inline($0) }
                }
            })
    }

    private func items(_ elements: [Value]) -> [[RenderedText.Inline]] {
        var items = elements.prefix(Self.mostItems).map(inline)
        if elements.count > Self.mostItems { items.append([.text("… and \(elements.count - Self.mostItems) more")]) }
        return items
    }

    private func inline(_ value: Value) -> [RenderedText.Inline] {
        guard let elements = value.elements else { return [value.inline] }
        var joined = Array(elements.prefix(Self.mostJoined).map { [$0.inline] }.joined(separator: [.text(", ")]))
        if elements.count > Self.mostJoined { joined.append(.text(" … and \(elements.count - Self.mostJoined) more")) }
        return joined
    }
}

extension Value {
    /// The elements where a list is wanted. A list inside a list prints as text.
    fileprivate var elements: [Value]? {
        switch self {
        case .list(let elements): elements
        case .optional(let optional): optional.wrapped?.elements
        default: nil
        }
    }

    /// An empty text or list.
    fileprivate var printsNothing: Bool {
        switch self {
        case .string(let text): text.allSatisfy(\.isWhitespace)
        case .list(let elements): elements.isEmpty
        default: false
        }
    }

    fileprivate var inline: RenderedText.Inline {
        switch self {
        case .error: .text("(?)")
        case .object(let object): RichText.inline(object) ?? .text(printed.onOneLine)
        case .optional(let optional): optional.wrapped?.inline ?? .text("-")
        default: .text(printed.onOneLine)
        }
    }
}

extension RenderedText.Segment {
    fileprivate var isBlank: Bool {
        switch self {
        case .markup(let text), .inline(.text(let text)), .inline(.markdown(let text)): text.allSatisfy(\.isWhitespace)
        case .inline(.link), .items: false
        }
    }
}

extension [RenderedText.Segment] {
    /// Takes white space off both ends.
    fileprivate mutating func trim() {
        while let first, first.isBlank { removeFirst() }
        while let last, last.isBlank { removeLast() }
        guard !isEmpty else { return }
        switch self[0] {
        case .markup(let text): self[0] = .markup(String(text.drop(while: \.isWhitespace)))
        case .inline(.text(let text)): self[0] = .inline(.text(String(text.drop(while: \.isWhitespace))))
        default: break
        }
        switch self[count - 1] {
        case .markup(let text): self[count - 1] = .markup(text.droppingTrailingWhitespace)
        case .inline(.text(let text)): self[count - 1] = .inline(.text(text.droppingTrailingWhitespace))
        default: break
        }
    }

    /// The same with neighbouring markup in one piece.
    fileprivate var merged: [RenderedText.Segment] {
        var merged: [RenderedText.Segment] = []
        for segment in self {
            if case .markup(let text) = segment, case .markup(let before) = merged.last {
                merged[merged.count - 1] = .markup(before + text)
            } else if case .markup("") = segment {
                continue
            } else {
                merged.append(segment)
            }
        }
        return merged
    }
}
