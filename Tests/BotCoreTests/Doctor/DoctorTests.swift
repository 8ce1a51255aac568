import AdapterKit
import AdapterKitTesting
import BotTestSupport
import CEL
import DemoZimmer
import Glibc
import Rules
import Testing

@testable import BotCore

@Suite(.timeLimit(.minutes(1))) struct DoctorTests {
    private let server: DemoServer
    private let folder: TemporaryDirectory

    init() throws {
        server = try DemoServer()
        folder = try TemporaryDirectory()
    }

    private static let rules = """
          - name: failed
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: failed}, {snooze: {for: 1d}}]
        """

    /// What it finds in the areas that begin like this.
    private func findings(
        _ area: String, rules: String = rules, key: String? = nil, url: String? = nil, clock: Duration = .zero
    ) async throws -> [Finding] {
        let text = """
            zimmer: {url: "\(url ?? server.url)", api_key: {env: KEY}}
            channels: {ops: {adapter: recording}}
            rules:
            \(rules)
            """
        let factory = ChannelFactory([RecordingKind("recording", into: EventLog())])
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: factory.schemas, now: Timestamp(seconds: 0))
        let local = ManualClock()
        local.correct(by: Timestamp(seconds: server.now.millisecondsSince1970 / 1_000) - local.now() + clock)
        let environment = BotEnvironment(clock: local, version: "test", log: RecordingLog())
        let doctor = Doctor(
            try #require(file, "\(diagnostics)"), environment: environment,
            secrets: SecretResolver(environment: ["KEY": key ?? server.apiKey], folder: folder.path), channels: factory,
            directory: StateDirectory(folder.path("state")))
        return await doctor.findings().filter { $0.area.hasPrefix(area) }
    }

    @Test func `a Zimmer that is well and a full key are said to be so, with what the bot lets through`() async throws {
        let found = try await findings("")
        #expect(found.filter { $0.grade == .problem }.isEmpty)
        let texts = found.map(\.text)
        #expect(texts.contains { $0.hasSuffix("answers, and so do its database, cache and Redis") })
        #expect(texts.contains { $0.hasSuffix("The bot lets through: reads, and visibility") })
        #expect(texts.contains("this machine's clock and Zimmer's agree"))
        #expect(texts.contains { $0.contains("lists health, costs, notifications, triggers, the backlog") })
        #expect(server.writes.isEmpty)
    }

    @Test func `a Zimmer whose database is away is told from one that is away`() async throws {
        server.update { $0.failedDependencies = ["database"] }
        let failing = try await findings("zimmer")
        #expect(failing.first?.grade == .problem)
        #expect(failing.first?.text.contains("answers that it cannot work") == true)
        let away = try await findings("zimmer", url: "http://127.0.0.1:1")
        #expect(away.map(\.grade) == [.problem])
        #expect(away.first?.text.hasPrefix("Zimmer cannot be reached") == true)
    }

    @Test func `a key that nobody knows, a token, and a plugin's key are told apart`() async throws {
        let unknown = try await findings("credentials", key: "zmr_nobody")
        #expect(unknown.map(\.grade) == [.problem])
        #expect(unknown.first?.text.contains("revoked, mistyped, or a Quick Router key") == true)
        #expect(unknown.first?.advice?.contains("Settings → API keys") == true)
        let token = try await findings("credentials", key: "zmr_oat_token")
        #expect(token.first?.text.contains("a token of a sign-in, not an API key") == true)
        let pattern = RequestPattern("GET", "/api/v1/external_app/triggers")
        server.inject(.answer(.json(["triggers": []])), on: pattern, times: nil)
        let plugin = try await findings("credentials", key: "zmr_plugin")
        #expect(plugin.first?.text.contains("the key of a Zimmer plugin") == true)
        #expect((unknown + token + plugin).allSatisfy { !$0.text.contains("zmr_") })
    }

    @Test func `a gate, a tunnel and a login page are said with what to do`() async throws {
        server.inject(.answer(.edgeRedirect), times: nil)
        #expect(try await findings("zimmer").first?.text.contains("zimmer.edge_token") == true)
        server.clearFaults()
        server.inject(.answer(.tunnelNotFound), times: nil)
        #expect(try await findings("zimmer").first?.text.contains("route /api/v1") == true)
    }

    @Test func `clocks that differ are said`() async throws {
        let found = try await findings("clock", clock: .seconds(-300))
        #expect(found.map(\.grade) == [.warning])
        #expect(found.first?.text.contains("5 min ahead of this machine's") == true)
    }

    @Test func `what this Zimmer lacks is a problem where a rule needs it`() async throws {
        server.inject(.answer(.routeNotFound), on: RequestPattern("GET", "/api/v1/work_backlog_items"), times: nil)
        let unneeded = try await findings("features")
        #expect(unneeded.map(\.grade).contains(.note))
        #expect(!unneeded.map(\.grade).contains(.problem))
        let rules = """
              - {name: backlog, watch: backlog, if: "backlog.pinned", do: [{post: ops, text: pinned}]}
            """
        #expect(try await findings("features", rules: rules).map(\.grade).contains(.problem))
    }

    @Test func `a state directory that is open to others, or is none, is said`() throws {
        let path = folder.path("state")
        func found() -> [Finding] { StateInspection(StateDirectory(path), store: StoreSettings()).findings }
        #expect(found().map(\.grade) == [.note])
        try StateDirectory(path).create()
        #expect(found().allSatisfy { $0.grade != .problem && $0.grade != .warning })
        #expect(found().contains { $0.text == "no bot runs on it" })
        #expect(chmod(path, 0o755) == 0)
        #expect(found().contains { $0.grade == .warning && $0.advice == "chmod 700 \(path)" })
        try folder.write("x", to: "file")
        let file = StateInspection(StateDirectory(folder.path("file")), store: StoreSettings()).findings
        #expect(file.map(\.grade) == [.problem])
    }

    @Test func `who runs on a state directory is seen without a lock of one's own`() throws {
        let directory = StateDirectory(folder.path("state"))
        try directory.create()
        #expect(StoreLock.holder(of: directory) == .nobody)
        let lock = try StoreLock(directory)
        guard case .process(let name) = StoreLock.holder(of: directory) else {
            Issue.record("nobody was seen")
            return
        }
        #expect(name.hasPrefix("process "))
        withExtendedLifetime(lock) {}
    }
}
