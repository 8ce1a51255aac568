// Positions in CEL count code points; UTF-8 offsets count bytes. A code point begins at each byte that does not continue
// one.
extension String {
    var codePointCount: Int64 { Int64(unicodeScalars.count) }

    /// The UTF-8 offset of a position from 0 up to and including the number of code points.
    ///
    /// - Complexity: linear.
    func utf8Offset(ofPosition position: Int64) throws(EvaluationError) -> Int {
        var remaining = position
        if remaining >= 0 {
            for (offset, byte) in utf8.enumerated() where byte & 0xc0 != 0x80 {
                if remaining == 0 { return offset }
                remaining -= 1
            }
            if remaining == 0 { return utf8.count }
        }
        throw EvaluationError(
            .indexOutOfRange, "position \(position) is outside a text of \(codePointCount) code points")
    }

    /// The inverse of `utf8Offset(ofPosition:)`.
    func position(ofUTF8Offset offset: Int) -> Int64 {
        utf8.prefix(offset).reduce(0) { $1 & 0xc0 != 0x80 ? $0 + 1 : $0 }
    }

    /// Where `part` occurs last at or before the offset `limit`.
    ///
    /// - Complexity: linear in the length of both: Knuth, Morris and Pratt, since matches may overlap.
    func lastUTF8Offset(of part: String, notAfter limit: Int) -> Int? {
        let pattern = Array(part.utf8)
        if pattern.isEmpty { return limit }
        let borders = borders(of: pattern)
        var matched = 0
        var last: Int?
        for (offset, byte) in utf8.prefix(limit + pattern.count).enumerated() {
            while matched > 0, matched == pattern.count || pattern[matched] != byte { matched = borders[matched - 1] }
            if pattern[matched] == byte { matched += 1 }
            if matched == pattern.count { last = offset + 1 - pattern.count }
        }
        return last
    }

    /// For each prefix of the pattern the length of its longest proper prefix that is also its suffix.
    private func borders(of pattern: [UInt8]) -> [Int] {
        var borders = [0]
        var matched = 0
        for byte in pattern.dropFirst() {
            while matched > 0, pattern[matched] != byte { matched = borders[matched - 1] }
            if pattern[matched] == byte { matched += 1 }
            borders.append(matched)
        }
        return borders
    }
}
