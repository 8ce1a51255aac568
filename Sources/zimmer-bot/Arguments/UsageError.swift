/// A command line that cannot be read, with the usage that would be right.
struct UsageError: Error, Sendable {
    let message: String
    private let usage: String

    /// - Parameter usage: printed as it is below the message.
    init(_ message: String, usage: String) {
        self.message = message
        self.usage = usage
    }

    init(_ message: String, of command: CommandSpecification) {
        self.init(
            message,
            usage: """
                usage: zimmer-bot \(command.usage)
                'zimmer-bot \(command.name) -h' says more.

                """)
    }

    /// What goes to standard error.
    var text: String { "zimmer-bot: \(message)\n\(usage)" }
}
