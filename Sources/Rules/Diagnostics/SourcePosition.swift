/// A place in a text: line and column counted from 1, the column in characters as an editor counts them.
package struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var file: String
    package var line: Int
    package var column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// As compilers print it.
    package var description: String { "\(file):\(line):\(column)" }

    package static func < (a: SourcePosition, b: SourcePosition) -> Bool {
        (a.file, a.line, a.column) < (b.file, b.line, b.column)
    }
}
