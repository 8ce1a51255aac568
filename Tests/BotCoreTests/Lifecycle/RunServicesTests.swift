import BotCore
import Synchronization
import Testing

@Suite struct RunServicesTests {
    private let journal = Journal()
    private let signals: AsyncStream<SignalSource.Signal>
    private let sender: AsyncStream<SignalSource.Signal>.Continuation

    init() {
        (signals, sender) = AsyncStream.makeStream()
    }

    private func services(_ names: String...) -> [any Service] {
        names.map { Worker(name: $0, journal: journal) }
    }

    /// Sends a signal as soon as every service of the list runs.
    private func send(_ signal: SignalSource.Signal, whenRunning count: Int) async {
        await journal.wait { $0.count { $0.hasSuffix("started") } == count }
        sender.yield(signal)
    }

    @Test(arguments: [SignalSource.Signal.terminate, .interrupt])
    func `a stop signal drains and cancels one after the other, last started first`(signal: SignalSource.Signal)
        async throws
    {
        async let run: Void = runServices(services("store", "reader", "sender"), signals: signals)
        await send(signal, whenRunning: 3)
        try await run
        #expect(
            journal.entries.dropFirst(3) == [
                "sender drained", "sender ended", "reader drained", "reader ended", "store drained", "store ended",
            ])
    }

    @Test func `a drain that takes too long is cut off, and everything ends`() async throws {
        let stuck = Worker(name: "sender", journal: journal, drainsForever: true)
        async let run: Void = runServices(
            services("store") + [stuck], signals: signals, drainingAtMost: .seconds(10), clock: ImpatientClock())
        await send(.terminate, whenRunning: 2)
        try await run
        #expect(Set(journal.entries).isSuperset(of: ["sender ended", "store ended"]))
    }

    @Test func `one that is done ends the others, which is a success`() async throws {
        let once = Worker(name: "once", journal: journal, result: .success(()))
        try await runServices(services("store") + [once], signals: signals)
        #expect(journal.entries.contains("store ended"))
    }

    @Test func `one that fails ends the others, and its error is reported`() async throws {
        let failing = Worker(name: "failing", journal: journal, result: .failure(Broken()))
        await #expect(throws: Broken.self) {
            try await runServices(services("store") + [failing], signals: signals)
        }
        #expect(journal.entries.contains("store ended"))
    }

    @Test func `SIGHUP is handed on and stops nothing`() async throws {
        let journal = journal
        async let run: Void = runServices(
            services("store"), signals: signals, onHangUp: { journal.add("reload") })
        await send(.hangUp, whenRunning: 1)
        await journal.wait { $0.contains("reload") }
        #expect(!journal.entries.contains("store ended"))
        sender.yield(.terminate)
        try await run
    }

    @Test func `cancelling the call ends the services without a drain`() async throws {
        let services = services("store", "reader")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [signals] in try await runServices(services, signals: signals) }
            await journal.wait { $0.count == 2 }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(Set(journal.entries.dropFirst(2)) == ["store ended", "reader ended"])
    }
}

private struct Broken: Error {}

/// A service that works until it is cancelled, or until it has `result`, and writes down what happens to it.
private struct Worker: Service {
    var name: String
    var journal: Journal
    var drainsForever = false
    var result: Result<Void, Broken>?

    func run() async throws {
        journal.add("\(name) started")
        defer { journal.add("\(name) ended") }
        if let result { return try result.get() }
        try await Task.sleep(for: .seconds(100_000))
    }

    func drain() async {
        if drainsForever { try? await Task.sleep(for: .seconds(100_000)) }
        journal.add("\(name) drained")
    }
}

/// What happened, in order; a test can wait for it.
private final class Journal: Sendable {
    private struct State {
        var entries: [String] = []
        var waiting: [(condition: @Sendable ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())

    var entries: [String] { state.withLock { $0.entries } }

    func add(_ entry: String) {
        state.withLock { state in
            state.entries.append(entry)
            let entries = state.entries
            for waiter in state.waiting where waiter.condition(entries) { waiter.continuation.resume() }
            state.waiting.removeAll { $0.condition(entries) }
        }
    }

    func wait(until condition: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if condition(state.entries) { return continuation.resume() }
                state.waiting.append((condition, continuation))
            }
        }
    }
}

/// A clock on which every time has come.
private struct ImpatientClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}
