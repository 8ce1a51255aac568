import AdapterKitTesting
import BotTestSupport
import DemoZimmer
import Rules
import Testing

@testable import BotCore

@Suite struct PollersTests {
    /// Answers nothing; meanwhile somebody corrects this machine's clock.
    private struct CorrectingTransport: BotCore.HTTPTransport {
        let clock: ManualClock
        let amount: Duration

        func send(_ request: BotCore.HTTPRequest) async throws(HTTPError) -> BotCore.HTTPResponse {
            clock.correct(by: amount)
            throw HTTPError(.connect, .notSent, host: "127.0.0.1:1")
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [Duration.seconds(7_200), .seconds(-7_200), .seconds(1_577_880_000)])
    func `a clock that is put right in the middle of a reading does not put off the next one`(
        amount: Duration
    ) async throws {
        let text = """
            zimmer: {url: "http://127.0.0.1:1", api_key: {env: KEY}, poll: {board: 30s}}
            channels: {ops: {adapter: recording}}
            rules:
              - {name: away, watch: zimmer, if: "!zimmer.reachable", do: [{post: ops, text: away}]}
            """
        let clock = ManualClock()
        let environment = BotEnvironment(
            clock: clock, version: "0", log: RecordingLog(),
            makeTransport: { _ in CorrectingTransport(clock: clock, amount: amount) })
        let factory = ChannelFactory([RecordingKind("recording", into: EventLog())])
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: factory.schemas, now: clock.now())
        let assembly = try Assembly(
            try #require(file, "\(diagnostics)"), environment: environment,
            secrets: SecretResolver(environment: ["KEY": "k"], folder: "."), channels: factory)
        let ledger = try Ledger(
            .memory, rules: assembly.rules, delivery: DeliveryRules(channels: ["ops"]), notices: nil,
            freshness: assembly.freshness,
            clock: clock)
        let pollers = Pollers(
            assembly: assembly, ledger: ledger, clock: clock, log: RecordingLog(), writes: OwnWrites(), random: { 0 }
        ) { _ in }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pollers.run() }
            await clock.clock.sleepers(1)
            #expect(clock.clock.untilNextWake == .seconds(10))
            group.cancelAll()
        }
    }
}
