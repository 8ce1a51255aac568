import AdapterKitTesting
import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

/// What holds of any run, whatever is read and whenever the bot is killed: tried with made-up boards.
@Suite struct LedgerLawTests {
    /// Rules with every key that keeps something in memory.
    private static let rules = """
          - name: plain
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: "{{ session.id }}"}, {wait: 2m}, {post: ops, text: "{{ session.id }} {{ fired.status }}"}]
            resolved: [{post: ops, text: "{{ session.id }} {{ episode.ended }}"}]
          - name: patient
            watch: session
            if: session.status == "failed" || session.status == "waiting"
            for: 90s
            keep: 1m
            key: session.status
            do: [{post: ops, text: "{{ session.id }} {{ episode.number }}"}]
            resolved: [{post: ops, text: "{{ session.id }} over"}]
          - name: again
            watch: session
            if: session.status != "running"
            keep: 1m
            repeat: {every: 2m, times: 3}
            limit: {per_subject_per_day: 6}
            do: [{post: ops, if: session.id != 3, text: "{{ session.id }} {{ episode.runs }}"}]
          - name: silenced
            watch: session
            if: session.status == "waiting" || session.status == "failed"
            suppress: plain
            do: [{post: pager, text: "{{ session.id }}"}]
            resolved: [{post: pager, text: "{{ session.id }} over"}]
          - name: once
            watch: session
            if: session.status == "waiting"
            once: session.status
            do: [{post: ops, text: "{{ session.id }}"}]
          - name: moved
            watch: session
            if: previous.status == "running" && session.status == "failed"
            do: [{post: ops, text: "{{ session.id }} {{ previous.status }}"}]
          - name: sweep
            watch: session
            schedule: "*/3 * * * *"
            if: session.status == "failed"
            do: [{post: ops, text: "{{ session.id }} at {{ slot.time }}"}]
          - name: slots
            schedule: "*/2 * * * *"
            jitter: 1m
            do: [{post: ops, text: "{{ slot.time }} {{ board.size() }}"}]
        """

    /// A board, or one that was not read.
    private enum Poll {
        case board([Int64: String])
        case failed
    }

    private static func polls(seed: UInt64) -> [Poll] {
        var random = SplitMix(seed)
        var board: [Int64: String] = [1: "running", 2: "running", 3: "failed"]
        return (0..<60).map { _ in
            if random.below(8) == 0 { return .failed }
            for id in board.keys.sorted() where random.below(3) == 0 {
                board[id] = ["running", "waiting", "failed"][random.below(3)]
            }
            if random.below(10) == 0 { board[Int64(4 + random.below(3))] = "failed" }
            return .board(board)
        }
    }

    /// What each rule said, in order, and what waits in the outbox at the end.
    private func play(seed: UInt64, restarting: Bool = false, twice: Bool = false) async throws -> [String] {
        let stage = try LedgerStage(Self.rules)
        var random = SplitMix(seed &+ 1)
        var said: [String: [String]] = [:]
        func note(_ decision: Decision) {
            for post in decision.posts {
                said[post.rule, default: []].append("\(post.channel) \(post.kind) \(post.text.plain)")
            }
        }
        for poll in Self.polls(seed: seed) {
            note(try await read(poll, stage, after: .seconds(30)))
            note(try await stage.ledger.tick())
            if restarting, random.below(4) == 0 {
                try stage.restart()
                // The first that a bot does is to read.
                note(try await read(poll, stage, after: .zero))
            }
            if twice { note(try await read(poll, stage, after: .zero)) }
        }
        let waiting = try await stage.waiting()
        return said.sorted { $0.key < $1.key }.flatMap { rule, lines in lines.map { "\(rule): \($0)" } }
            + waiting.sorted()
    }

    private func read(_ poll: Poll, _ stage: LedgerStage, after time: Duration) async throws -> Decision {
        switch poll {
        case .board(let sessions): try await stage.board(sessions, after: time)
        case .failed: try await stage.failBoard(after: time)
        }
    }

    @Test(arguments: 1...5)
    func `the same readings are decided alike`(seed: UInt64) async throws {
        #expect(try await play(seed: seed) == play(seed: seed))
    }

    @Test(arguments: 1...5)
    func `kills at any time change nothing that is decided`(seed: UInt64) async throws {
        let (whole, split) = (try await play(seed: seed), try await play(seed: seed, restarting: true))
        #expect(split == whole)
        #expect(whole.count > 100)
    }

    @Test(arguments: 1...5)
    func `what is seen twice is decided once`(seed: UInt64) async throws {
        let (once, twice) = (try await play(seed: seed), try await play(seed: seed, twice: true))
        #expect(twice == once)
    }
}
