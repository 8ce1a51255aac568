import AdapterKitTesting
import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct DamagedRowTests {
    private static let rules = """
          - name: report
            schedule: "0 9 * * *"
            do: [{post: ops, text: report}]
          - name: failed
            watch: session
            if: session.status == "failed"
            keep: 5m
            repeat: {every: 4h, times: 1}
            do: [{post: ops, text: failed}, {follow_up: {prompt: go}}, {wait: 1h}, {post: ops, text: still}]
          - name: slow
            watch: session
            if: session.status == "failed"
            for: 1h
            do: [{post: ops, text: slow}]
        """

    private static let tables = [
        "rules", "episodes", "runs", "once", "numbers", "actions", "outbox", "groups", "threads", "audit", "tracked",
        "notices", "inbox", "history_starts",
    ]

    /// Does all that a command or a start does; what is damaged may say so, in words that tell what to do.
    private func use(_ stage: LedgerStage) async throws {
        func attempt(_ body: () throws -> Void) throws {
            do {
                try body()
            } catch let error as DatabaseError where error.code == .corrupt {
                #expect("\(error)".contains("is damaged ('"))
            }
        }
        let reader = try StateReader(stage.directory)
        let now = stage.clock.now()
        try attempt { _ = try reader.status() }
        try attempt { _ = try reader.standing() }
        try attempt { _ = try reader.rules(now: now) }
        try attempt { _ = try reader.audit(AuditStore.Filter()) }
        try attempt { _ = try stage.agenda() }
        for id in ["act_1", "act_2"] {
            try attempt { _ = try reader.story(of: #require(ActionID(id))) }
        }
        try attempt { _ = try reader.runs(of: "failed", nil, limit: 10) }
        try attempt { _ = try reader.waiting(of: "failed", nil) }
        try attempt { try stage.restart() }
        do {
            try await stage.board([7: "failed"])
            try await stage.board([7: "running"])
            _ = try await stage.waiting()
        } catch let error as DatabaseError where [.corrupt, .constraint].contains(error.code) {}
    }

    @Test(arguments: tables, [Int64.max, .min, -1])
    func `a number that was never written ends a command with words`(_ table: String, _ value: Int64) async throws {
        let database: (LedgerStage) throws -> Database = {
            try Database(at: $0.directory.databasePath, as: .writer)
        }
        let probe = try LedgerStage(Self.rules)
        let columns = try database(probe).query(
            "SELECT name FROM pragma_table_info('\(table)') WHERE type = 'INTEGER'"
        ) { $0[0] as String }
        for column in columns {
            let stage = try LedgerStage(Self.rules)
            try await stage.board([7: "failed", 8: "failed"])
            let run: Int64 = try #require(try database(stage).first("SELECT id FROM runs") { $0[0] })
            let now = stage.clock.now()
            try database(stage).run(
                """
                INSERT OR IGNORE INTO actions (run, step, kind, session, request, state, attempts, intended_at)
                VALUES (?, 1, 'note', 7, ?, 'done', 1, ?)
                """, run, OutboxStore.text(WriteRequest("note", session: 7, kind: .appendNote("x"))), now)
            do {
                try database(stage).run("UPDATE \(table) SET \(column) = ?", value)
            } catch let error as DatabaseError where error.code == .constraint {
                continue
            }
            try await use(stage)
        }
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "soon"], ["decided_at", "muted_until"])
    func `a time that is none ends a start with words`(_ value: String, _ name: String) async throws {
        let stage = try LedgerStage(Self.rules)
        try await stage.board([7: "failed"])
        try Database(at: stage.directory.databasePath, as: .writer).run(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)", name, value)
        #expect(code { try stage.restart() } == .corrupt)
        #expect(code { try stage.agenda() } == .corrupt)
    }

    @Test func `what a run cost is checked before it is added up`() async throws {
        let stage = try LedgerStage(Self.rules)
        try await stage.board([7: "failed", 8: "failed"])
        try Database(at: stage.directory.databasePath, as: .writer).run("UPDATE runs SET cost = ?", Int64.max)
        #expect(code { try stage.restart() } == .corrupt)
        #expect(code { try stage.agenda() } == .corrupt)
    }
}
