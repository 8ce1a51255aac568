import CRE2

// Offsets here count bytes of the UTF-8. A match of valid UTF-8 in valid UTF-8 starts and ends at code points.
extension String {
    /// Where `part` first occurs at or after `start`.
    ///
    /// - Complexity: linear in the length of both.
    func utf8Offset(of part: String, from start: Int = 0) -> Int? {
        withUTF8Bytes { whole in
            part.withUTF8Bytes { part -> Int? in
                guard start <= whole.count else { return nil }
                guard let wholeStart = whole.baseAddress, let partStart = part.baseAddress, part.count > 0 else {
                    return part.count == 0 ? start : nil
                }
                let found = zb_find(wholeStart + start, whole.count - start, partStart, part.count)
                return found.map { $0 - wholeStart }
            }
        }
    }

    func hasUTF8Prefix(_ part: String) -> Bool {
        utf8.starts(with: part.utf8)
    }

    func hasUTF8Suffix(_ part: String) -> Bool {
        utf8.count >= part.utf8.count && utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
    }

    /// The text between two byte offsets, which must lie at code points.
    func utf8Slice(_ range: Range<Int>) -> String {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return String(self[start..<utf8.index(start, offsetBy: range.count)])
    }
}
