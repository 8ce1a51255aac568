import AdapterKit
import CEL
import Rules

extension RuleDiagnostic {
    /// The diagnostic as compilers print it, its severity and caret in colour.
    func text(_ palette: Palette) -> String {
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = "\(position): "
        let word = "\(severity.rawValue):"
        let head = lines[0].dropFirst(place.count + word.count)
        let paint = severity == .error ? palette.error : palette.warning
        let rest = lines.dropFirst().enumerated().map { $0 == 1 ? palette.good($1) : $1 }
        return ([place.printableLine + paint(word) + String(head).printableLine] + rest.map(\.printableText))
            .joined(separator: "\n") + "\n"
    }
}

extension RuleDiagnostic {
    /// An issue of an expression that stands on the command line, not in a file.
    init(_ issue: CompilationIssue, in source: String) {
        let bytes = Array(source.utf8)
        let start = min(max(0, issue.range.lowerBound), bytes.count)
        let lineStart = bytes[..<start].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let lineEnd = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        let end = min(max(start, issue.range.upperBound), lineEnd)
        func count(_ range: Range<Int>) -> Int { String(decoding: bytes[range], as: UTF8.self).unicodeScalars.count }
        let caret = count(lineStart..<start)
        let length = max(1, count(start..<end))
        let lineNumber = bytes[..<start].count { $0 == 0x0A } + 1
        self.init(
            issue.severity == .error ? .error : .warning, issue.message,
            at: SourcePosition(file: "expression", line: lineNumber, column: caret + 1), length: length,
            excerpt: Excerpt(
                line: String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self), caret: caret, length: length))
    }
}

extension CommandContext {
    /// Prints what is wrong with an expression of the command line.
    func report(_ issues: [CompilationIssue], in source: String) {
        for issue in issues { output.report(RuleDiagnostic(issue, in: source).text(output.diagnosticPalette)) }
    }
}
