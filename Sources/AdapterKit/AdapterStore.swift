/// Keeps a few short texts over restarts: how far a chat was read, what a room's alias stood for.
///
/// All channels of a kind share them, so a name says what it belongs to. Nothing in it is secret or large.
public protocol AdapterStore: Sendable {
    /// - Throws: where the store cannot be read.
    func value(_ name: String) async throws -> String?

    /// Returns once it is kept. Nil takes it away.
    ///
    /// - Throws: where the store cannot be written.
    func set(_ name: String, to value: String?) async throws
}
