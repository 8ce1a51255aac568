import AdapterKit
import BotCore
import Rules
import Synchronization

/// Puts a changed rules file in force, when told to and when it, or a file that it includes, changes. A bad file leaves the
/// old rules running.
final class ConfigurationWatcher: Service {
    let name = "rules file"
    private let configuration: Configuration
    private let environment: BotEnvironment
    private let bot: Bot
    private let prepare: @Sendable (RuleFile) throws -> RuleFile
    private let watched: Mutex<Watched>

    private struct Watched {
        /// What was read last.
        var sources: RuleFileSources
        var watch: FileWatch<RuleFileSources.Stamp>

        init(_ sources: RuleFileSources) {
            self.sources = sources
            watch = FileWatch(sources.stampWhenRead)
        }
    }

    /// A change counts when two looks in a row see the same.
    private static let interval: Duration = .seconds(1)

    /// - Parameters:
    ///   - sources: the files that are in force.
    ///   - prepare: what becomes of a file before it is put in force.
    init(
        _ configuration: Configuration, _ sources: RuleFileSources, _ environment: BotEnvironment, _ bot: Bot,
        prepare: @escaping @Sendable (RuleFile) throws -> RuleFile
    ) {
        self.configuration = configuration
        self.environment = environment
        self.bot = bot
        self.prepare = prepare
        watched = Mutex(Watched(sources))
    }

    func run() async throws {
        while true {
            try await ContinuousClock().sleep(for: Self.interval)
            switch look() {
            case .nothing: continue
            case .changed: reload()
            case .gone: keepOld("\(configuration.path) is gone; without it the bot does not start again")
            }
        }
    }

    private func look() -> FileWatch<RuleFileSources.Stamp>.Finding {
        let stamp = watched.withLock(\.sources).stamp
        return watched.withLock { $0.watch.look(stamp) }
    }

    func reload() {
        let sources = RuleFileSources(configuration.path)
        guard FileStamp(path: configuration.path) != nil else {
            watched.withLock { $0.watch.note(nil) }
            return keepOld("\(configuration.path) is not there, or is no file")
        }
        // What was read is watched from now on, also when it is bad: its next change may put it right.
        defer { watched.withLock { $0 = Watched(sources) } }
        do {
            bot.replace(with: try configuration.assemble(prepare(try configuration.loadToRun(sources)), environment))
            environment.log.write(.info, "the rules were read again")
        } catch {
            keepOld("\(error)")
        }
    }

    private func keepOld(_ problem: String) {
        environment.log.write(.error, "the old rules stay in force", [("problem", problem)])
    }
}
