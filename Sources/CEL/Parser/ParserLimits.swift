/// How large an expression may be. What is larger is refused with an error at the place that went too far.
package struct ParserLimits: Sendable {
    /// Bytes of UTF-8.
    package var sourceLength: Int
    /// Brackets within brackets, and nodes below nodes of the tree. Whoever walks the tree may recurse this deep.
    package var nesting: Int
    /// Nodes of the tree.
    package var nodes: Int
    /// Errors reported before the rest is left unread.
    package var issues: Int

    package init(sourceLength: Int = 100_000, nesting: Int = 200, nodes: Int = 20_000, issues: Int = 20) {
        self.sourceLength = sourceLength
        self.nesting = nesting
        self.nodes = nodes
        self.issues = issues
    }

    package static let standard = ParserLimits()
}
