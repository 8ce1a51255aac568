import CEL
import Rules

/// Reads and writes the latest whole readings, object by object, and what was observed of each session.
struct ReadingStore {
    /// What was read last, before this process began.
    struct Stored {
        var sessions: [Int64: Object] = [:]
        var tracked: [Int64: TrackedSession] = [:]
        /// Objects of other kinds.
        var objects: [SubjectID: Object] = [:]
    }

    private let database: Database
    private let coder = ObjectCoder()

    init(_ database: Database) {
        self.database = database
    }

    /// What was stored; rows that cannot be read any more are left out, as if never seen.
    func load() throws -> Stored {
        var stored = Stored()
        try database.query("SELECT type, id, body FROM readings") { row in
            let id = SubjectID(type: row[0], id: row[1])
            guard case .object(let object)? = try? coder.decode(row[2]) else { return }
            if id.type != "session" {
                stored.objects[id] = object
            } else if let number = Int64(id.id) {
                stored.sessions[number] = object
            }
        }
        try database.query("SELECT session, body FROM tracked") { row in
            stored.tracked[row[0]] = TrackedSession(bytes: row[1])
        }
        return stored
    }

    /// Inside the transaction of the decision that was made on these readings.
    func save(_ observed: Observed) throws {
        for (id, object) in observed.sessions {
            try save(object, SubjectID(type: "session", id: String(id)))
        }
        for (id, object) in observed.objects {
            if let object { try save(object, id) } else { try delete(id) }
        }
        for (id, tracked) in observed.tracked {
            try database.run("INSERT OR REPLACE INTO tracked (session, body) VALUES (?, ?)", id, tracked.bytes)
        }
        for id in observed.left {
            try delete(SubjectID(type: "session", id: String(id)))
            try database.run("DELETE FROM tracked WHERE session = ?", id)
        }
    }

    private func save(_ object: Object, _ id: SubjectID) throws {
        try database.run(
            "INSERT OR REPLACE INTO readings (type, id, body) VALUES (?, ?, ?)", id.type, id.id,
            coder.encode(.object(object)))
    }

    private func delete(_ id: SubjectID) throws {
        try database.run("DELETE FROM readings WHERE type = ? AND id = ?", id.type, id.id)
    }
}

/// What a reading brought that is stored with the decision made on it.
struct Observed: Sendable {
    /// Sessions whose kept members changed.
    var sessions: [Int64: Object] = [:]
    var tracked: [Int64: TrackedSession] = [:]
    /// Sessions that left the board and are remembered by nobody.
    var left: Set<Int64> = []
    /// Objects of other kinds that changed; nil for those that left and are remembered by nobody.
    var objects: [SubjectID: Object?] = [:]

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
        objects.merge(later.objects) { $1 }
    }
}
