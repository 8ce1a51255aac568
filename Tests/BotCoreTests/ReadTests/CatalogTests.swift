import AdapterKitTesting
import BotTestSupport
import CEL
import DemoZimmer
import Rules
import Testing

@testable import BotCore

@Suite struct CatalogTests {
    private func catalog() throws -> Catalog { Catalog(try Fixture.document("configs")) }

    private func said(_ kind: Catalog.Kind, _ name: String, rules: [String] = ["r"]) throws -> [String] {
        try catalog().causes(rules.map { Catalog.Wanted(kind: kind, name: name, rule: $0) }).map(\.text)
    }

    @Test func `a name that is there is not spoken of`() throws {
        #expect(try said(.agentRoot, "widgets").isEmpty)
        #expect(try said(.goal, "green-pr").isEmpty)
        #expect(try said(.model, "opus").isEmpty)
    }

    @Test func `a name that is not there is told with those that are, once for all rules`() throws {
        let words = try said(.agentRoot, "wigdets", rules: ["a", "b"])
        #expect(words.count == 1)
        #expect(words[0].hasPrefix("There is no agent root 'wigdets' in this Zimmer; it has widgets, gadgets"))
        let cause = try #require(
            try catalog().causes(["a", "b", "a"].map { Catalog.Wanted(kind: .model, name: "x", rule: $0) }).first)
        #expect(cause.subjects == ["rule a", "rule b"])
    }

    @Test(arguments: ["{}", #"{"agent_roots": {}, "goals": 7, "runtime_models": []}"#])
    func `what the answer does not say is held against nobody`(text: String) throws {
        let catalog = Catalog(try JSONDocument(Array(text.utf8)).root)
        let wanted = Catalog.Kind.allCases.map { Catalog.Wanted(kind: $0, name: "x", rule: "r") }
        #expect(catalog.causes(wanted).isEmpty)
    }

    @Test func `a bot that runs tells of a name that this Zimmer does not have`() async throws {
        let server = try DemoServer()
        let clock = ManualClock()
        let text = """
            zimmer: {url: "\(server.url)", api_key: {env: KEY}}
            channels: {ops: {adapter: recording}}
            rules:
              - name: bad
                watch: session
                if: session.status == "failed"
                do: [{follow_up: {prompt: Go on., goal: gren-pr}}]
            """
        let environment = BotEnvironment(clock: clock, version: "0", log: RecordingLog())
        let factory = ChannelFactory([RecordingKind("recording", into: EventLog())])
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: factory.schemas, now: clock.now())
        let assembly = try Assembly(
            try #require(file, "\(diagnostics)"), environment: environment,
            secrets: SecretResolver(environment: ["KEY": server.apiKey], folder: "."), channels: factory)
        let ledger = try Ledger(
            .memory, rules: assembly.rules, delivery: DeliveryRules(channels: ["ops"]), notices: nil,
            freshness: assembly.freshness, clock: clock)
        let pollers = Pollers(
            assembly: assembly, ledger: ledger, clock: clock, log: RecordingLog(), writes: OwnWrites(), random: { 0 },
            decided: { _ in })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pollers.run() }
            // The board's and the catalog's reader rest.
            await clock.clock.sleepers(2)
            group.cancelAll()
        }
        let said = await ledger.catalogCauses.map(\.text)
        #expect(said == ["There is no goal 'gren-pr' in this Zimmer; it has green-pr"])
        server.stop()
    }
}
