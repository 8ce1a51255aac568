import AdapterKitTesting
import BotTestSupport
import CEL
import Rules
import Synchronization
import Testing

@testable import BotCore

@Suite struct AssemblyTests {
    /// - Returns: the files of certificates that were asked for.
    @discardableResult
    private func assemble(authorities: String, in folder: String, key: String = "zmr_k") throws -> [String?] {
        let text = """
            zimmer: {url: "https://zimmer.example.com", api_key: {env: KEY}, ca_file: \(authorities)}
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
            secrets: SecretResolver(environment: ["KEY": key], folder: folder), channels: ChannelFactory([]))
        return asked.paths.withLock { $0 }
    }

    private static let certificate = "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"

    @Test func `certificates are looked for beside the rules file`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.certificate, to: "ca.pem")
        #expect(try assemble(authorities: "ca.pem", in: folder.path) == [folder.path("ca.pem")])
        #expect(try assemble(authorities: folder.path("ca.pem"), in: "/etc") == [folder.path("ca.pem")])
    }

    @Test(arguments: [
        ("gone.pem", "No such file or directory"), ("empty.pem", "has no certificate in it"), (".", "Is a directory"),
    ])
    func `a file without certificates is said before anything connects`(name: String, words: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write("not PEM", to: "empty.pem")
        let failure = #expect(throws: Assembly.Failure.self) { try assemble(authorities: name, in: folder.path) }
        let text = try #require(failure?.description)
        #expect(text.hasPrefix("zimmer.ca_file: ") && text.contains(words))
    }

    @Test(arguments: [
        ("\"zmr_hunter2\"", "quotation marks"), ("X-API-Key: zmr_hunter2", "'x-api-key' before it"),
        ("Bearer zmr_hunter2", "blanks"), ("zmr_hunter2…", "characters that no key has"),
        (String(repeating: "hunter2", count: 9_000), "longer than 8 KiB"),
    ])
    func `what can be no API key is refused, and not shown`(key: String, words: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.certificate, to: "ca.pem")
        let failure = #expect(throws: SecretResolver.Failure.self) {
            try assemble(authorities: "ca.pem", in: folder.path, key: key)
        }
        let text = try #require(failure).reason
        #expect(text.contains("the API key") && text.contains(words))
        #expect(!text.contains("hunter2"))
    }

    private final class Asked: Sendable {
        let paths = Mutex<[String?]>([])
    }
}
