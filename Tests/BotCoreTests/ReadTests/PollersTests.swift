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
            assembly: assembly, ledger: ledger, clock: clock, log: RecordingLog(), writes: OwnWrites(), random: { 0 },
            decided: { _ in })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pollers.run() }
            await clock.clock.sleepers(1)
            #expect(clock.clock.untilNextWake == .seconds(10))
            group.cancelAll()
        }
    }

    /// A board that is empty, for ever.
    private struct EmptyBoard: BotCore.HTTPTransport {
        func send(_ request: BotCore.HTTPRequest) async throws(HTTPError) -> BotCore.HTTPResponse {
            BotCore.HTTPResponse(
                status: 200, body: Array(#"{"sessions": [], "pagination": {"total_count": 0}}"#.utf8))
        }
    }

    @Test(.timeLimit(.minutes(10))) func `after a write of ours the board is read soon, and once before its time`()
        async throws
    {
        let clock = ManualClock()
        let (writes, log) = (OwnWrites(), EventLog<Duration>())
        let pollers = try Self.pollers(on: EmptyBoard(), clock, writes) { _ in log.append(clock.elapsed()) }
        let start = clock.elapsed()
        func read(_ count: Int) async throws -> Duration { try await log.element(count, from: 0) { _ in true } - start }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pollers.run() }
            let first = try await read(1)
            #expect(first == .zero)
            await clock.clock.sleepers(1)
            writes.note(at: clock.elapsed())
            // It rests until two seconds have passed since it began.
            while clock.clock.untilNextWake != .seconds(2) { await Task.yield() }
            clock.clock.advance(by: .seconds(2))
            let second = try await read(2)
            #expect(second == .seconds(2))
            // Another write soon after it waits for the usual time.
            writes.note(at: clock.elapsed())
            await clock.clock.sleepers(1)
            #expect(clock.clock.untilNextWake == .seconds(30))
            clock.clock.advance(by: .seconds(30))
            let third = try await read(3)
            #expect(third == .seconds(32))
            group.cancelAll()
        }
    }

    private static func pollers(
        on transport: some BotCore.HTTPTransport, _ clock: ManualClock, _ writes: OwnWrites,
        decided: @escaping @Sendable (Decision) -> Void
    ) throws -> Pollers {
        let text = """
            zimmer: {url: "http://127.0.0.1:1", api_key: {env: KEY}}
            channels: {ops: {adapter: recording}}
            rules:
              - {name: away, watch: zimmer, if: "!zimmer.reachable", do: [{post: ops, text: away}]}
            """
        let environment = BotEnvironment(
            clock: clock, version: "0", log: RecordingLog(), makeTransport: { _ in transport })
        let factory = ChannelFactory([RecordingKind("recording", into: EventLog())])
        let (file, diagnostics) = RuleFile.load(
            text.utf8, file: "rules.yaml", vocabulary: .zimmer, channels: factory.schemas, now: clock.now())
        let assembly = try Assembly(
            try #require(file, "\(diagnostics)"), environment: environment,
            secrets: SecretResolver(environment: ["KEY": "k"], folder: "."), channels: factory)
        let ledger = try Ledger(
            .memory, rules: assembly.rules, delivery: DeliveryRules(channels: ["ops"]), notices: nil,
            freshness: assembly.freshness, clock: clock)
        return Pollers(
            assembly: assembly, ledger: ledger, clock: clock, log: RecordingLog(), writes: writes, random: { 0 },
            decided: decided)
    }
}
