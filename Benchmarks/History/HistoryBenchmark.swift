import BotCore
import CEL
import Foundation
import Rules
import Synchronization

/// What a month of polls takes: in the store, and to be replayed.
struct HistoryBenchmark: Codable {
    var days = 30
    var sessions = 200
    var rules: Int
    var polls = 0
    /// Sessions that were told anew, over all polls.
    var changes = 0
    var fileBytes = 0
    var historyBytes = 0
    /// Seconds of a poll: decided, recorded, committed.
    var perPoll = 0.0
    /// In seconds.
    var replay = 0.0
    /// Of the last week, in seconds.
    var nearMisses = 0.0

    /// A Thursday.
    private static let start: Int64 = 1_790_812_800
    private static let interval: Int64 = 30

    init() async throws {
        let directory = StateDirectory(Self.folder + "/zimmer-bot-benchmark-\(UUID().uuidString)")
        try directory.create()
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        let file = try BenchmarkRules.load(Self.text)
        rules = file.rules.count
        try await record(file, in: directory)
        fileBytes = try FileManager.default.attributesOfItem(atPath: directory.databasePath)[.size] as? Int ?? 0
        try replay(file, from: directory)
        try findNearMisses(in: directory)
    }

    /// In memory, where the machine offers that: what a disk takes for a commit is not what is measured.
    private static var folder: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    }

    private mutating func record(_ file: RuleFile, in directory: StateDirectory) async throws {
        let clock = PolledClock(Self.start)
        let ledger = try Ledger(
            .directory(directory), rules: RuleSet(file.rules), delivery: DeliveryRules(file), notices: nil,
            freshness: Observation.Freshness(boardInterval: .seconds(30), healthInterval: .seconds(120)), clock: clock)
        var board = try MadeUpBoard(sessions: sessions, at: Self.start)
        var random = Numbers(state: 1)
        var spent = Duration.zero
        while clock.seconds < Self.start + Int64(days) * 86_400 {
            if Self.isWorkingHour(clock.seconds) {
                for _ in 0..<(sessions / 20) {
                    try board.change(Int.random(in: 0..<sessions, using: &random), at: clock.seconds)
                    changes += 1
                }
            }
            let begin = ContinuousClock.now
            _ = try await ledger.take(BoardRows(whole: board.rows), singles: [:])
            spent += ContinuousClock.now - begin
            polls += 1
            clock.advance(by: Self.interval)
        }
        perPoll = (spent / polls).seconds
    }

    /// Monday to Friday, 9 to 18, UTC.
    private static func isWorkingHour(_ seconds: Int64) -> Bool {
        // 1970 began on a Thursday.
        let weekday = (seconds / 86_400 + 3) % 7
        return weekday < 5 && (9..<18).contains(seconds % 86_400 / 3_600)
    }

    private mutating func replay(_ file: RuleFile, from directory: StateDirectory) throws {
        let recording = try Recording(directory)
        historyBytes = try recording.size
        let begin = ContinuousClock.now
        let span = Replay.Span(
            since: Timestamp(seconds: Self.start), until: Timestamp(seconds: Self.start + Int64(days) * 86_400))
        var replay = try Replay(file, over: recording, span)
        let report = try replay.run()
        self.replay = (ContinuousClock.now - begin).seconds
        guard !report.hasDifferences, report.unchanged > 0 else {
            throw BenchmarkFailure(
                "a replay of the same rules differs: \(report.added.count) added, \(report.removed.count) removed")
        }
    }

    private mutating func findNearMisses(in directory: StateDirectory) throws {
        let file = try BenchmarkRules.load(Self.text + Self.slips)
        let begin = ContinuousClock.now
        let report = NearMissReport(file, in: directory)
        nearMisses = (ContinuousClock.now - begin).seconds
        let near = report.rules.map(\.near.count).reduce(0, +)
        guard report.isWhole, near == 3 * sessions else {
            throw BenchmarkFailure("\(near) near misses were found in the last week: \(report.note ?? "")")
        }
    }

    /// Rules that nearly match every session all week.
    private static let slips = """

          - name: misspelt
            watch: session
            if: session.status == "faild" && session.precedence > 0
            do: [{post: ops, text: "{{ session.title }} failed"}]
          - name: never
            watch: session
            if: session.status != "archived" && session.idle > duration("1000h")
            do: [{post: ops, text: "{{ session.title }} is old"}]
          - name: hours
            watch: session
            if: session.status != "archived" && session.idle.getHours() > 1000
            do: [{post: ops, text: "{{ session.title }} is old"}]
        """

    private static let text = """
        channels: {ops: {adapter: console}}
        rules:
          - name: failed
            watch: session
            if: session.status == "failed"
            for: 2m
            do: [{post: ops, text: "{{ session.title }} failed"}]
            resolved: [{post: ops, text: "{{ session.title }} goes on"}]
          - name: green
            watch: session
            if: session.status == "needs_input" && session.pr.state == "open" && session.pr.ci == "pass"
            for: 5m
            key: session.pr.url
            do: [{post: ops, text: "{{ session.title }} is green"}]
          - name: asks
            watch: session
            if: session.status == "needs_input"
            for: 10m
            do: [{post: ops, text: "{{ session.title }} asks"}]
          - name: stale
            watch: session
            if: session.status == "needs_input" && session.idle > duration("72h")
            do: [{post: ops, text: "{{ session.title }} is stale"}]
          - name: broken
            watch: session
            if: session.pr.ci == "fail"
            for: 15m
            do: [{post: ops, text: "{{ session.title }} is red"}]
          - name: named
            watch: session
            if: session.title.matches("^Task 1[0-9]*7:") && session.status == "waiting"
            do: [{post: ops, text: "{{ session.title }} waits"}]
          - name: many
            watch: zimmer
            if: board.filter(s, s.status == "failed").size() > 10
            do: [{post: ops, text: Many failed.}]
          - name: away
            watch: zimmer
            if: "!zimmer.reachable"
            for: 2m
            do: [{post: ops, text: Zimmer is away.}]
          - name: hourly
            schedule: "0 * * * *"
            do: [{post: ops, text: "{{ board.size() }} sessions"}]
          - name: weekly
            schedule: "0 9 * * 1"
            do: [{post: ops, text: "{{ board.size() }} sessions"}]
        """
}

/// A clock that only the benchmark puts forward.
private final class PolledClock: BotClock {
    private let start: Int64
    private let time: Mutex<Int64>

    init(_ start: Int64) {
        self.start = start
        time = Mutex(start)
    }

    var seconds: Int64 { time.withLock { $0 } }

    func advance(by seconds: Int64) {
        time.withLock { $0 += seconds }
    }

    func now() -> Timestamp { Timestamp(seconds: seconds) }
    func elapsed() -> Duration { .seconds(seconds - start) }
    func sleep(for duration: Duration) async throws {}
}

private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
