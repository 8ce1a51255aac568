import CEL

extension ExpressionCompiler {
    private enum Piece {
        case markup(String)
        /// Between the braces.
        case expression(Range<Int>)
    }

    /// More would be no message, and each takes time to compile.
    private static let mostPieces = 400

    /// Text with `{{ }}` in it.
    func template(_ entry: YAMLEntry) -> Template? {
        guard let text = report.text(entry), let scalar = report.scalar(entry, "text") else { return nil }
        let bytes = Array(text.utf8)
        let map = ScalarMap(scalar, at: entry.value.range, in: report.source.bytes)
        guard let pieces = pieces(of: bytes, map, entry) else { return nil }
        var parts: [Template.Part] = []
        var isComplete = true
        for piece in pieces {
            switch piece {
            case .markup(let markup): parts.append(.markup(markup))
            case .expression(let range):
                if let program = expression(range, of: bytes, map, entry, accepts: nil, "") {
                    parts.append(.expression(program))
                } else {
                    isComplete = false
                }
            }
        }
        return isComplete ? Template(parts: parts) : nil
    }

    /// A value that may be computed: one whole `{{ }}`, which keeps its type.
    ///
    /// - Returns: `.some(nil)` when it is wrong, nil when it is no template and has to be read as it is.
    func wholeExpression(_ entry: YAMLEntry, accepts: [Type], _ what: String) -> Program?? {
        guard case .scalar(let scalar) = entry.value.content, scalar.text.contains("{{") else { return nil }
        let bytes = Array(scalar.text.utf8)
        let map = ScalarMap(scalar, at: entry.value.range, in: report.source.bytes)
        guard let pieces = pieces(of: bytes, map, entry) else { return .some(nil) }
        let filled = pieces.filter { piece in
            if case .markup(let markup) = piece { !markup.allSatisfy(\.isWhitespace) } else { true }
        }
        guard filled.count == 1, case .expression(let range) = filled[0] else {
            report.error("'\(entry.key)' takes \(what), or one '{{ … }}' that is one", at: entry.value.range.prefix(1))
            return .some(nil)
        }
        return .some(expression(range, of: bytes, map, entry, accepts: accepts, what))
    }

    private func expression(
        _ range: Range<Int>, of bytes: [UInt8], _ map: ScalarMap, _ entry: YAMLEntry, accepts: [Type]?, _ what: String
    ) -> Program? {
        let text = String(decoding: bytes[range], as: UTF8.self)
        guard !text.allSatisfy(\.isWhitespace) else {
            report.error(
                "'\(entry.key)': there is nothing in these braces",
                at: map[(range.lowerBound - 2)..<(range.upperBound + 2)])
            return nil
        }
        let source = Source(text: text) { part in
            map[(part.lowerBound + range.lowerBound)..<(part.upperBound + range.lowerBound)]
        }
        return compile(source, field: entry.key, at: entry.value.range, accepts: accepts, what)
    }

    private func pieces(of bytes: [UInt8], _ map: ScalarMap, _ entry: YAMLEntry) -> [Piece]? {
        let text = CELText(bytes)
        let brace = UInt8(ascii: "{")
        var pieces: [Piece] = []
        var start = 0
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == brace, bytes[index + 1] == brace else {
                index += 1
                continue
            }
            guard let end = text.endOfExpression(from: index + 2) else {
                report.error(
                    #"'\#(entry.key)': this '{{' is never closed; '{{ "{{" }}' prints braces"#,
                    at: map[index..<(index + 2)])
                return nil
            }
            guard pieces.count < Self.mostPieces else {
                report.error(
                    "'\(entry.key)' has too many '{{ }}': a text takes \(Self.mostPieces / 2)", at: map[index..<end])
                return nil
            }
            if start < index { pieces.append(.markup(String(decoding: bytes[start..<index], as: UTF8.self))) }
            pieces.append(.expression((index + 2)..<end))
            index = end + 2
            start = index
        }
        if start < bytes.count { pieces.append(.markup(String(decoding: bytes[start...], as: UTF8.self))) }
        return pieces
    }
}
