import BotCore
import CEL
import Foundation
import Rules

/// The bot's way from an answer of Zimmer to a committed decision, without its loops and channels.
final class Pipeline {
    let ledger: Ledger
    let file: RuleFile
    private let url: String
    private let key: String
    private let transport: StagedTransport
    private let reader: ZimmerReader
    private let boardReader: BoardReader
    private let clock = SystemClock()
    private let directory: StateDirectory
    private(set) var rows: BoardRows?
    /// Decides beside the ledger, where the decision alone is to be measured.
    private var shadow: Shadow?

    /// - Parameter isStaged: the pages are fetched before a poll is measured, and the decision is measured by itself.
    init(url: String, key: String, isStaged: Bool) throws {
        self.url = url
        self.key = key
        file = try BenchmarkRules.load(BenchmarkRules.text(url: url))
        transport = StagedTransport()
        guard let address = ZimmerAddress(url) else { throw BenchmarkFailure("\(url) is not an address") }
        let client = ZimmerClient(
            address, key: APIKey(key), transport: transport, version: "benchmark", allowed: ZimmerCall.reads)
        let decoder = SessionDecoder(webURL: url)
        reader = ZimmerReader(client, decoder: decoder)
        let clock = clock
        boardReader = BoardReader(client, decoder: decoder) { clock.now() }
        directory = StateDirectory(NSTemporaryDirectory() + "/zimmer-bot-benchmark-\(UUID().uuidString)")
        try directory.create()
        let freshness = Observation.Freshness(boardInterval: .seconds(30), healthInterval: .seconds(120))
        let rules = RuleSet(file.rules)
        ledger = try Ledger(
            .directory(directory), rules: rules, delivery: DeliveryRules(file), notices: file.notices,
            freshness: freshness, clock: clock)
        if isStaged { shadow = Shadow(rules, freshness, startedAt: clock.now()) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory.path)
    }

    /// Reads health and costs, which rules have beside the board.
    func readOthers() async throws {
        let now = clock.now()
        let health = try await reader.health(at: now, timeout: .seconds(60))
        shadow?.observation.take(health)
        _ = try await ledger.take(.success(health))
        for request in await ledger.costsRequests() {
            let interval = CostsInterval(request.window, in: .gmt, at: now)
            let costs = try await reader.costs(interval, at: now, timeout: .seconds(60))
            shadow?.observation.take(costs, for: request, localNow: now)
            _ = try await ledger.take([request: .success(costs)])
        }
    }

    /// - Parameter sessions: how many the board has, as far as pages are fetched beforehand.
    func poll(sessions: Int) async throws -> PollMeasurement {
        if shadow != nil {
            for page in 1...max(1, (sessions + 99) / 100) {
                try await transport.stage("\(url)/api/v1/sessions?page=\(page)&per_page=100", key: key)
            }
        }
        let start = Instant()
        let rows = await boardReader.read(previous: rows, timeout: .seconds(600))
        guard rows.isWhole else { throw BenchmarkFailure(rows.problem ?? "the board was not read whole") }
        let read = start.elapsed
        let taking = Instant()
        let decision = try await ledger.take(rows, singles: [:])
        Heap.trim()
        let taken = taking.elapsed
        self.rows = rows
        let decide = shadow?.decide(rows, at: clock.now())
        return PollMeasurement(
            read: read.wall, decide: decide?.wall ?? 0, commit: taken.wall - (decide?.wall ?? 0),
            processor: read.processor + taken.processor, episodes: decision.episodes.count, runs: decision.runs.count,
            memory: ProcessUsage.memory())
    }
}

/// A moment on both clocks.
private struct Instant {
    private let wall = ContinuousClock.now
    private let processor = ProcessUsage.processorTime()

    var elapsed: (wall: Double, processor: Double) {
        ((ContinuousClock.now - wall) / .seconds(1), ProcessUsage.processorTime() - processor)
    }
}

/// The pure part of the ledger, once more.
private struct Shadow {
    let rules: RuleSet
    var observation: Observation
    var tracker = SessionTracker()
    var board: BoardReading?
    var memory = Memory()

    init(_ rules: RuleSet, _ freshness: Observation.Freshness, startedAt: Timestamp) {
        self.rules = rules
        observation = Observation(freshness: freshness, startedAt: startedAt)
    }

    mutating func decide(_ rows: BoardRows, at local: Timestamp) -> (wall: Double, processor: Double) {
        let now = local + (rows.skew ?? .zero)
        let reading = tracker.reading(of: rows, previous: board, at: now)
        observation.take(reading, departed: [:])
        board = reading
        let world = observation.world(now: now, localNow: local, latest: [])
        let start = Instant()
        _ = rules.decide(world, &memory)
        let elapsed = start.elapsed
        observation.decided(keeping: [])
        return elapsed
    }
}

struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
