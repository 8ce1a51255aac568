import CEL
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
        var notBefore: Timestamp?
        var intendedAt: Timestamp
    }

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func open(run: Int64, step: Int) throws -> Open? {
        try database.first(
            "SELECT id, state, attempts, not_before, intended_at FROM actions WHERE run = ? AND step = ?", run, step
        ) { row in
            Open(
                id: row[0], state: State(rawValue: row[1]) ?? .unknown, attempts: row[2],
                notBefore: (row[3] as Int64?).map(Timestamp.init(microseconds:)),
                intendedAt: Timestamp(microseconds: row[4]))
        }
    }

    /// Writes down that a call is about to be made. Returns its id, the same on every attempt.
    func intend(run: Int64, step: Int, kind: String, request: WriteRequest, now: Timestamp) throws -> Int64 {
        let sql = """
            INSERT INTO actions (run, step, kind, session, request, state, attempts, intended_at)
            VALUES (?, ?, ?, ?, ?, 'attempting', 1, ?)
            ON CONFLICT (run, step) DO UPDATE SET state = 'attempting', attempts = attempts + 1,
                request = excluded.request, intended_at = excluded.intended_at, not_before = NULL, detail = NULL
            RETURNING id
            """
        let id: Int64? = try database.first(
            sql, run, step, kind, request.session, request.description, now.microseconds
        ) { $0[0] }
        guard let id else { throw DatabaseError(.failed, path: database.path, detail: "no row for an action") }
        return id
    }

    func end(_ id: Int64, as state: State, detail: String, notBefore: Timestamp? = nil, now: Timestamp) throws {
        let isOpen = state == .attempting || state == .retrying
        try database.run(
            "UPDATE actions SET state = ?, detail = ?, not_before = ?, ended_at = ? WHERE id = ?", state.rawValue, detail,
            notBefore?.microseconds, isOpen ? nil : now.microseconds, id)
    }
}
