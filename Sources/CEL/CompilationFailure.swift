/// Everything wrong with an expression, in one pass, in order of position.
package struct CompilationFailure: Error, Sendable {
    package let issues: [CompilationIssue]
}

package struct CompilationIssue: Error, Hashable, Sendable {
    package enum Severity: Hashable, Sendable { case error, warning }

    package var severity: Severity
    package var message: String
    /// UTF-8 offsets into the source.
    package var range: Range<Int>
    /// A replacement for the text at `range` that would probably be right.
    package var suggestion: String?

    package init(_ severity: Severity, _ message: String, at range: Range<Int>, suggestion: String? = nil) {
        self.severity = severity
        self.message = message
        self.range = range
        self.suggestion = suggestion
    }
}
