extension String {
    /// The text without what could steer a terminal, a protocol or the direction of writing: C0 and C1 controls, and the
    /// bidi overrides U+202A-202E and U+2066-2069. A run of line ends becomes one blank; a tab becomes a blank.
    ///
    /// - Complexity: O(length).
    public var printableLine: String {
        var scalars = UnicodeScalarView()
        var isAfterLineEnd = false
        for scalar in unicodeScalars {
            let isLineEnd = scalar.isLineEnd
            defer { isAfterLineEnd = isLineEnd }
            if isLineEnd || scalar == "\t" {
                if !(isLineEnd && isAfterLineEnd) { scalars.append(" ") }
            } else if !scalar.isControlling {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Like `printableLine`, with its line ends kept as newlines.
    public var printableText: String {
        var scalars = UnicodeScalarView()
        var isAfterReturn = false
        for scalar in unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            if scalar == "\n", isAfterReturn { continue }
            if scalar.isLineEnd {
                scalars.append("\n")
            } else if scalar == "\t" {
                scalars.append(" ")
            } else if !scalar.isControlling {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// The first `count` characters as a reader sees them, with `…` in place of the rest.
    ///
    /// A character with an endless tail of marks is cut too: there are at most 32 bytes for each of `count`.
    public func clipped(to count: Int) -> String {
        // Cheap before exact: no more bytes than characters allowed means that it fits.
        if utf8.count <= count { return self }
        let kept = prefix(count)
        let clipped = kept.endIndex == endIndex ? self : kept + "…"
        return clipped.clipped(toBytes: count * 32)
    }

    /// At most this many bytes of UTF-8, ending between two code points, with `…` in place of the rest.
    public func clipped(toBytes count: Int) -> String {
        guard utf8.count > count else { return self }
        var end = utf8.index(startIndex, offsetBy: max(0, count - "…".utf8.count))
        while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
        return self[..<end] + "…"
    }
}

extension Unicode.Scalar {
    fileprivate var isLineEnd: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    fileprivate var isControlling: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
