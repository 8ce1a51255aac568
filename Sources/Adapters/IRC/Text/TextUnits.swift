/// Text in the smallest pieces that stay whole: characters as a reader sees them.
struct TextUnits {
    struct Unit: Hashable {
        var text: String
        var style: Style
        /// Between two lines that share one; left out at a cut.
        var isSeparator = false

        var isGap: Bool { isSeparator || text == " " }
    }

    /// A character with an endless tail of marks is cut too.
    private static let longestCharacter = 64

    private static let deepestIndent = 16

    private(set) var units: [Unit] = []
    /// Nothing was left out.
    private(set) var isWhole = false

    /// - Parameter most: Bytes of text that are of interest; what comes behind is not looked at.
    init(_ lines: [[Span]], most: Int) {
        var bytes = 0
        for (index, line) in lines.enumerated() {
            if index > 0 { units.append(Unit(text: " | ", style: [], isSeparator: true)) }
            for span in line {
                for character in span.text {
                    guard bytes <= most else { return }
                    let text = String(character)
                    bytes += text.utf8.count
                    if text.utf8.count <= Self.longestCharacter {
                        units.append(Unit(text: text, style: span.style))
                    } else {
                        units += text.unicodeScalars.map { Unit(text: String($0), style: span.style) }
                    }
                }
            }
        }
        isWhole = true
    }

    var count: Int { units.count }

    /// Where the first line begins: blanks before it are an indent, up to a point.
    var start: Int {
        let first = skippingGaps(from: 0)
        return first <= Self.deepestIndent ? 0 : first
    }

    /// The first piece at or behind `start` that is no gap.
    func skippingGaps(from start: Int) -> Int {
        units[start...].firstIndex { !$0.isGap } ?? count
    }

    /// Where a line that begins at `start` ends, to have at most `limit` bytes with its marks: between words where that is
    /// possible.
    func end(from start: Int, limit: Int) -> Int {
        var bytes = 0
        var style = Style()
        var hasWord = false
        var lastGap: Int?
        for index in start..<count {
            let unit = units[index]
            // Two bytes more: see `formatted` about commas.
            bytes += unit.text.utf8.count + (unit.style == style ? 0 : style.change(to: unit.style).utf8.count + 2)
            style = unit.style
            if hasWord, unit.isGap { lastGap = index }
            hasWord = hasWord || !unit.isGap
            guard bytes > limit else { continue }
            if let lastGap, fits(wordFrom: lastGap + 1, limit) { return lastGap }
            return max(index, start + 1)
        }
        return count
    }

    /// Whether a word has room in a line of its own, so that it need not be cut.
    private func fits(wordFrom start: Int, _ limit: Int) -> Bool {
        var bytes = 0
        for unit in units[start...] {
            if unit.isGap { break }
            bytes += unit.text.utf8.count
            if bytes > limit { return false }
        }
        return true
    }

    /// The pieces as a line, without gaps at its end.
    func line(_ range: Range<Int>) -> [Span] {
        var spans: [Span] = []
        for unit in units[range].reversed().drop(while: \.isGap).reversed() {
            if let last = spans.last, last.style == unit.style {
                spans[spans.count - 1].text += unit.text
            } else {
                spans.append(Span(unit.text, unit.style))
            }
        }
        return spans
    }

    func byteCount(to end: Int) -> Int {
        units[..<end].reduce(0) { $0 + ($1.isSeparator ? 0 : $1.text.utf8.count) }
    }
}
