/// How well a text reads when it is cut in a place; worst first.
enum CutRank: Int, Comparable {
    /// Inside a character that a reader sees as one.
    case scalar
    /// Inside a link or inline code.
    case characterOfWhole, wordOfWhole
    case character, word, line, block

    static func < (a: CutRank, b: CutRank) -> Bool { a.rawValue < b.rawValue }
}

/// How a stretch of text may be cut.
enum CutStyle {
    /// Running text: at blanks, which are left out there.
    case words
    /// A block of code: between lines, else behind blanks.
    case lines
    /// A link, inline code: rather not.
    case whole

    func rank(of scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> CutRank {
        switch self {
        case .words:
            scalar == "\n" ? .line : scalar.isBlank || previous?.isBlank == true ? .word : .character
        case .lines:
            scalar == "\n" ? .line : previous?.isBlank == true ? .word : .character
        case .whole:
            previous?.isBlank == true ? .wordOfWhole : .characterOfWhole
        }
    }
}

extension Unicode.Scalar {
    /// White space at which a line may end.
    var isBlank: Bool {
        switch value {
        case 0x20, 0x09, 0x0A, 0x0D: true
        case 0xA0, 0x2007, 0x202F: false
        default: value > 0x7F && properties.isWhitespace
        }
    }
}

extension TextFlow {
    /// The farthest end of a stretch that fits, or one not far before it; `start` where not even one scalar does.
    func longest(from start: Int, fits: (TextTree) -> Bool) -> Int {
        var good = start
        var bad = start + 1
        // In steps that double, so that no tree is made that is much longer than a part.
        while bad <= count, fits(tree(start..<bad)) {
            good = bad
            if good == count { return good }
            bad = min(count, start + (good - start) * 2)
        }
        // Since it is cut at a word before that, nobody sees a hundredth.
        while bad - good > max(1, (good - start) / 100) {
            let middle = good + (bad - good) / 2
            if fits(tree(start..<middle)) { good = middle } else { bad = middle }
        }
        return good
    }

    /// Where a part ends best that may end at `most` at the latest.
    ///
    /// A better place in the first half is passed over for a worse one in the second: parts are few.
    func bestCut(from start: Int, to most: Int) -> Int {
        guard most < count else { return most }
        let half = start + (most - start + 1) / 2
        for rank in [CutRank.block, .line, .word] {
            if let cut = lastCut(of: rank, from: half, to: most) { return cut }
        }
        for rank in [CutRank.word, .character, .wordOfWhole, .characterOfWhole] {
            if let cut = lastCut(of: rank, from: start + 1, to: most) { return cut }
        }
        return most
    }

    private func lastCut(of rank: CutRank, from first: Int, to last: Int) -> Int? {
        guard first <= last else { return nil }
        return cuts[first...last].lastIndex { $0 >= rank }
    }

    /// The next place that is no blank or line end at a cut. Blanks that begin a line of code belong to it.
    func skippingGaps(from start: Int) -> Int {
        var place = start
        var run = indexOfRun(at: start)
        while place < count {
            if run + 1 < runs.count, runs[run + 1].start <= place { run += 1 }
            guard isCode(runs[run]) ? scalars[place] == "\n" : scalars[place].isBlank else { break }
            place += 1
        }
        return place
    }

    /// The end of a stretch without the blanks and line ends before it.
    func trimmingGaps(from start: Int, to end: Int) -> Int {
        scalars[start..<end].lastIndex { !$0.isBlank }.map { $0 + 1 } ?? start
    }

    private func isCode(_ run: Run) -> Bool {
        switch run.path.last.map({ containers[$0] }) {
        case .code, .inlineCode: true
        default: false
        }
    }

    func byteCount(from start: Int) -> Int {
        scalars[min(start, count)...].reduce(0) { $0 + UTF8.width($1) }
    }

    /// What is left from `start` on with its first block as plain text; nil where that is plain already.
    func withoutFormattingOfFirstBlock(from start: Int) -> TextTree? {
        var rest = tree(start..<count)
        guard let first = rest.blocks.first, !first.isPlain else { return nil }
        let lines = TextTree([first]).plainText.split(separator: "\n", omittingEmptySubsequences: false)
        let inlines = lines.map { [TextInline.text(String($0))] }.joined(separator: [.lineBreak])
        rest.blocks[0] = .paragraph(Array(inlines))
        return rest
    }
}

extension TextBlock {
    fileprivate var isPlain: Bool {
        guard case .paragraph(let inlines) = self else { return false }
        return inlines.allSatisfy { inline in
            switch inline {
            case .text, .lineBreak: true
            default: false
            }
        }
    }
}
