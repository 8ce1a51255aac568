import AdapterKitTesting
import BotTestSupport
import CEL
import DemoZimmer
import Rules
import Testing

@testable import BotCore

/// What people are told of a Zimmer whose answers are of no use: the log, `status` and the notice say the same.
@Suite(.timeLimit(.minutes(10))) struct ReadingTroubleTests {
    private let server: DemoServer
    private let log = RecordingLog()
    private let ledger: Ledger
    private let pollers: Pollers

    init() throws {
        server = try DemoServer()
        let text = """
            zimmer: {url: "\(server.url)", api_key: {env: KEY}}
            channels: {ops: {adapter: recording}}
            rules:
              - {name: failed, watch: session, if: session.status == "failed", do: [{post: ops, text: failed}]}
            """
        let factory = ChannelFactory([RecordingKind("recording", into: EventLog())])
        let clock = ManualClock()
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: factory.schemas, now: clock.now())
        let environment = BotEnvironment(
            clock: clock, version: "0", log: log, makeTransport: { _ in HastyTransport() })
        let assembly = try Assembly(
            try #require(file, "\(diagnostics)"), environment: environment,
            secrets: SecretResolver(environment: ["KEY": server.apiKey], folder: "."), channels: factory)
        ledger = try Ledger(
            .memory, rules: assembly.rules, delivery: DeliveryRules(channels: ["ops"]), notices: nil,
            freshness: assembly.freshness, clock: clock)
        pollers = Pollers(
            assembly: assembly, ledger: ledger, clock: clock, log: log, writes: OwnWrites(), random: { 0 },
            decided: { _ in })
    }

    struct Trouble: Sendable, CustomTestStringConvertible {
        var name: String
        var effect: Fault.Effect
        var words: String
        var isOutage = true
        var testDescription: String { name }

        init(_ name: String, _ effect: Fault.Effect, _ words: String, isOutage: Bool = true) {
            (self.name, self.effect, self.words, self.isOutage) = (name, effect, words, isOutage)
        }
    }

    private static func answer(_ text: String, _ type: String = "application/json") -> Fault.Effect {
        .answer(
            DemoZimmer.HTTPResponse(
                status: 200, headers: [DemoZimmer.HTTPHeader("Content-Type", type)], body: Array(text.utf8)))
    }

    private static let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)

    static let troubles = [
        Trouble("a web page", answer("<!DOCTYPE html><title>Sign in</title>", "text/html"), "a web page answered"),
        Trouble("a text", answer("It works!", "text/plain"), "cannot be read as JSON"),
        Trouble("nothing", answer(""), "cannot be read as JSON"),
        Trouble("other JSON", answer("{}"), "has no list of sessions"),
        Trouble(
            "endless pages", answer(#"{"sessions": [], "pagination": {"total_count": 9000000000}}"#),
            "counts 9000000000 of them", isOutage: false),
        Trouble("too deep JSON", answer(#"{"sessions": \#(deep)}"#), "cannot be read as JSON", isOutage: false),
        Trouble("an answer that does not come", .hold(nil), "did not answer in time"),
        Trouble("half an answer", .cutBody(after: 40), "closed the connection before it had answered"),
    ]

    private var shown: [String] { log.lines.filter { !$0.hasPrefix("debug:") } }

    @Test(arguments: troubles)
    func `its beginning is one line, its end one line, and status and the notice say the same`(
        trouble: Trouble
    ) async throws {
        await pollers.once([.board])
        server.inject(trouble.effect, times: nil)
        for _ in 1...3 { await pollers.once([.board]) }
        let problem = try #require(await ledger.observation.standing.error)
        #expect(problem.contains(trouble.words))
        #expect(shown.count == 1, "\(shown)")
        let begin = trouble.isOutage ? "warning: Zimmer cannot be read" : "warning: a reading failed"
        #expect(shown.first?.hasPrefix("\(begin) reader=board ") == true)
        #expect(shown.first?.contains(" problem=\(problem) what_to_do=") == true)
        #expect(await ledger.outages.current?.reason == (trouble.isOutage ? problem : nil))
        #expect(await ledger.observation.standing.isReachable == !trouble.isOutage)

        server.clearFaults()
        await pollers.once([.board])
        await pollers.once([.board])
        #expect(shown.count == 2, "\(shown)")
        let end = trouble.isOutage ? "info: Zimmer can be read again" : "info: a reading works again"
        #expect(shown.last?.hasPrefix(end) == true)
        #expect(await ledger.observation.standing.error == nil)
        #expect(!log.lines.contains { $0.contains(server.apiKey) || $0.contains("<") })
    }

    @Test func `a trouble that becomes another is one outage, which does not end in between`() async throws {
        for trouble in Self.troubles.filter(\.isOutage) {
            server.clearFaults()
            server.inject(trouble.effect, times: nil)
            await pollers.once([.board])
        }
        server.clearFaults()
        await pollers.once([.board])
        let sentences = shown.map { String($0.prefix { $0 != "=" }) }
        #expect(
            sentences == [
                "warning: Zimmer cannot be read reader", "warning: Zimmer cannot be read reader",
                "info: Zimmer can be read again after",
            ])
    }
}
