import CEL
import Testing

@testable import Rules

/// Rules that read the clock are evaluated where time changed something, and come to the same as if everything were
/// evaluated at every reading.
@Suite struct FlipsTests {
    @Test(
        arguments: [
            "now - session.touched_at > duration('90s')",
            "now - session.touched_at < duration('10m') && session.status == 'failed'",
            "session.touched_at + duration('2h') < now || session.status == 'waiting'",
            "now.getMinutes() % 2 == 0 && session.status == 'failed'",
            "session.status == 'failed' ? now - session.touched_at >= duration('30s') : now > timestamp(1800003000)",
        ], 1...3)
    func `time alone decides as a full evaluation does`(condition: String, seed: UInt64) throws {
        var random = SmallRandom(state: seed)
        let rules = RuleSet([try .test(if: condition)])
        var board = Board(sessions: (1...20).map { .init(id: $0, touched: 1_800_000_000 - 40 * Int64($0)) })
        var (sparing, thorough) = (Memory(), Memory())
        for _ in 1...300 {
            board.step(&random)
            thorough.reload()
            let (a, b) = (rules.decide(board.world, &sparing), rules.decide(board.world, &thorough))
            #expect(a.said == b.said, "at \(board.now)")
            #expect(sparing.rules["r"]?.episodes == thorough.rules["r"]?.episodes, "at \(board.now)")
        }
    }

    @Test func `a subject is evaluated again when its time has come, and not before`() throws {
        let rules = RuleSet([try .test(if: "now - session.touched_at > duration('90s')")])
        var board = Board(sessions: [.init(id: 1, touched: 1_800_000_000), .init(id: 2, touched: 1_700_000_000)])
        var memory = Memory()
        _ = rules.decide(board.world, &memory)
        let prepared = try #require(rules.rule("r"))
        for (seconds, due) in [(30, []), (59, []), (1, [0]), (1, [0])] as [(Int64, [Int])] {
            board.now = board.now + .seconds(seconds)
            let world = board.world
            guard case .whole(let subjects) = world.watched["session"] else { return }
            #expect(memory.rules["r"]?.toEvaluate(subjects, prepared, world) == due, "at \(board.now)")
            if !due.isEmpty { _ = rules.decide(world, &memory) }
        }
    }

    /// A board of which it is known what changed from one reading to the next.
    private struct Board {
        var sessions: [Scenario.Session]
        var now = Timestamp(seconds: 1_800_000_000)
        private var revision: UInt64 = 1
        private var changed: (base: UInt64, indices: [Int])?

        init(sessions: [Scenario.Session]) {
            self.sessions = sessions
        }

        var world: World {
            World(
                now: now,
                watched: [
                    "session": .whole(Subjects(sessions.map(\.subject), revision: revision, changed: changed))
                ])
        }

        /// The next reading: time passes, rarely much or backwards, and now and then a session changes.
        mutating func step(_ random: inout SmallRandom) {
            switch random.next(below: 40) {
            case 0: now = now + .seconds(4_000)
            case 1: now = now + .seconds(-45)
            default: now = now + .seconds(Int64(random.next(below: 60)))
            }
            changed = (revision, [])
            revision += 1
            guard random.next(below: 3) == 0 else { return }
            let index = random.next(below: sessions.count)
            sessions[index].status = ["failed", "waiting", "running"][random.next(below: 3)]
            if random.next(below: 2) == 0 { sessions[index].touched = now.seconds }
            changed?.indices = [index]
        }
    }
}

/// The same steps for the same seed.
struct SmallRandom {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
