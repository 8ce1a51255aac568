import AdapterKit
import BotCore
import Rules
import Synchronization

/// Puts a changed rules file in force, when told to and when the file changes. A bad file leaves the old rules running.
final class ConfigurationWatcher: Service {
    let name = "rules file"
    private let configuration: Configuration
    private let environment: BotEnvironment
    private let bot: Bot
    private let prepare: @Sendable (RuleFile) -> RuleFile
    private let watch: Mutex<FileWatch>

    /// A change counts when two looks in a row see the same.
    private static let interval: Duration = .seconds(1)

    /// - Parameter prepare: what becomes of a file before it is put in force.
    init(
        _ configuration: Configuration, _ environment: BotEnvironment, _ bot: Bot,
        prepare: @escaping @Sendable (RuleFile) -> RuleFile
    ) {
        self.configuration = configuration
        self.environment = environment
        self.bot = bot
        self.prepare = prepare
        watch = Mutex(FileWatch(FileStamp(path: configuration.path)))
    }

    func run() async throws {
        while true {
            try await ContinuousClock().sleep(for: Self.interval)
            let stamp = FileStamp(path: configuration.path)
            switch watch.withLock({ $0.look(stamp) }) {
            case .nothing: continue
            case .changed: reload()
            case .gone: keepOld("\(configuration.path) is gone; without it the bot does not start again")
            }
        }
    }

    func reload() {
        let stamp = FileStamp(path: configuration.path)
        watch.withLock { $0.note(stamp) }
        guard stamp != nil else { return keepOld("\(configuration.path) is not there, or is no file") }
        do {
            bot.replace(with: try configuration.assemble(prepare(try configuration.load()), environment))
            environment.log.write(.info, "the rules were read again")
        } catch {
            keepOld("\(error)")
        }
    }

    private func keepOld(_ problem: String) {
        environment.log.write(.error, "the old rules stay in force", [("problem", problem)])
    }
}
