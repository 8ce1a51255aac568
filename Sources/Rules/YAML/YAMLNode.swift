/// A piece of a YAML file with the place it came from.
package struct YAMLNode: Sendable {
    package enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
        /// Something that has been reported already; whoever meets it stays silent.
        case unreadable
    }

    package var content: Content
    /// Byte offsets in the source. Behind an alias: of what it stands for.
    package var range: Range<Int>

    package init(_ content: Content, at range: Range<Int>) {
        self.content = content
        self.range = range
    }
}

/// Text as the author wrote it; what type it has is for its reader to say.
package struct YAMLScalar: Sendable {
    package enum Style: Sendable { case plain, singleQuoted, doubleQuoted, literal, folded }

    package var text: String
    package var style: Style
    /// A comment that follows a plain value on its line: perhaps the rest of a text.
    package var comment: Range<Int>?
}

package struct YAMLEntry: Sendable {
    package var key: String
    package var keyRange: Range<Int>
    package var value: YAMLNode
}
