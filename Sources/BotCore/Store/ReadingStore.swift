import CEL

/// Reads and writes the latest whole reading of the board, session by session, and what was observed of each session.
struct ReadingStore {
    /// What was read last, before this process began.
    struct Stored {
        var sessions: [Int64: Object] = [:]
        var tracked: [Int64: TrackedSession] = [:]
    }

    private let database: Database
    private let coder = ObjectCoder()

    init(_ database: Database) {
        self.database = database
    }

    /// What was stored; rows that cannot be read any more are left out, as if never seen.
    func load() throws -> Stored {
        var sessions: [Int64: Object] = [:]
        try database.query("SELECT id, body FROM readings WHERE type = 'session'") { row in
            let text: String = row[0]
            guard let id = Int64(text), case .object(let object)? = try? coder.decode(row[1]) else { return }
            sessions[id] = object
        }
        var tracked: [Int64: TrackedSession] = [:]
        try database.query("SELECT session, body FROM tracked") { row in
            tracked[row[0]] = TrackedSession(bytes: row[1])
        }
        return Stored(sessions: sessions, tracked: tracked)
    }

    /// Inside the transaction of the decision that was made on these readings.
    func save(_ observed: Observed) throws {
        for (id, object) in observed.sessions {
            try database.run(
                "INSERT OR REPLACE INTO readings (type, id, body) VALUES ('session', ?, ?)", String(id),
                coder.encode(.object(object)))
        }
        for (id, tracked) in observed.tracked {
            try database.run("INSERT OR REPLACE INTO tracked (session, body) VALUES (?, ?)", id, tracked.bytes)
        }
        for id in observed.left {
            try database.run("DELETE FROM readings WHERE type = 'session' AND id = ?", String(id))
            try database.run("DELETE FROM tracked WHERE session = ?", id)
        }
    }
}

/// What a reading brought that is stored with the decision made on it.
struct Observed: Sendable {
    /// Sessions whose kept members changed.
    var sessions: [Int64: Object] = [:]
    var tracked: [Int64: TrackedSession] = [:]
    /// Sessions that left the board and are remembered by nobody.
    var left: Set<Int64> = []

    /// Adds what was observed later.
    mutating func add(_ later: Observed) {
        sessions.merge(later.sessions) { $1 }
        tracked.merge(later.tracked) { $1 }
        left.subtract(later.sessions.keys)
        left.formUnion(later.left)
        for id in later.left {
            sessions[id] = nil
            tracked[id] = nil
        }
    }
}
