import AdapterKitTesting
import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct ReplayTests {
    private static func failed(
        _ more: String = "", if condition: String = #"session.status == "failed""#,
        do steps: String = #"{post: ops, text: "{{ session.title }}"}"#
    ) -> String {
        """
          - name: failed
            watch: session
            if: '\(condition)'
            \(more)
            do: [\(steps)]
        """
    }

    private func report(
        _ stage: LedgerStage, _ rules: String, since: Timestamp = Timestamp(seconds: 0), until: Timestamp? = nil
    ) throws -> ReplayReport {
        let span = Replay.Span(since: since, until: until ?? stage.clock.now())
        var replay = try Replay(LedgerStage.load(rules), over: try Recording(stage.directory), span)
        return try replay.run()
    }

    /// Session 7 fails for ten minutes, 8 for one.
    private func recorded() async throws -> LedgerStage {
        let stage = try LedgerStage(Self.failed("for: 2m"))
        try await stage.board([7: "running", 8: "running"])
        for _ in 0..<2 { try await stage.board([7: "failed", 8: "failed"]) }
        for _ in 0..<20 { try await stage.board([7: "failed", 8: "running"]) }
        return stage
    }

    @Test func `the past ends with the last decision, whatever this machine's clock says`() async throws {
        let stage = try await recorded()
        let last = stage.clock.now()
        stage.clock.clock.advance(by: .seconds(60 * 86_400))
        #expect(try Recording(stage.directory).lastDecision() == last)
    }

    @Test(arguments: [-52 * 86_400, -18_000])
    func `what is recorded from Zimmer's first answer on is compared, however far ahead this machine's clock is`(
        skew: Int
    ) async throws {
        let stage = try LedgerStage(Self.failed("for: 2m"))
        _ = try await stage.ledger.tick()
        await stage.ledger.note(skew: .seconds(skew))
        for _ in 0..<20 { try await stage.board([7: "failed"]) }
        let until = try #require(try Recording(stage.directory).lastDecision())
        var replay = try Replay(
            LedgerStage.load(Self.failed()), over: try Recording(stage.directory),
            .init(since: until - .seconds(86_400), until: until))
        let report = try replay.run()
        #expect(report.polls >= 19)
        #expect(report.added.map(\.subject.id) == ["7"])
    }

    @Test func `a rule that waits less fires for what was too short`() async throws {
        let report = try report(try await recorded(), Self.failed())
        #expect(report.added.map(\.subject.id) == ["7", "8"])
        #expect(report.added.map(\.messages) == [["ops: Session 7"], ["ops: Session 8"]])
        #expect(report.removed.map(\.subject.id) == ["7"])
        #expect(report.removed.first?.title == "Session 7")
        #expect(report.rules.map(\.now.messages) == [2])
        #expect(report.rules.map(\.then.messages) == [1])
    }

    @Test func `a rule that asks for more fires for less`() async throws {
        let report = try report(
            try await recorded(), Self.failed("for: 2m", if: #"session.status == "failed" && session.id == 8"#))
        #expect(report.added.isEmpty)
        #expect(report.removed.map(\.subject.id) == ["7"])
        #expect(report.unchanged == 0)
    }

    @Test(arguments: [
        (#"{post: pager, text: "{{ session.title }}"}"#, ["pager: Session 7"], 0),
        ("{post: ops, text: other}", ["ops: other"], 0),
        (#"{post: [ops, pager], text: "{{ session.title }}"}"#, ["ops: Session 7", "pager: Session 7"], 0),
        (#"{post: ops, text: "{{ session.title }}"}, {note: {append: x}}"#, ["ops: Session 7"], 1),
        ("{note: {append: x}}, {follow_up: {prompt: Go on}}", [], 2),
    ])
    func `a run that starts as it did and does something else is a change`(
        steps: String, messages: [String], writes: Int
    ) async throws {
        let report = try report(try await recorded(), Self.failed("for: 2m", do: steps))
        #expect(report.hasDifferences)
        #expect(report.added.isEmpty && report.removed.isEmpty)
        #expect(report.unchanged == 0)
        #expect(report.changed.map(\.then.messages) == [["ops: Session 7"]])
        #expect(report.changed.map(\.then.writes) == [[]])
        #expect(report.changed.map(\.now.messages) == [messages])
        #expect(report.changed.map(\.now.writes.count) == [writes])
        #expect(report.about("failed").changed.count == 1)
        #expect(report.about("other").changed.isEmpty)
    }

    @Test func `what runs did after the end of the span is no difference`() async throws {
        let rules = Self.failed(do: "{post: ops, text: a}, {wait: 2m}, {post: ops, text: b}")
        let stage = try LedgerStage(rules)
        for _ in 0..<3 { try await stage.board([7: "failed"]) }
        let middle = stage.clock.now()
        for _ in 0..<6 { try await stage.board([7: "failed"]) }
        let half = try report(stage, rules, until: middle)
        #expect(half.differences == [])
        #expect(half.rules.map(\.then.messages) == [1])
        #expect(half.rules.map(\.now.messages) == [1])
        let whole = try report(stage, rules)
        #expect(whole.differences == [])
        #expect(whole.rules.map(\.then.messages) == [2])
    }

    @Test func `messages that are forgotten by now are no difference`() async throws {
        let stage = try LedgerStage(Self.failed("for: 2m"))
        var settings = StoreSettings()
        settings.keep = .seconds(200 * 86_400)
        await stage.ledger.keep(settings)
        for _ in 0..<10 { try await stage.board([7: "failed"]) }
        try await stage.ledger.deliverAll()
        for _ in 0..<2 { try await stage.board([7: "failed"], after: .seconds(91 * 86_400)) }
        let report = try report(stage, Self.failed("for: 2m"))
        #expect(report.rules.map(\.then.messages) == [0])
        #expect(report.differences == [])
        #expect(report.unchanged == 1)
    }

    @Test(arguments: [-52 * 86_400, -20, 0, 20, 52 * 86_400])
    func `what the same rules did from Zimmer's first answer on is unchanged, whatever this machine's clock says`(
        skew: Int
    ) async throws {
        let stage = try LedgerStage(Self.failed())
        _ = try await stage.ledger.tick()
        await stage.ledger.note(skew: .seconds(skew))
        for _ in 0..<3 { try await stage.board([7: "failed"], after: .seconds(5)) }
        for _ in 0..<3 { try await stage.board([7: "failed", 8: "failed"], after: .seconds(5)) }
        let until = try #require(try Recording(stage.directory).lastDecision())
        let report = try report(stage, Self.failed(), since: until - .seconds(30 * 86_400), until: until)
        #expect(report.differences == [])
        #expect(report.notReplayable.isEmpty)
        #expect(report.unchanged == 2)
        #expect(report.polls == 6)
        #expect(report.rules.map(\.then.messages) == [2])
        #expect(report.rules.map(\.now.messages) == [2])
    }

    @Test func `what was remembered at a start and is damaged stops a replay`() async throws {
        let stage = try await recorded()
        try await stage.ledger.damageMemory()
        let error = #expect(throws: ReplayError.self) { try report(stage, Self.failed("for: 2m")) }
        #expect(error?.description.contains("cannot be read") == true)
    }

    @Test func `what was before the recording is no difference`() async throws {
        let stage = try await recorded()
        let since = stage.clock.now() - .seconds(3_600)
        try await stage.ledger.beginAnew()
        try await stage.ledger.forgetFirstStart()
        try await stage.board([7: "running", 8: "running"])
        let report = try report(stage, Self.failed("for: 2m"), since: since)
        #expect(report.differences == [])
        #expect(report.notReplayable.map(\.reason) == ["it was before the recording begins"])
    }

    @Test func `a rule about what nobody read says so`() async throws {
        let rules = """
              - name: recovery
                watch: health
                if: health.queue_recovery_mode.active
                do: [{post: ops, text: recovery}]
            """
        let report = try report(try await recorded(), rules)
        #expect(report.notes == ["rule recovery: 'watch: health' cannot be replayed, as no reading of it was recorded"])
        #expect(report.removed.map(\.rule) == ["failed"])
    }

    @Test func `a rule that would have asked somebody says so, and does nothing behind that`() async throws {
        let rules = """
              - name: trash
                watch: session
                if: session.status == "failed"
                do: [{archive: , confirm: {in: ops, by: [ann]}}]
            """
        let report = try report(try await recorded(), rules)
        #expect(report.added.map(\.rule) == ["trash", "trash"])
        #expect(report.added.flatMap(\.writes).isEmpty)
        #expect(report.notes == ["rule trash: what it asks with 'confirm' counts as not answered"])
    }

    @Test func `messages count when they are composed, also those that are put together or held back`() async throws {
        let stage = try LedgerStage(Self.failed("group: {by: session.status, wait: 1m}"))
        try await stage.board([7: "running", 8: "running"])
        for _ in 0..<3 { try await stage.board([7: "failed", 8: "failed"]) }
        let report = try report(stage, Self.failed())
        #expect(report.rules.map(\.then.messages) == [2])
        #expect(report.rules.map(\.now.messages) == [2])
    }

    @Test func `a store that recorded nothing says so`() throws {
        let folder = try TemporaryDirectory()
        let database = try Database(at: StateDirectory(folder.path).databasePath, as: .writer)
        try Migrator(migrations: Schema.migrations).migrate(database)
        let error = #expect(throws: ReplayError.self) { try Recording(StateDirectory(folder.path)) }
        #expect(error?.description.contains("nothing is recorded yet") == true)
    }

    @Test func `a damaged row stops a replay, not the bot, which begins a new part`() async throws {
        let stage = try await recorded()
        let damaged = stage.clock.now()
        try await stage.ledger.damageLastRow()
        try stage.restart()
        #expect(try await stage.board([7: "running", 8: "failed"]).posts.isEmpty)
        for _ in 0..<5 { try await stage.board([7: "running", 8: "failed"]) }
        let error = #expect(throws: ReplayError.self) { try report(stage, Self.failed("for: 2m")) }
        #expect(error?.description.contains("--since") == true)
        let later = try report(stage, Self.failed("for: 2m"), since: damaged + .seconds(30))
        #expect(later.differences == [])
        #expect(later.unchanged == 1)
    }

    @Test func `what could not be stored is recorded with the next decision`() async throws {
        let stage = try await recorded()
        try await stage.ledger.refuseWrites(true)
        await #expect(throws: DatabaseError.self) { try await stage.board([7: "running", 9: "failed"]) }
        try await stage.ledger.refuseWrites(false)
        for _ in 0..<6 { try await stage.board([7: "running", 9: "failed"]) }
        let report = try report(stage, Self.failed("for: 2m"))
        #expect(report.differences == [])
        #expect(report.unchanged == 2)
    }

    @Test func `parts that are too old are forgotten, and the rest can be replayed`() async throws {
        let stage = try LedgerStage(Self.failed("for: 2m"))
        var settings = StoreSettings()
        settings.keep = .seconds(2 * 86_400)
        await stage.ledger.keep(settings)
        for round in 0..<(6 * 288) {
            try await stage.board([7: round % 20 < 5 ? "failed" : "running"], after: .seconds(300))
        }
        let starts = try Recording(stage.directory).starts
        let oldest = try #require(starts.first)
        #expect(stage.clock.now() - oldest.at >= settings.keep)
        #expect(stage.clock.now() - oldest.at <= settings.keep + .seconds(86_400 + 600))
        #expect(await stage.ledger.firstRecordedRow == oldest.id)
        let report = try report(stage, Self.failed("for: 2m"), since: oldest.at + .seconds(1))
        #expect(report.differences == [])
        #expect(report.unchanged > 20)
    }

    @Test func `a store that is too large forgets its oldest parts`() async throws {
        let stage = try LedgerStage(Self.failed("for: 2m"))
        for round in 0..<(4 * 288) {
            try await stage.board([7: round % 20 < 5 ? "failed" : "running"], after: .seconds(300))
        }
        #expect(try Recording(stage.directory).starts.count > 3)
        var settings = StoreSettings()
        settings.maximumSize = 1
        await stage.ledger.keep(settings)
        for _ in 0..<60 { try await stage.board([7: "running"], after: .seconds(61)) }
        #expect(try Recording(stage.directory).starts.count == 1)
    }
}

extension Ledger {
    /// Begins a part of the recording here.
    func beginAnew() throws {
        try transaction { recording in try recording?.begin(held, database, now: instant()) }
    }

    func forgetFirstStart() throws {
        let store = HistoryStore(database)
        if let first = try store.starts().first { try store.forget(first) }
    }

    func deliverAll() throws {
        try database.run("UPDATE outbox SET state = 'delivered', ended_at = created_at")
    }

    /// One byte of it is another.
    func damageMemory() throws {
        let sql = "SELECT id, memory FROM history_starts ORDER BY id LIMIT 1"
        let found = try database.first(sql) { row in (row[0] as Int64, row[1] as [UInt8]) }
        guard case (let id, var memory)? = found else { return }
        memory[memory.count / 2] ^= 1
        try database.run("UPDATE history_starts SET memory = ? WHERE id = ?", memory, id)
    }

    func damageLastRow() throws {
        try database.run("UPDATE history SET body = x'0102ff' WHERE id = (SELECT max(id) FROM history)")
    }

    var firstRecordedRow: Int64? { try? HistoryStore(database).bound(.first) }
}
