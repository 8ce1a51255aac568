extension String {
    /// How often a text stands in this one in lines of its own. White space at its ends, which a server may cut, does not
    /// count.
    ///
    /// - Complexity: O(length of both).
    func count(ofLines text: String) -> Int {
        let wanted = Self.lines(of: text)
        guard !wanted.isEmpty else { return 0 }
        let borders = Self.borders(of: wanted)
        var (count, matched) = (0, 0)
        for line in Self.lines(of: self) {
            while matched > 0, matched == wanted.count || wanted[matched] != line { matched = borders[matched - 1] }
            if wanted[matched] == line { matched += 1 }
            guard matched == wanted.count else { continue }
            count += 1
            matched = 0
        }
        return count
    }

    /// Compared byte by byte.
    private static func lines(of text: String) -> [[UInt8]] {
        let trimmed = text.drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }.map(trimmed.index(after:)) ?? trimmed.startIndex
        return trimmed[..<end].utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }.filter { text in !text.isEmpty }
    }

    /// For each beginning of a list the length of its longest proper end that is a beginning, too (Knuth, Morris, Pratt).
    private static func borders(of lines: [[UInt8]]) -> [Int] {
        var borders = [0]
        for line in lines.dropFirst() {
            var length = borders[borders.count - 1]
            while length > 0, lines[length] != line { length = borders[length - 1] }
            borders.append(lines[length] == line ? length + 1 : 0)
        }
        return borders
    }
}
