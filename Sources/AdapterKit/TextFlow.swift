/// A text tree as one row of scalars, each knowing what it stands in, so that any stretch of it can be made a tree again.
struct TextFlow {
    /// What a stretch of text stands in.
    enum Container {
        case paragraph, quote, strong, emphasis, strikethrough, inlineCode
        case heading(level: Int)
        case code(language: String?)
        case list(start: Int?)
        /// Counts from 0.
        case item(index: Int)
        case link(url: String)
        /// Both have one scalar that is not shown.
        case lineBreak, divider
    }

    /// Scalars in the same containers, from `start` to the start of the next run.
    struct Run {
        var start: Int
        /// From the outermost inwards, as indices of `containers`.
        var path: [Int]
    }

    private(set) var scalars: [Unicode.Scalar] = []
    /// How well a cut before each scalar would read.
    private(set) var cuts: [CutRank] = []
    private(set) var containers: [Container] = []
    private(set) var runs: [Run] = []

    var count: Int { scalars.count }

    init(_ tree: TextTree) {
        append(tree.blocks, in: [])
    }
}

// MARK: - From a tree

extension TextFlow {
    private mutating func append(_ blocks: [TextBlock], in path: [Int]) {
        for block in blocks {
            let start = count
            switch block {
            case .paragraph(let inlines):
                append(inlines, in: opening(.paragraph, in: path))
            case .heading(let level, let inlines):
                append(inlines, in: opening(.heading(level: level), in: path))
            case .list(let number, let items):
                let list = opening(.list(start: number), in: path)
                for (index, item) in items.enumerated() { append(item, in: opening(.item(index: index), in: list)) }
            case .code(let text, let language):
                append(text, in: opening(.code(language: language), in: path), as: .lines)
            case .quote(let blocks):
                append(blocks, in: opening(.quote, in: path))
            case .divider:
                append("\n", in: opening(.divider, in: path), as: .words)
            }
            if start < count { cuts[start] = .block }
        }
    }

    private mutating func append(_ inlines: [TextInline], in path: [Int], isWhole: Bool = false) {
        for inline in inlines {
            switch inline {
            case .text(let text):
                append(text, in: path, as: isWhole ? .whole : .words)
            case .strong(let inlines):
                append(inlines, in: opening(.strong, in: path), isWhole: isWhole)
            case .emphasis(let inlines):
                append(inlines, in: opening(.emphasis, in: path), isWhole: isWhole)
            case .strikethrough(let inlines):
                append(inlines, in: opening(.strikethrough, in: path), isWhole: isWhole)
            case .code(let text):
                appendWhole(isWhole) { $0.append(text, in: $0.opening(.inlineCode, in: path), as: .whole) }
            case .link(let inlines, let url):
                // Without words it shows its address.
                let words = inlines.plainText.isEmpty ? [.text(url)] : inlines
                appendWhole(isWhole) { $0.append(words, in: $0.opening(.link(url: url), in: path), isWhole: true) }
            case .lineBreak:
                append("\n", in: opening(.lineBreak, in: path), as: isWhole ? .whole : .words)
            }
        }
    }

    /// Appends what is cut before it rather than inside.
    private mutating func appendWhole(_ isInsideAnother: Bool, _ append: (inout TextFlow) -> Void) {
        let start = count
        append(&self)
        if start < count, !isInsideAnother { cuts[start] = rankAfterText(at: start) }
    }

    private mutating func append(_ text: String, in path: [Int], as style: CutStyle) {
        guard !text.isEmpty else { return }
        runs.append(Run(start: count, path: path))
        for character in text {
            var isFirst = true
            for scalar in character.unicodeScalars {
                let rank = isFirst ? style.rank(of: scalar, after: scalars.last) : .scalar
                scalars.append(scalar)
                cuts.append(rank)
                isFirst = false
            }
        }
    }

    private func rankAfterText(at start: Int) -> CutRank {
        start > 0 && scalars[start - 1].isBlank ? .word : .character
    }

    private mutating func opening(_ container: Container, in path: [Int]) -> [Int] {
        containers.append(container)
        return path + [containers.count - 1]
    }
}
