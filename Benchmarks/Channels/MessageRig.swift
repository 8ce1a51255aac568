import AdapterKit
import BotCore
import CEL
import DemoZimmer
import Foundation
import Rules
import Synchronization

/// The whole bot, with one rule and one channel, on a simulated Zimmer of which one session fails at each poll.
final class MessageRig: Sendable {
    private let server: DemoServer
    private let bot: Bot
    private let directory: StateDirectory
    private let commits: Commits

    /// When the message about a session was committed to the outbox.
    private final class Commits: Sendable {
        let times = Mutex<[String: ContinuousClock.Instant]>([:])
    }

    /// - Parameters:
    ///   - kinds: The channel's among them.
    ///   - channel: What stands behind the channel's name, in YAML; its secret is `{env: TOKEN}`.
    init(_ kind: any AdapterKind, channel: String, sessions: Int) throws {
        var state = ZimmerState(now: DemoServer.morning)
        for number in 1...sessions { state.addSession(id: number, title: "Session \(number)", status: .running) }
        server = try DemoServer(state: state, recordsReads: false)
        directory = StateDirectory(NSTemporaryDirectory() + "/zimmer-bot-benchmark-\(UUID().uuidString)")
        try directory.create()
        let factory = ChannelFactory([kind])
        let file = try BenchmarkRules.load(
            """
            zimmer: {url: "\(server.url)", api_key: {env: KEY}, poll: {board: 1s}}
            channels: {chat: \(channel)}
            rules:
              - name: failed
                watch: session
                if: session.status == "failed"
                limit: {per_poll: 1000, per_hour: 100000}
                do: [{post: chat, thread: none, text: "{{ session.title }} failed"}]
            """, channels: factory.schemas)
        let environment = BotEnvironment(version: "benchmark", log: NoLog())
        let secrets = SecretResolver(environment: ["KEY": server.apiKey, "TOKEN": "token"], folder: ".")
        let assembly = try Assembly(file, environment: environment, secrets: secrets, channels: factory)
        let commits = Commits()
        self.commits = commits
        bot = try Bot(assembly, at: .directory(directory), environment: environment) { decision in
            let now = ContinuousClock.now
            for run in decision.runs {
                commits.times.withLock { $0[run.key.subject.id] = $0[run.key.subject.id] ?? now }
            }
        }
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(atPath: directory.path)
    }

    func run() async {
        await bot.run()
    }

    /// From now on the session has failed; the next poll sees it.
    func fail(_ session: Int) {
        server.update { $0.edit(session) { $0.status = .failed } }
    }

    /// When the decision about a session was committed.
    func committed(_ session: Int) throws -> ContinuousClock.Instant {
        let time = commits.times.withLock { $0["\(session)"] }
        guard let time else { throw BenchmarkFailure("nothing was decided about session \(session)") }
        return time
    }
}

private struct NoLog: AdapterLog {
    func write(_ level: AdapterLogLevel, _ sentence: StaticString, _ values: [(name: String, value: String)]) {}
}
