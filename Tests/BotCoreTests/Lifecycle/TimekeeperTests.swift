import AdapterKit
import AdapterKitTesting
import BotTestSupport
import CEL
import DemoZimmer
import Rules
import Testing

@testable import BotCore

/// A bot whose rules read nothing, so that nothing but the time makes it decide.
@Suite struct TimekeeperTests {
    private static let rules = """
        zimmer: {url: "http://127.0.0.1:1", api_key: {env: KEY}, poll: {board: 1h}}
        channels: {ops: {adapter: recording}}
        rules:
          - name: first
            schedule: "0 * * * *"
            do: [{post: ops, text: first}]
          - name: second
            schedule: "2 * * * *"
            do: [{post: ops, text: second}]
        """

    @Test(.timeLimit(.minutes(10)))
    func `schedules run at their time although nothing is ever read`() async throws {
        let messages = EventLog<Message>()
        let decisions = EventLog<Decision>()
        let factory = ChannelFactory([RecordingKind("recording", into: messages)])
        let (file, diagnostics) = RuleFile.load(
            Self.rules.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: factory.schemas,
            now: Timestamp(seconds: 0))
        let clock = ManualClock()
        let environment = BotEnvironment(clock: clock, version: "0", log: RecordingLog())
        let assembly = try Assembly(
            try #require(file, "\(diagnostics)"), environment: environment,
            secrets: SecretResolver(environment: ["KEY": "k"], folder: "."), channels: factory)
        let bot = try Bot(assembly, at: .memory, environment: environment) { decisions.append($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await bot.run() }
            _ = try await decisions.element { _ in true }
            let toTheHour = 3_600 - clock.now().seconds % 3_600
            clock.clock.advance(by: .seconds(toTheHour))
            #expect(try await messages.element { _ in true }.body.plainText == "first")
            clock.clock.advance(by: .seconds(120))
            #expect(try await messages.element(2) { _ in true }.body.plainText == "second")
            group.cancelAll()
        }
    }
}
