/// A text cut to what the other side takes at once.
public struct TextParts: Hashable, Sendable {
    /// Each within the limit and with something to read in it.
    public var parts: [TextTree]
    /// UTF-8 bytes of the text that the parts have no room for.
    public var omittedBytes: Int

    public init(parts: [TextTree], omittedBytes: Int = 0) {
        self.parts = parts
        self.omittedBytes = omittedBytes
    }
}

extension TextTree {
    /// Cuts the text into parts of at most `limit`: between blocks, else lines, else words, else characters as a reader
    /// sees them, and inside one of those only where it alone is too long.
    ///
    /// Links and inline code are cut only where they alone are too long. What is open at a cut is closed and opened again:
    /// lists go on with their numbers. Blanks, line ends and dividers at a cut are left out; nothing else is, as long
    /// as `omittedBytes` is zero. What fits nowhere with its formatting, an address longer than the limit for example, loses
    /// the formatting.
    ///
    /// - Parameters:
    ///   - count: How many parts there may be.
    ///   - size: What a text needs, in the unit of `limit`; never less for more text.
    /// - Complexity: O(n) beside, for each part, O(log n) calls of `size` for texts at most twice as long as the part.
    public func parts(atMost count: Int, of limit: Int, size: (TextTree) -> Int) -> TextParts {
        if count > 0, size(self) <= limit { return TextParts(parts: blocks.isEmpty ? [] : [self]) }
        var result = TextParts(parts: [])
        var flow = TextFlow(self)
        var start = flow.skippingGaps(from: 0)
        while start < flow.count, result.parts.count < count {
            let most = flow.longest(from: start) { size($0) <= limit }
            if most == start {
                guard let simpler = flow.withoutFormattingOfFirstBlock(from: start) else { break }
                flow = TextFlow(simpler)
                start = flow.skippingGaps(from: 0)
                continue
            }
            var end = flow.bestCut(from: start, to: most)
            // Escapes may make less text longer; that is rare, so the distance may shrink in large steps.
            while end > start, size(flow.tree(start..<end)) > limit { end = start + (end - start) / 2 }
            guard end > start else { break }
            let part = start..<flow.trimmingGaps(from: start, to: end)
            if !part.isEmpty { result.parts.append(flow.tree(part)) }
            start = flow.skippingGaps(from: end)
        }
        result.omittedBytes = flow.byteCount(from: start)
        return result
    }
}
