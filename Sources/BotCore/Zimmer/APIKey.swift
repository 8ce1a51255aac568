/// A credential. Prints as `<redacted>` wherever it ends up.
package struct APIKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// For the header that carries it and nothing else.
    let exposed: String

    package init(_ secret: String) {
        exposed = secret
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
