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
                zimmer-bot: \(path) has channels or secrets that cannot be used

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

    @Test func `what a channel's adapter refuses is an error when the file is checked, also without its secrets`()
        async throws
    {
        let path = try directory.write(
            """
            zimmer: {url: "http://127.0.0.1:1", api_key: {env: ZIMMER_API_KEY}}
            channels:
              a: {adapter: irc, server: irc.example.com, port: 0, nick: bot, channel: "#ops", password: {env: IRC}}
              b: {adapter: matrix, homeserver: "https://m.example.com", access_token: {env: TOKEN}, room: ops}
            """, to: "channels.yaml")
        let check = await Call(["check", path], environment: ["ZIMMER_API_KEY": "key"])
        #expect(check.code == .findings)
        #expect(check.errors.contains("\(path):3:52: error: channel 'a': 'port' takes 1 to 65535"))
        #expect(check.errors.contains("\(path):4:95: error: channel 'b': 'room' needs a room id"))
        #expect(check.output == "\(path): 0 rules; no writes to Zimmer; 2 errors; 2 warnings\n")
    }

    @Test func `channels that share a connection and do not agree on it are an error when the file is checked`()
        async throws
    {
        let path = try directory.write(
            """
            zimmer: {url: "http://127.0.0.1:1", api_key: {env: ZIMMER_API_KEY}}
            channels:
              a: {adapter: irc, server: irc.example.com, nick: bot, channel: "#a", realname: one}
              b: {adapter: irc, server: irc.example.com, nick: bot, channel: "#b", realname: another}
            """, to: "channels.yaml")
        let check = await Call(["check", path], environment: ["ZIMMER_API_KEY": "key"])
        #expect(check.code == .findings)
        #expect(check.errors.contains("\(path):4:3: error: channel 'b': another channel has the same 'server'"))
    }

    @Test(arguments: [
        ("webhook, format: slack, url: {env: HOOK}", "[U012AB3CD, here]", "bob"),
        ("webhook, format: discord, url: {env: HOOK}", "[\"81384788765712384\", everyone]", "bob"),
        ("webhook, format: mattermost, url: {env: HOOK}", "[ann, all]", "\"@ann\""),
        (
            "matrix, homeserver: \"https://m.example.com\", access_token: {env: HOOK}, room: \"!a\"",
            "[\"@ann:example.com\", \"@room\"]", "ann"
        ),
    ])
    func `a name that calls nobody is an error when the file is checked`(kind: String, good: String, bad: String)
        async throws
    {
        for (names, isGood) in [(good, true), (bad, false)] {
            let path = try directory.write(
                """
                zimmer: {url: "http://127.0.0.1:1", api_key: {env: HOOK}}
                channels:
                  a: {mention: \(names), adapter: \(kind)}
                """, to: "mentions.yaml")
            let check = await Call(["check", path], environment: ["HOOK": "https://hooks.example.com/x"])
            #expect(check.errors.hasPrefix("\(path):3:16: error: channel 'a': 'mention' calls nobody with ") == !isGood)
            #expect(check.code == (isGood ? .success : .findings))
        }
    }

    @Test(arguments: [
        ("{name: a, command: hello, do: [{reply: hello}]}", "5:12", "rule 'a' has 'command: hello'"),
        ("{name: a, watch: session, do: [{hide: , confirm: {in: ops, by: ann}}]}", "5:37", "rule 'a' has 'confirm'"),
    ])
    func `what is checked and not run is refused by the commands that run`(
        rule: String, place: String, words: String
    ) async throws {
        let text = """
            zimmer: {url: "http://127.0.0.1:1", api_key: {env: KEY}}
            channels: {ops: {adapter: console}}
            notices: {channels: [ops]}
            rules:
              - \(rule)
            """
        let path = try directory.write(text, to: "commands.yaml")
        #expect(await Call("check", "--strict", path, environment: ["KEY": "x"]).code == .success)
        for command in [["plan", "-c", path], ["run", "-c", path, "--once", "--state", directory.path("state")]] {
            let call = await Call(command, environment: ["KEY": "x"])
            #expect(call.code == .configuration)
            #expect(
                call.errors.contains("\(path):\(place): error: \(words), which this version checks and does not run"))
        }
        let off = try directory.write(text.replacing("{name: a,", with: "{name: a, mode: off,"), to: "off.yaml")
        #expect(
            await Call("plan", "-c", off, "--state", directory.path("state"), environment: ["KEY": "x"]).code
                != .configuration)
    }
}
