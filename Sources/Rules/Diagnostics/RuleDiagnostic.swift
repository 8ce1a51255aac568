import CEL

/// Something in the author's text that is wrong, or probably not meant.
///
/// It carries the line that it is about, secrets already taken out, so that it can be printed anywhere.
package struct RuleDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Severity: String, Hashable, Sendable { case error, warning }

    package var severity: Severity
    package var message: String
    package var position: SourcePosition
    /// How many characters from `position` on are meant, at least 1.
    package var length: Int
    /// What would probably be right in their place.
    package var suggestion: String?
    /// The source line as it may be shown, and where in it the caret stands (from 0).
    package var excerpt: Excerpt?

    package struct Excerpt: Hashable, Sendable {
        package var line: String
        package var caret: Int
        package var length: Int

        package init(line: String, caret: Int, length: Int) {
            self.line = line
            self.caret = caret
            self.length = length
        }
    }

    package init(
        _ severity: Severity, _ message: String, at position: SourcePosition, length: Int = 1,
        suggestion: String? = nil, excerpt: Excerpt? = nil
    ) {
        self.severity = severity
        self.message = message
        self.position = position
        self.length = length
        self.suggestion = suggestion
        self.excerpt = excerpt
    }

    /// `file:line:column: error: text`, then the source line and a caret.
    package var description: String {
        let head = "\(position): \(severity.rawValue): \(message)\(saysSuggestion ? "" : NearMiss.hint(suggestion))"
        guard let excerpt, excerpt.line.utf8.contains(where: { $0 > 0x20 && $0 != 0x7F }) else { return head }
        // Tabs are kept, so that the caret stands below what it points at however wide they are.
        let margin = String(excerpt.line.prefix(excerpt.caret).map { $0 == "\t" ? "\t" : " " })
        let marks = "^" + String(repeating: "~", count: max(0, excerpt.length - 1))
        return "\(head)\n    \(excerpt.line)\n    \(margin)\(marks)"
    }
}

extension RuleDiagnostic {
    /// The message names what would be right by itself, as CEL's do.
    private var saysSuggestion: Bool {
        guard let suggestion else { return false }
        return message.hasSuffix("?") || message.hasSuffix(suggestion) || message.contains("'\(suggestion)'")
    }
}

extension [CompilationIssue] {
    /// What is wrong with an expression that stands by itself, not in a file.
    package func diagnostics(of expression: String) -> [RuleDiagnostic] {
        let collector = DiagnosticCollector(SourceText(expression.utf8, file: "expression"))
        for issue in self {
            switch issue.severity {
            case .error: collector.error(issue.message, at: issue.range, suggestion: issue.suggestion)
            case .warning: collector.warning(issue.message, at: issue.range, suggestion: issue.suggestion)
            }
        }
        return collector.finish()
    }
}

extension [RuleDiagnostic] {
    package var hasErrors: Bool { contains { $0.severity == .error } }
}
