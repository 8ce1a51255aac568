extension TextFlow {
    /// A stretch as a tree, with everything opened that it stands in.
    ///
    /// - Complexity: O(stretch × depth + log runs).
    func tree(_ stretch: Range<Int>) -> TextTree {
        guard !stretch.isEmpty else { return TextTree([]) }
        return TextTree(blocks(pieces(stretch)[...], depth: 0))
    }

    /// The run that a scalar is in.
    func indexOfRun(at place: Int) -> Int {
        var (low, high) = (0, runs.count)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if runs[middle].start <= place { low = middle } else { high = middle }
        }
        return low
    }

    /// A run, or the part of it that is in the stretch.
    private struct Piece {
        var scalars: ArraySlice<Unicode.Scalar>
        var path: [Int]

        /// What stands at this depth; nil for text that stands there itself.
        func container(_ depth: Int) -> Int? {
            depth < path.count ? path[depth] : nil
        }
    }

    private func pieces(_ stretch: Range<Int>) -> [Piece] {
        var pieces: [Piece] = []
        for index in indexOfRun(at: stretch.lowerBound)..<runs.count {
            let run = runs[index]
            guard run.start < stretch.upperBound else { break }
            let end = index + 1 < runs.count ? runs[index + 1].start : count
            pieces.append(Piece(scalars: scalars[(run.start..<end).clamped(to: stretch)], path: run.path))
        }
        return pieces
    }

    private func blocks(_ pieces: ArraySlice<Piece>, depth: Int) -> [TextBlock] {
        groups(pieces, depth: depth).compactMap { id, group in
            guard let id else { return nil }
            switch containers[id] {
            case .paragraph: return .paragraph(inlines(group, depth: depth + 1))
            case .heading(let level): return .heading(level: level, inlines(group, depth: depth + 1))
            case .code(let language): return .code(text(group), language: language)
            case .quote: return .quote(blocks(group, depth: depth + 1))
            case .divider: return .divider
            case .list(let start): return list(group, depth: depth + 1, start: start)
            default: return nil
            }
        }
    }

    private func list(_ pieces: ArraySlice<Piece>, depth: Int, start: Int?) -> TextBlock {
        let items = groups(pieces, depth: depth)
        var number = start
        if let start, let id = items.first?.id, case .item(let index) = containers[id] {
            // A list may start at the largest number there is.
            number = start.addingReportingOverflow(index).partialValue
        }
        return .list(start: number, items: items.map { blocks($0.pieces, depth: depth + 1) })
    }

    private func inlines(_ pieces: ArraySlice<Piece>, depth: Int) -> [TextInline] {
        groups(pieces, depth: depth).map { id, group in
            guard let id else { return .text(text(group)) }
            switch containers[id] {
            case .strong: return .strong(inlines(group, depth: depth + 1))
            case .emphasis: return .emphasis(inlines(group, depth: depth + 1))
            case .strikethrough: return .strikethrough(inlines(group, depth: depth + 1))
            case .inlineCode: return .code(text(group))
            case .link(let url): return .link(inlines(group, depth: depth + 1), url: url)
            case .lineBreak: return .lineBreak
            default: return .text(text(group))
            }
        }
    }

    /// Neighbours that stand in the same container at this depth.
    private func groups(_ pieces: ArraySlice<Piece>, depth: Int) -> [(id: Int?, pieces: ArraySlice<Piece>)] {
        var groups: [(id: Int?, pieces: ArraySlice<Piece>)] = []
        var rest = pieces
        while let first = rest.first {
            let id = first.container(depth)
            let group = rest.prefix { $0.container(depth) == id }
            groups.append((id, group))
            rest = rest[group.endIndex...]
        }
        return groups
    }

    private func text(_ pieces: ArraySlice<Piece>) -> String {
        var text = String.UnicodeScalarView()
        for piece in pieces { text.append(contentsOf: piece.scalars) }
        return String(text)
    }
}
