/// Fits a message into the few lines that a channel is to be given at once.
struct LineLayout {
    static let mostLines = 4

    /// Bytes for the text of one line, with its marks.
    var limit: Int
    /// Where all of it can be read.
    var url: String?
    /// Stands before everything.
    var prefix = ""
    /// Stands behind everything.
    var suffix = ""

    /// The lines as they are, where they fit; else those too long broken in two; else all of them one behind the other;
    /// else the beginning, and how much is missing: `… +2.1 kB: https://…`.
    ///
    /// - Complexity: O(bytes).
    func lines(_ message: MessageLines) -> [[Span]] {
        let most = limit * Self.mostLines
        var all = message.lines
        guard !all.isEmpty else { return [] }
        if !prefix.isEmpty { all[0].spans.insert(Span(prefix), at: 0) }
        if !suffix.isEmpty { all[all.count - 1].spans.append(Span(suffix)) }
        if all.count <= Self.mostLines {
            let broken = all.map { pieces(TextUnits([$0.spans], most: most)) }
            let count = broken.reduce(0) { $0 + ($1?.count ?? Self.mostLines + 1) }
            if count <= Self.mostLines { return broken.flatMap { $0 ?? [] } }
        }
        return joined(all, withoutCode: url != nil && all.contains { !$0.isCode })
    }

    private func joined(_ all: [MessageLines.Line], withoutCode: Bool) -> [[Span]] {
        let shown = withoutCode ? all.filter { !$0.isCode } : all
        let left = withoutCode ? all.filter(\.isCode).reduce(0) { $0 + $1.byteCount } : 0
        let total = shown.reduce(0) { $0 + $1.byteCount }
        let units = TextUnits(shown.map(\.spans), most: limit * Self.mostLines)
        if left == 0, let lines = pieces(units) { return lines }

        // What the longest ending needs; it is written when it is known how much is left out.
        let room = max(limit / 2, limit - ending(omitted: 999_949).utf8.count - 1)
        var lines: [[Span]] = []
        var start = units.start
        while start < units.count, lines.count < Self.mostLines {
            let end = units.end(from: start, limit: lines.count == Self.mostLines - 1 ? room : limit)
            lines.append(units.line(start..<end))
            start = units.skippingGaps(from: end)
        }
        let omitted = left + max(0, total - units.byteCount(to: start))
        guard omitted > 0, let last = lines.last else { return lines }
        let ending = ending(omitted: omitted)
        if last.formatted.utf8.count + 1 + ending.utf8.count <= limit {
            lines[lines.count - 1].append(Span(" " + ending))
        } else {
            lines.append([Span(ending)])
        }
        return lines
    }

    /// The text in lines; nil where there would be too many.
    private func pieces(_ units: TextUnits) -> [[Span]]? {
        guard units.isWhole else { return nil }
        var lines: [[Span]] = []
        var start = units.start
        while start < units.count {
            guard lines.count < Self.mostLines else { return nil }
            let end = units.end(from: start, limit: limit)
            lines.append(units.line(start..<end))
            start = units.skippingGaps(from: end)
        }
        return lines
    }

    private func ending(omitted: Int) -> String {
        let words = "… +\(Self.amount(omitted))"
        guard let url else { return words + suffix }
        let whole = "\(words): \(url)\(suffix)"
        return whole.utf8.count < limit / 2 ? whole : words + suffix
    }

    /// `812 B`, `2.1 kB`, `1.2 MB`.
    private static func amount(_ count: Int) -> String {
        if count < 1000 { return "\(count) B" }
        let (unit, name) = count < 999_950 ? (1000, "kB") : (1_000_000, "MB")
        let tenths = count / (unit / 10)
        return "\(tenths / 10).\(tenths % 10) \(name)"
    }
}
