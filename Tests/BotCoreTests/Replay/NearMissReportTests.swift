import AdapterKitTesting
import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

/// What a week of recorded polls says of rules that nearly match.
@Suite struct NearMissReportTests {
    private static func rule(_ condition: String) -> String {
        """
          - name: failed
            watch: session
            if: '\(condition)'
            do: [{post: ops, text: "{{ session.title }}"}]
        """
    }

    private static let right = rule(#"session.status == "failed" && session.id > 0"#)
    private static let typo = rule(#"session.status == "faild" && session.id > 0"#)

    private func report(_ stage: LedgerStage, _ rules: String = Self.typo) throws -> NearMissReport {
        NearMissReport(try LedgerStage.load(rules), in: stage.directory)
    }

    private func near(_ report: NearMissReport) -> [String] { report.rules.flatMap(\.near).map(\.subject.id) }

    private func recorded(_ count: Int = 4, every time: Duration = .seconds(30)) async throws -> LedgerStage {
        let stage = try LedgerStage(Self.typo)
        for round in 0..<count {
            try await stage.board([7: "running", 8: round % 2 == 0 ? "failed" : "running"], after: time)
        }
        return stage
    }

    @Test func `a word that is spelt wrongly is found`() async throws {
        let stage = try await recorded()
        let report = try report(stage)
        #expect(near(report) == ["7", "8"])
        #expect(report.rules.first?.near.first?.title == "Session 7")
        let reads = report.rules.first?.near.first?.clause.reads ?? []
        #expect(reads.map { "\($0.path) = \($0.value)" } == [#"session.status = "running""#])
        #expect(report.note == nil)
        #expect(!report.isWhole)
        #expect(report.to == stage.clock.now())
        #expect(report.from == report.recordedSince)
    }

    @Test func `a threshold that is never reached is found at what time alone changes`() async throws {
        let stage = try await recorded(12, every: .seconds(600))
        func rule(_ limit: String) -> String {
            Self.rule(#"session.id == 7 && now - session.status_since > duration("\#(limit)")"#)
        }
        #expect(near(try report(stage, rule("72h"))) == ["7"])
        // Reached between two changes of the session.
        #expect(near(try report(stage, rule("90m"))) == [])
    }

    @Test func `a rule that would have matched once has no near miss there`() async throws {
        #expect(near(try report(try await recorded(), Self.right)) == ["7"])
    }

    @Test func `what the rule ran for is none, although it reads otherwise by now`() async throws {
        let stage = try LedgerStage(Self.right)
        for _ in 0..<3 { try await stage.board([7: "running", 8: "failed"]) }
        #expect(near(try report(stage)) == ["7"])
    }

    @Test func `only the last week counts, and all of it`() async throws {
        let stage = try LedgerStage(Self.typo)
        let day: Duration = .seconds(86_400)
        // Session 7 was further away before the week, 9 comes in it.
        let rule = Self.rule(#"session.status == "faild" && session.status != "waiting""#)
        for number in 0..<20 {
            let all: [Int64: String] = [7: number < 4 ? "waiting" : "running", 8: "failed", 9: "failed"]
            try await stage.board(all.filter { $0.key != 9 || number > 16 }, after: day / 2)
        }
        let report = try report(stage, rule)
        #expect(near(report) == ["7", "8"])
        #expect(report.isWhole)
        #expect(report.span == day * 7)
        #expect(report.to == stage.clock.now())
    }

    @Test func `it reads on over restarts and failed polls`() async throws {
        let stage = try await recorded()
        try await stage.failBoard()
        try stage.restart(after: .seconds(600))
        try await stage.failBoard()
        for _ in 0..<3 { try await stage.board([7: "running", 8: "waiting", 9: "running"]) }
        #expect(near(try report(stage)) == ["7", "8"])
    }

    @Test func `Zimmer itself and lists are looked at too`() async throws {
        let stage = try await recorded()
        let rules = """
              - name: away
                watch: zimmer
                if: zimmer.reachable && board.size() > 1000
                do: [{post: ops, text: many}]
              - name: health
                watch: health
                if: health.queue_recovery_mode.active && board.size() > 0
                do: [{post: ops, text: on}]
            """
        let report = try report(stage, rules)
        // Health was never read, so that nothing is said of it.
        #expect(report.rules.map(\.rule) == ["away"])
        #expect(report.rules.first?.near.map(\.clause.text) == ["board.size() > 1000"])
    }

    @Test func `where nothing is recorded it says so`() throws {
        let folder = try TemporaryDirectory()
        let database = try Database(at: StateDirectory(folder.path).databasePath, as: .writer)
        try Migrator(migrations: Schema.migrations).migrate(database)
        let report = NearMissReport(try LedgerStage.load(Self.typo), in: StateDirectory(folder.path))
        #expect(report.note?.hasPrefix("nothing is recorded yet") == true)
        #expect(report.rules.isEmpty && report.to == nil && report.recordedSince == nil)
    }

    @Test func `of a recording that is damaged what comes after is looked at`() async throws {
        let stage = try await recorded()
        try await stage.ledger.damageLastRow()
        try stage.restart(after: .seconds(60))
        let begin = stage.clock.now()
        for _ in 0..<3 { try await stage.board([8: "running", 9: "running"]) }
        let report = try report(stage)
        #expect(near(report) == ["8", "9"])
        #expect(report.note?.hasSuffix("cannot be read: nothing up to there was looked at") == true)
        #expect(try #require(report.from) >= begin)
        #expect(report.to == stage.clock.now())
    }

    @Test func `of a recording whose end is damaged what comes before is looked at`() async throws {
        let stage = try await recorded()
        try await stage.board([8: "running"])
        try await stage.ledger.damageLastRow()
        let report = try report(stage)
        #expect(near(report) == ["7", "8"])
        #expect(report.note?.hasSuffix("cannot be read: nothing from there on was looked at") == true)
        #expect(report.to == stage.clock.now() - .seconds(30))
    }

    @Test func `a place to begin at that is dated ahead makes no span that ends before it begins`() async throws {
        let stage = try await recorded()
        try await stage.ledger.dateStartsAhead()
        let report = try report(stage)
        #expect(near(report) == ["7", "8"])
        #expect(report.span == .seconds(90))
        #expect(report.recordedSince == report.from)
    }

    @Test func `a first decision by this machine's clock, which is ahead, makes no such span either`() async throws {
        let stage = try LedgerStage(Self.typo)
        _ = try await stage.ledger.tick()
        await stage.ledger.note(skew: .seconds(-52 * 86_400))
        for _ in 0..<4 { try await stage.board([7: "failed"]) }
        #expect(try report(stage).span == .seconds(90))
    }

    @Test func `a file that is no store any more is a note`() throws {
        let folder = try TemporaryDirectory()
        try folder.write("no database", to: "zimmer-bot.sqlite")
        let report = NearMissReport(try LedgerStage.load(Self.typo), in: StateDirectory(folder.path))
        #expect(report.note?.isEmpty == false)
        #expect(report.rules.isEmpty)
    }

    @Test(arguments: UInt64(40)...45)
    func `whatever happened, it is what looking at every recorded poll gives`(seed: UInt64) async throws {
        var world = try RandomWorld(seed: seed)
        try await world.live(rounds: 60)
        let file = try LedgerStage.load(
            """
              - name: typo
                watch: session
                if: session.status != "runing" && session.title.startsWith("C")
                do: [{post: ops, text: x}]
              - name: old
                watch: session
                if: session.status != "x" && now - session.status_since > duration("72h")
                do: [{post: ops, text: x}]
              - name: mixed
                watch: session
                if: session.status != "failed" && session.pr.ci != "pass" && previous.status != "failed"
                do: [{post: ops, text: x}]
            """)
        let expected = try Self.thorough(file, world.stage.directory)
        let report = NearMissReport(file, in: world.stage.directory)
        for misses in report.rules {
            #expect(
                Set(misses.near.map { "\($0.subject) \($0.clause.text)" }) == expected[misses.rule], "\(misses.rule)")
        }
        #expect(report.rules.count == 3)
    }

    /// By evaluating every clause for every session of every recorded board.
    private static func thorough(_ file: RuleFile, _ directory: StateDirectory) throws -> [String: Set<String>] {
        let recording = try Recording(directory)
        let rules = RuleSet(file.rules)
        var observation = Observation(freshness: ZimmerSettings.Polling().freshness, startedAt: recording.starts[0].at)
        // What each session missed at each look, `nil` where it cannot be told; a session that is new is of no interest.
        var looks: [String: [SubjectID: [Set<String>?]]] = [:]
        var polls = 0
        func ignore(_ progress: Double) {}
        try recording.entries(from: recording.starts[0], progress: ignore) { _, entry in
            guard case .decision(let decision) = entry else { return true }
            if let startedAt = decision.startedAt {
                observation = Observation(
                    freshness: ZimmerSettings.Polling().freshness, startedAt: startedAt, sessions: observation.sessions,
                    objects: observation.storedObjects)
            }
            for item in decision.intake { observation.take(item, localNow: decision.localNow) }
            let world = observation.world(now: decision.now, localNow: decision.localNow, latest: [])
            observation.decided(keeping: [])
            guard case .whole(let subjects)? = world.watched["session"] else { return true }
            polls += 1
            for prepared in rules.rules {
                var evaluator = Evaluator(prepared, world: world)
                for subject in subjects.all {
                    evaluator.bind(subject)
                    let clauses = evaluator.clausesAlone()
                    let failing = Set(clauses.filter { $0.outcome != .holds && $0.outcome != .cannotTell }.map(\.text))
                    let isTold = !clauses.contains { $0.outcome == .cannotTell } || failing.count > 1
                    looks[prepared.name, default: [:]][subject.id, default: []].append(isTold ? failing : nil)
                }
            }
            return true
        }
        return looks.mapValues { looks in
            Set(
                looks.compactMap { subject, missed in
                    let told = Set(missed.compactMap(\.self))
                    guard missed.count == polls, told.count == 1, let clause = told.first, clause.count == 1,
                        missed.last.flatMap(\.self) != nil
                    else { return nil }
                    return "\(subject) \(clause.first ?? "")"
                })
        }
    }
}

extension Ledger {
    fileprivate func dateStartsAhead() throws {
        try database.execute("UPDATE history_starts SET at = at + 86400000000")
    }
}
