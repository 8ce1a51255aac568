package import AdapterKit
package import BotCore
import CEL
package import DemoZimmer
package import FaultProxy
package import Rules

/// A bot and a Zimmer that share one clock, which stands still between rounds: `pass` puts it forward and makes every
/// round that is due. A round is everything that the bot does at a poll: read, decide, write, deliver.
package final class Simulation {
    package struct BadRules: Error, CustomStringConvertible {
        package var description: String
    }

    package let server: DemoServer
    /// Where the bot finds it.
    package let url: String
    /// What was said, in the channels of kind `recording`.
    package let messages = EventLog<Message>()
    /// What stands between the bot and the server, if anything.
    private let proxy: FaultProxy?
    package private(set) var bot: Bot
    private let clock: SimulationClock
    private let environment: BotEnvironment
    private let folder: TemporaryDirectory
    private let factory: ChannelFactory
    private var assembly: Assembly
    /// When each reader is due; one that is missing is due now.
    private var due: [Assembly.ReaderName: Timestamp] = [:]
    private var nextRound: Timestamp

    /// - Parameters:
    ///   - text: a whole rules file. Its server is replaced, and the key is `{env: ZIMMER_API_KEY}`.
    ///   - kinds: of channels, beside `recording`.
    ///   - pager: what `{env: PAGER_URL}` stands for.
    ///   - offset: this machine's clock minus the server's.
    ///   - proxy: between the bot and the server. The bot then gives up on an answer soon, by this machine's clock.
    ///   - change: made to the file as it was loaded.
    package init(
        file text: String, on server: DemoServer, kinds: (EventLog<Message>) -> [any AdapterKind] = { _ in [] },
        pager: String = "", offset: Duration = .zero, through proxy: FaultProxy? = nil,
        changing change: (inout RuleFile) -> Void = { _ in }
    ) throws {
        self.server = server
        url = proxy?.url ?? server.url
        self.proxy = proxy
        clock = SimulationClock(server: server, offset: offset)
        nextRound = clock.now()
        environment = BotEnvironment(
            clock: clock, version: "test", log: SilentLog(),
            makeTransport: { certificates in
                if proxy != nil { HastyTransport() } else { CurlTransport(certificates: certificates) }
            }, random: { 1 })
        folder = try TemporaryDirectory(inMemory: true)
        factory = ChannelFactory(kinds(messages) + [RecordingKind("recording", into: messages)])
        assembly = try Self.assemble(text, factory, environment, server, pager) { [url] file in
            file.zimmer?.url = url
            change(&file)
        }
        bot = try Bot(assembly, at: .directory(StateDirectory(folder.path)), environment: environment)
    }

    /// - Parameters:
    ///   - rules: the list under `rules:`. Channels are `ops` and `pager`.
    ///   - account: more keys under `zimmer`, each line indented by two.
    ///   - settings: more keys of the file.
    ///   - change: made to the file as it was loaded.
    package convenience init(
        _ rules: String, on server: DemoServer? = nil, polls: String = "{board: 30s, health: 2m, costs: 15m}",
        limit: String = "{per_hour: 120, per_day: 600}", account: String = "", settings: String = "",
        offset: Duration = .zero, through proxy: FaultProxy? = nil,
        changing change: (inout RuleFile) -> Void = { _ in }
    ) throws {
        let text = """
            zimmer:
              url: http://127.0.0.1
              api_key: {env: ZIMMER_API_KEY}
              poll: \(polls)
              limit: \(limit)
            \(account)
            channels:
              ops: {adapter: recording}
              pager: {adapter: recording}
            notices: {channels: [ops]}
            \(settings)
            rules:
            \(rules)
            """
        try self.init(
            file: text, on: try server ?? DemoServer(), offset: offset, through: proxy, changing: change)
    }

    deinit {
        proxy?.stop()
        server.stop()
    }

    private static func assemble(
        _ text: String, _ factory: ChannelFactory, _ environment: BotEnvironment, _ server: DemoServer,
        _ pager: String, changing change: (inout RuleFile) -> Void
    ) throws -> Assembly {
        let (loaded, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: factory.schemas, now: environment.clock.now())
        guard var file = loaded else {
            throw BadRules(description: diagnostics.map(\.description).joined(separator: "\n"))
        }
        change(&file)
        let variables = ["ZIMMER_API_KEY": server.apiKey, "PAGER_URL": pager]
        let secrets = SecretResolver(environment: variables, folder: ".")
        return try Assembly(file, environment: environment, secrets: secrets, channels: factory)
    }

    // MARK: - Time

    /// Lets that much time pass, with all its rounds: one now if it is due, then one every `poll.board`.
    package func pass(_ duration: Duration) async {
        let end = clock.now() + duration
        while nextRound <= end {
            server.advance(by: nextRound - clock.now())
            await round()
        }
        server.advance(by: end - clock.now())
    }

    private func round() async {
        let now = clock.now()
        let readers = assembly.readers.filter { (due[$0] ?? now) <= now }
        for reader in readers { due[reader] = now + assembly.interval(of: reader) }
        nextRound = now + assembly.polling.board
        await bot.runOnce(assembly, reading: readers)
    }

    /// Ends the bot and starts it again on what it stored, that much later.
    package func restart(after downtime: Duration = .zero) throws {
        server.advance(by: downtime)
        bot = try Bot(assembly, at: .directory(StateDirectory(folder.path)), environment: environment)
        due = [:]
        nextRound = clock.now()
    }

    /// As `zimmer-bot COMMAND ARGUMENT` on the same state directory.
    package func ask(_ command: String, _ argument: String) throws {
        let commander = try StateCommander(StateDirectory(folder.path))
        _ = try commander.submit(command, argument, by: "ann", now: clock.now())
    }

    /// The file of the store.
    package var storePath: String { StateDirectory(folder.path).databasePath }

    // MARK: - What came of it

    /// Everything that was said, each as `channel: title: text`.
    package var said: [String] {
        messages.elements.map { message in
            let parts = [message.channel, message.title, message.body.plainText].compactMap { $0 }
            return parts.joined(separator: ": ")
        }
    }

    /// What was said without the notices that the bot gives of itself.
    package var posts: [String] { zip(messages.elements, said).filter { $0.0.kind != .notice }.map(\.1) }
    /// What the bot said of itself.
    package var notices: [String] { zip(messages.elements, said).filter { $0.0.kind == .notice }.map(\.1) }

    /// Calls that changed something, or were to, as `POST sessions/7/follow_up`.
    package var writes: [String] {
        server.requests.elements.filter { $0.request.isWrite }
            .map { "\($0.method) \($0.request.path.dropFirst(2).joined(separator: "/"))" }
    }

    /// The trail, each line as `kind: detail`.
    package func trail(_ rule: String? = nil) throws -> [String] {
        var filter = AuditStore.Filter()
        filter.rule = rule
        return try StateReader(StateDirectory(folder.path)).audit(filter).map { "\($0.kind): \($0.detail)" }
    }

    /// How the runs of a rule stand, oldest first.
    package func runs(of rule: String) throws -> [(state: String, reason: String?)] {
        let runs = try StateReader(StateDirectory(folder.path)).runs(of: rule, nil, limit: 1_000)
        return runs.reversed().map { ($0.state, $0.reason) }
    }

    /// The readers of which `status` tells.
    package var readers: [String] {
        get throws { try StateReader(StateDirectory(folder.path)).status().readers.map(\.name) }
    }

    /// The texts that a session was told, the newest last.
    package func told(_ session: Int) -> [String] {
        let state = server.state
        let queued = state.queue.filter { $0.sessionID == session }.map(\.content)
        return (state.sessions[session]?.conversation ?? []).filter { $0.role == "user" }.map(\.content) + queued
    }
}

private struct SilentLog: AdapterLog {
    func write(_ level: AdapterLogLevel, _ sentence: StaticString, _ values: [(name: String, value: String)]) {}
}
