import BotCore

/// Ends the bot when its state directory is taken away under it. SQLite would go on in files that nobody can open again.
struct StateWatcher: Service {
    let name = "state directory"
    let lock: StoreLock

    private static let interval: Duration = .seconds(2)

    func run() async throws {
        while true {
            try await ContinuousClock().sleep(for: Self.interval)
            try lock.verify()
        }
    }
}
