import DemoZimmer

/// What polling a board of one size costs.
struct BoardBenchmark: Codable {
    /// In seconds, the bytes of the pages being here; medians.
    struct Poll: Codable {
        var read: Double
        var decide: Double
        var commit: Double
        var total: Double
        var processor: Double
    }

    var sessions: Int
    var first: Poll
    var unchanged: Poll
    var changed: Poll
    /// Episodes that began with the first poll, and runs.
    var episodes: Int
    var runs: Int
    /// Of a process that fetches its pages as it reads them, in KiB: the most ever, and after some polls.
    var peak: Int
    var idleResident: Int
    var idleAnonymous: Int
    /// Of one processor, polling every 30 s while 5 % of the sessions change; transfer included.
    var idleShare: Double

    private static let rounds = 5
    /// The first readings of a large board are recorded bit by bit, beside what is measured later.
    private static let recordedAtOnce = 2_000
    private static let interval = 30.0

    init(sessions: Int) throws {
        var state = ZimmerState(now: DemoServer.morning)
        state.addBulk(sessions)
        let server = try DemoServer(state: state, recordsReads: false)
        defer { server.stop() }
        let firsts = try (0..<Self.rounds).map { _ in try Self.firstPoll(server) }
        let bot = try MeasuredBot(server, isStaged: true)
        for _ in 0...sessions / Self.recordedAtOnce { _ = try bot.poll() }
        let unchanged = try Self.polls(bot, server, changing: 0)
        let changed = try Self.polls(bot, server, changing: 0.01)
        try bot.stop()
        let idle = try Self.idle(server)

        self.sessions = sessions
        first = Poll(firsts)
        self.unchanged = Poll(unchanged)
        self.changed = Poll(changed)
        episodes = firsts.map(\.episodes).max() ?? 0
        runs = firsts.map(\.runs).max() ?? 0
        peak = idle.first.memory.peak
        idleResident = idle.later.last?.memory.resident ?? 0
        idleAnonymous = idle.later.last?.memory.anonymous ?? 0
        idleShare = median(idle.later.map(\.processor)) / Self.interval
    }

    private static func firstPoll(_ server: DemoServer) throws -> PollMeasurement {
        let bot = try MeasuredBot(server, isStaged: true)
        let measurement = try bot.poll()
        try bot.stop()
        return measurement
    }

    private static func polls(
        _ bot: MeasuredBot, _ server: DemoServer, changing fraction: Double
    ) throws -> [PollMeasurement] {
        try (0..<rounds).map { round in
            server.advance(by: .seconds(interval))
            if fraction > 0 { server.update { _ = $0.mutate(fraction: fraction, round: round) } }
            return try bot.poll()
        }
    }

    private static func idle(_ server: DemoServer) throws -> (first: PollMeasurement, later: [PollMeasurement]) {
        let bot = try MeasuredBot(server, isStaged: false)
        let first = try bot.poll()
        let later = try polls(bot, server, changing: 0.05)
        try bot.stop()
        return (first, later)
    }
}

extension BoardBenchmark.Poll {
    init(_ measurements: [PollMeasurement]) {
        read = median(measurements.map(\.read))
        decide = median(measurements.map(\.decide))
        commit = median(measurements.map(\.commit))
        total = median(measurements.map(\.total))
        processor = median(measurements.map(\.processor))
    }
}

/// Zero of nothing.
func median(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers.sorted()[numbers.count / 2]
}
