import BotCore
import CEL

/// What a command has beside its own arguments.
struct CommandContext: Sendable {
    let output: Output
    let environment: [String: String]
    /// The time of day.
    let now: @Sendable () -> Timestamp
    /// `--json`
    let isJSON: Bool
    /// `--state`
    let stateOption: String?

    /// Where it is told what happens while it happens: beside the result, or apart from it where that is JSON.
    var story: Output { isJSON ? output.onDiagnostics : output }

    /// The state directory, made if it is missing.
    func stateDirectory() throws(StateDirectoryError) -> StateDirectory {
        let directory = try StateDirectory.resolve(option: stateOption, environment: environment)
        try directory.create()
        return directory
    }

    /// The state directory, which need not exist: for commands that leave no trace.
    func existingStateDirectory() throws(StateDirectoryError) -> StateDirectory {
        try StateDirectory.resolve(option: stateOption, environment: environment)
    }
}
