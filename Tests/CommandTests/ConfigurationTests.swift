import BotTestSupport
import Testing

@testable import zimmer_bot

/// What a command says that runs, when its rules file cannot be put to use.
@Suite struct ConfigurationTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.write(
            """
            zimmer: {url: "http://127.0.0.1:1", api_key: {env: ZIMMER_API_KEY}}
            channels:
              pager: {adapter: webhook, url: {env: PAGER_URL}}
            """, to: "rules.yaml")
    }

    @Test func `every secret that is missing is said at once`() async {
        let call = await Call("plan", "-c", path)
        #expect(call.code == .configuration)
        #expect(
            call.errors == """
                \(path):1:46: error: the environment has no ZIMMER_API_KEY; set it
                \(path):3:34: error: the environment has no PAGER_URL; set it
                zimmer-bot: \(path) names secrets that cannot be used

                """)
    }

    @Test func `a secret that is no address is said at its place, and not shown`() async {
        let secrets = ["ZIMMER_API_KEY": "key", "PAGER_URL": "hooks.example.com/secret"]
        let call = await Call(["plan", "-c", path], environment: secrets)
        #expect(call.code == .configuration)
        #expect(call.errors.hasPrefix("\(path):3:34: error: channel 'pager': 'url' needs an absolute "))
        #expect(!call.errors.contains("hooks.example.com"))

        // Which secrets there are is another matter where the file is checked.
        let check = await Call(["check", path], environment: secrets)
        #expect(check.code == .success)
        #expect(check.errors.hasPrefix("\(path):3:34: warning: channel 'pager': 'url' needs an absolute "))
    }
}
