/// Ends a command with a message and an exit code.
struct CommandFailure: Error, Sendable, CustomStringConvertible {
    let code: ExitCode
    /// One line that says what to do.
    let message: String

    init(_ message: String, code: ExitCode = .failure) {
        self.code = code
        self.message = message
    }

    var description: String { message }
}
