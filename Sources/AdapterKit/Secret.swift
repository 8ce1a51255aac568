/// Text that must not be seen: a token, a password, a URL that is a credential.
///
/// However it is printed, it prints as `<redacted>`; `reveal()` is the only way to its text.
public struct Secret: Hashable, Sendable {
    private let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// The text itself, for the place that needs it: a header on its way out, a key of a signature.
    public func reveal() -> String {
        text
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
