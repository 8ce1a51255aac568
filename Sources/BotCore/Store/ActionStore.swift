import CEL
import Foundation
import Rules

/// Reads and writes the calls that change something in Zimmer.
struct ActionStore {
    enum State: String {
        /// The call may be under way, or its answer was lost.
        case attempting
        /// It had no effect; tried again later.
        case retrying
        case done, refused, unknown, withdrawn
        case gaveUp = "gave_up"
    }

    /// A call without an outcome.
    struct Open {
        var id: Int64
        var state: State
        var attempts: Int
        var request: WriteRequest
        var notBefore: Timestamp?
        var intendedAt: Timestamp
    }

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The call of a run's step, if one was ever intended.
    ///
    /// - Throws: `DatabaseError` also when the stored request cannot be read: it may have been made, so it must not be
    ///   forgotten.
    func open(run: Int64, step: Int) throws -> Open? {
        let sql = "SELECT id, state, attempts, request, not_before, intended_at FROM actions WHERE run = ? AND step = ?"
        return try database.first(sql, run, step) { row in
            let request: String = row[3]
            return Open(
                id: row[0], state: State(rawValue: row[1]) ?? .unknown, attempts: row[2],
                request: try JSONDecoder().decode(WriteRequest.self, from: Data(request.utf8)),
                notBefore: row[4],
                intendedAt: row[5])
        }
    }

    /// When the next call is due that may be tried again; what was due by then is left out.
    func earliestRetry(after time: Timestamp) throws -> Timestamp? {
        let sql = "SELECT min(not_before) FROM actions WHERE state = 'retrying' AND not_before > ?"
        return try database.first(sql, time.microseconds) { $0[0] as Timestamp? } ?? nil
    }

    /// The calls made since then that had, or may have had, an effect.
    func budget(since time: Timestamp) throws -> WriteBudget {
        let sql = """
            SELECT id, request, intended_at FROM actions
            WHERE intended_at > ? AND state NOT IN ('retrying', 'withdrawn') ORDER BY intended_at
            """
        var budget = WriteBudget()
        try database.query(sql, time.microseconds) { row in
            let body: String = row[1]
            let request = try JSONDecoder().decode(WriteRequest.self, from: Data(body.utf8))
            budget.note(row[0], cost: request.cost, at: row[2])
        }
        return budget
    }

    /// A call that did not work out, and is not tried again.
    struct Failed {
        var rule: String
        /// The word of the step, and what it is to.
        var what: String
        /// `refused` or `unknown`.
        var state: State
        var reason: String
    }

    /// What did not work out from then on.
    func failed(since time: Timestamp) throws -> [Failed] {
        let sql = """
            SELECT runs.rule, actions.request, actions.state, actions.detail
            FROM actions JOIN runs ON runs.id = actions.run
            WHERE actions.state IN ('refused', 'unknown') AND actions.ended_at >= ? ORDER BY actions.id
            """
        return try database.query(sql, time.microseconds) { row in
            let body: String = row[1]
            let request = try JSONDecoder().decode(WriteRequest.self, from: Data(body.utf8))
            let reason: String? = row[3]
            return Failed(
                rule: row[0], what: request.inWords, state: State(rawValue: row[2]) ?? .unknown, reason: reason ?? "")
        }
    }

    /// Runs that were given up from then on: what they were about, and why.
    func givenUp(since time: Timestamp) throws -> [(rule: String, subject: SubjectID, reason: String)] {
        let sql = """
            SELECT rule, subject_type, subject_id, coalesce(reason, '') FROM runs
            WHERE state = 'gave_up' AND step_since >= ? ORDER BY id
            """
        return try database.query(sql, time.microseconds) { row in
            (rule: row[0], subject: SubjectID(type: row[1], id: row[2]), reason: row[3])
        }
    }

    /// Whether another run's call to the same thing has no outcome yet: it may still turn over what this one would, or
    /// come after it.
    func isAttempted(_ target: WriteTarget, besides run: Int64) throws -> Bool {
        let sql = "SELECT request FROM actions WHERE state = 'attempting' AND run <> ?"
        let requests = try database.query(sql, run) { row in
            let body: String = row[0]
            return try JSONDecoder().decode(WriteRequest.self, from: Data(body.utf8))
        }
        return requests.contains { $0.target == target }
    }

    /// Writes down that a call is about to be made. Returns its id, the same on every attempt, and how many there were.
    func intend(
        run: Int64, step: Int, request: WriteRequest, now: Timestamp
    ) throws -> (id: Int64, attempts: Int) {
        let sql = """
            INSERT INTO actions (run, step, kind, session, request, state, attempts, intended_at)
            VALUES (?, ?, ?, ?, ?, 'attempting', 1, ?)
            ON CONFLICT (run, step) DO UPDATE SET state = 'attempting', attempts = attempts + 1,
                kind = excluded.kind, session = excluded.session, request = excluded.request,
                intended_at = excluded.intended_at, not_before = NULL, detail = NULL
            RETURNING id, attempts
            """
        let body = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        let intended = try database.first(sql, run, step, request.name, request.target.session, body, now.microseconds)
        {
            row in
            (id: row[0] as Int64, attempts: row[1] as Int)
        }
        guard let intended else { throw DatabaseError(.failed, path: database.path, detail: "no row for an action") }
        return intended
    }

    /// Tries no more what a run that has ended was to try again.
    func withdraw(run: Int64, now: Timestamp) throws {
        try database.run(
            "UPDATE actions SET state = 'withdrawn', not_before = NULL, ended_at = ? WHERE run = ? AND state = 'retrying'",
            now.microseconds, run)
    }

    func end(_ id: Int64, as state: State, detail: String, notBefore: Timestamp? = nil, now: Timestamp) throws {
        let isOpen = state == .attempting || state == .retrying
        try database.run(
            "UPDATE actions SET state = ?, detail = ?, not_before = ?, ended_at = ? WHERE id = ?", state.rawValue,
            detail,
            notBefore?.microseconds, isOpen ? nil : now.microseconds, id)
    }
}
