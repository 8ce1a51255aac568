/// Taking texts apart and putting them together. Where a limit is negative there is none.
enum TextParts {
    /// At most `limit` parts: those between separators, the last with all that is left. An empty separator stands between
    /// any two code points.
    @Sendable static func split(
        _ text: String, _ separator: String, _ limit: Int64
    ) throws(EvaluationError) -> [String] {
        if limit == 0 || separator.isEmpty && text.isEmpty { return [] }
        var parts: [String] = []
        try forEachPiece(of: text, between: separator, cuts: limit < 0 ? -1 : limit - 1) {
            part throws(EvaluationError) in
            guard parts.count < Value.largestList else { throw .listTooLong }
            parts.append(part)
        }
        return parts
    }

    @Sendable static func join(_ texts: [String], _ separator: String) throws(EvaluationError) -> String {
        var joined = BoundedText()
        for (position, text) in texts.enumerated() {
            if position > 0 { try joined.append(separator) }
            try joined.append(text)
        }
        return joined.text
    }

    /// The text with `new` for the first `limit` occurrences of `old`. An empty `old` occurs before each code point and at
    /// the end.
    static func replace(
        _ text: String, _ old: String, _ new: String, _ limit: Int64
    ) throws(EvaluationError) -> String {
        if limit == 0 { return text }
        var replaced = BoundedText()
        var isFirst = true
        if old.isEmpty {
            // The occurrence in front of everything; those that follow stand between pieces.
            try replaced.append(new)
            if text.isEmpty { return replaced.text }
        }
        let cuts = old.isEmpty && limit > 0 ? limit - 1 : limit
        try forEachPiece(of: text, between: old, cuts: cuts) { piece throws(EvaluationError) in
            if !isFirst { try replaced.append(new) }
            isFirst = false
            try replaced.append(piece)
        }
        if old.isEmpty, limit < 0 || limit > text.codePointCount { try replaced.append(new) }
        return replaced.text
    }

    /// Calls `body` with the pieces between the first `cuts` occurrences of `separator`; an empty one occurs between any
    /// two code points.
    ///
    /// - Complexity: linear.
    private static func forEachPiece(
        of text: String, between separator: String, cuts: Int64, _ body: (String) throws(EvaluationError) -> Void
    ) throws(EvaluationError) {
        var start = 0
        var made: Int64 = 0
        while made != cuts, let cut = nextCut(in: text, at: separator, from: start) {
            try body(text.utf8Slice(start..<cut))
            start = cut + separator.utf8.count
            made += 1
        }
        try body(text.utf8Slice(start..<text.utf8.count))
    }

    private static func nextCut(in text: String, at separator: String, from start: Int) -> Int? {
        if !separator.isEmpty { return text.utf8Offset(of: separator, from: start) }
        let scalars = text.unicodeScalars
        let index = text.utf8.index(text.startIndex, offsetBy: start)
        guard index < text.endIndex else { return nil }
        let next = scalars.index(after: index)
        return next < text.endIndex ? text.utf8.distance(from: text.startIndex, to: next) : nil
    }
}
