/// A compiled expression.
package struct Program: Sendable {
    package let source: String
    package let resultType: Type
    /// What is allowed but probably not meant.
    package let warnings: [CompilationIssue]
    /// Every variable the expression reads, with the longest constant field path read from it.
    package let references: Set<Reference>

    /// The value, or `.error`. Never throws, traps or runs longer than `budget` steps.
    package func evaluate(_ activation: Activation, budget: Int = 1_000_000) -> Value {
        .null
    }
}

/// A variable and the fields read from it: `session.pr.ci` is `session` with `["pr", "ci"]`.
package struct Reference: Hashable, Sendable {
    package var variable: String
    package var path: [String]

    package init(_ variable: String, _ path: [String] = []) {
        self.variable = variable
        self.path = path
    }
}

/// Everything wrong with an expression, in one pass, in order of position.
package struct CompilationFailure: Error, Sendable {
    package let issues: [CompilationIssue]
}

package struct CompilationIssue: Hashable, Sendable {
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
