import AdapterKitTesting
import BotTestSupport
import CEL
import DemoZimmer
import Rules
import Testing

@testable import BotCore

/// A doctor, a simulated Zimmer, and a folder of their own.
struct DoctorStage {
    let server: DemoServer
    let folder: TemporaryDirectory

    init() throws {
        server = try DemoServer()
        folder = try TemporaryDirectory()
    }

    static let rules = """
          - name: failed
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: failed}, {snooze: {for: 1d}}]
        """

    var directory: StateDirectory { StateDirectory(folder.path("state")) }
    var now: Timestamp { Timestamp(seconds: server.now.millisecondsSince1970 / 1_000) }

    /// What it finds in the areas that begin like this.
    ///
    /// - Parameter zimmer: one more key of it.
    func findings(
        _ area: String, rules: String = rules, zimmer: String = "", environment variables: [String: String] = [:],
        refusals: [RuleDiagnostic] = [], key: String? = nil,
        url: String? = nil, clock: Duration = .zero
    ) async throws -> [Finding] {
        let text = """
            zimmer:
              url: "\(url ?? server.url)"
              api_key: {env: KEY}
              \(zimmer)
            channels:
              ops: {adapter: recording}
            rules:
            \(rules)
            """
        let factory = ChannelFactory([RecordingKind("recording", into: EventLog())])
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: factory.schemas, now: Timestamp(seconds: 0))
        let local = ManualClock()
        local.correct(by: now - local.now() + clock)
        let environment = BotEnvironment(clock: local, version: "test", log: RecordingLog())
        let doctor = Doctor(
            try #require(file, "\(diagnostics)"), environment: environment,
            secrets: SecretResolver(
                environment: variables.merging(["KEY": key ?? server.apiKey]) { $1 }, folder: folder.path),
            channels: factory, directory: directory, refusals: refusals)
        return await doctor.findings().filter { $0.area.hasPrefix(area) }
    }
}
