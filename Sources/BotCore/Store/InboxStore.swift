package import CEL

/// Reads and writes what commands ask of the running daemon.
package struct InboxStore {
    package struct Request: Hashable, Sendable {
        package var id: Int64
        package var command: String
        /// Words with a blank between them.
        package var argument: String
        /// Who asks, for the trail.
        package var person: String
    }

    private let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    /// Hands a request to the daemon; returns its id, by which the answer is found.
    package func submit(_ command: String, _ argument: String, by person: String, now: Timestamp) throws -> Int64 {
        try database.run(
            "INSERT INTO inbox (at, command, argument, person) VALUES (?, ?, ?, ?)", now.microseconds, command,
            argument,
            person)
        return database.lastInsertRowID
    }

    /// What became of a request.
    package struct Answer: Hashable, Sendable {
        package var text: String
        package var isDone: Bool
    }

    /// The daemon's answer, nil while there is none.
    package func answer(to id: Int64) throws -> Answer? {
        try database.first("SELECT answer, is_done FROM inbox WHERE id = ? AND answer IS NOT NULL", id) { row in
            Answer(text: row[0], isDone: row[1])
        }
    }

    func waiting() throws -> [Request] {
        let sql = "SELECT id, command, argument, person FROM inbox WHERE taken_at IS NULL ORDER BY id"
        return try database.query(sql) { row in
            Request(id: row[0], command: row[1], argument: row[2], person: row[3])
        }
    }

    func answer(_ request: Request, _ answer: Answer, now: Timestamp) throws {
        try database.run(
            "UPDATE inbox SET taken_at = ?, answer = ?, is_done = ? WHERE id = ?", now.microseconds, answer.text,
            answer.isDone, request.id)
    }
}
