import AdapterKitTesting
import CEL
import Rules
import Synchronization
import Testing

@testable import BotCore

@Suite struct AssemblyTests {
    @Test(arguments: [("ca.pem", "/etc/zimmer-bot/ca.pem"), ("/srv/ca.pem", "/srv/ca.pem")])
    func `certificates are looked for beside the rules file`(written: String, expected: String) throws {
        let text = """
            zimmer: {url: "https://zimmer.example.com", api_key: {env: KEY}, ca_file: \(written)}
            """
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: [], now: Timestamp(seconds: 0))
        let asked = Asked()
        let environment = BotEnvironment(
            version: "0", log: RecordingLog(),
            makeTransport: { path in
                asked.paths.withLock { $0.append(path) }
                return CurlTransport()
            })
        _ = try Assembly(
            try #require(file, "\(diagnostics)"), environment: environment,
            secrets: SecretResolver(environment: ["KEY": "k"], folder: "/etc/zimmer-bot"), channels: ChannelFactory([]))
        #expect(asked.paths.withLock { $0 } == [expected])
    }

    private final class Asked: Sendable {
        let paths = Mutex<[String?]>([])
    }
}
