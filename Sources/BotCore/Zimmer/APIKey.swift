/// A credential. Prints as `<redacted>` wherever it ends up.
package struct APIKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// For the header that carries it and nothing else.
    let exposed: String

    package init(_ secret: String) {
        exposed = secret
    }

    /// The text without the key, for what a server says: it may repeat the request that it did not like.
    ///
    /// A key of fewer than six bytes is not looked for: it would be found in words.
    func redacted(from text: String) -> String {
        guard exposed.utf8.count >= 6 else { return text }
        return String(
            decoding: Array(text.utf8).replacing(Array(exposed.utf8), with: Array(description.utf8)), as: UTF8.self)
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
