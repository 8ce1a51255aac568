package import CEL

/// Reads and writes the recording of what decisions were made on (`HistoryWriter`, `HistoryReader`).
package struct HistoryStore {
    /// A row from which on the recording can be read.
    package struct Start: Hashable, Sendable {
        package var id: Int64
        package var at: Timestamp
    }

    let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    func append(_ body: [UInt8]) throws {
        try database.run("INSERT INTO history (body) VALUES (?)", body)
    }

    /// Appends a row to begin at.
    ///
    /// - Parameter memory: what the rules remember then, from `MemoryRows`.
    @discardableResult
    func begin(_ body: [UInt8], at time: Timestamp, memory: [UInt8]) throws -> Start {
        try append(body)
        let id = database.lastInsertRowID
        try database.run(
            "INSERT INTO history_starts (id, at, memory) VALUES (?, ?, ?)", id, time.microseconds,
            Checksum.sealed(memory))
        return Start(id: id, at: time)
    }

    /// Where it can be read from, oldest first.
    package func starts() throws -> [Start] {
        try database.query("SELECT id, at FROM history_starts ORDER BY id") { row in
            Start(id: row[0], at: row[1])
        }
    }

    /// - Throws: `ByteReader.Failure` where it is not what was written.
    func memory(at start: Start) throws -> [UInt8]? {
        let sql = "SELECT memory, substr(body, 1, 1) FROM history_starts JOIN history USING (id) WHERE id = ?"
        let found = try database.first(sql, start.id) { (memory: $0[0] as [UInt8], form: $0[1] as [UInt8]) }
        guard let found else { return nil }
        return found.form == [HistoryForm.unsealed] ? found.memory : try Checksum.opened(found.memory)
    }

    /// The first or the last row.
    func bound(_ end: End) throws -> Int64? {
        try database.first("SELECT \(end.rawValue)(id) FROM history") { $0[0] as Int64? } ?? nil
    }

    enum End: String {
        case first = "min"
        case last = "max"
    }

    /// Goes through the rows from one on, in order.
    func rows(from id: Int64, _ body: (_ id: Int64, _ row: [UInt8]) throws -> Void) throws {
        try database.query("SELECT id, body FROM history WHERE id >= ? ORDER BY id", id) { row in
            try body(row[0], row[1])
        }
    }

    // MARK: - Forgetting

    /// The rows from one start to the next can be forgotten; `trim` does it.
    func forget(_ start: Start) throws {
        try database.run("DELETE FROM history_starts WHERE id = ?", start.id)
    }

    /// Removes rows that no start reaches any more, some at a time, so that no decision waits for it.
    ///
    /// - Returns: whether there may be more.
    func trim(atMost count: Int) throws -> Bool {
        let sql = """
            DELETE FROM history WHERE id IN (
                SELECT id FROM history WHERE id < (SELECT min(id) FROM history_starts) ORDER BY id LIMIT ?)
            """
        return try database.run(sql, count) == count
    }

    /// Bytes of the file that hold something. What was freed stays in the file and is used again.
    func usedBytes() throws -> Int64 {
        let pages = try database.integer(of: "PRAGMA page_count")
        let free = try database.integer(of: "PRAGMA freelist_count")
        return (pages - free) * (try database.integer(of: "PRAGMA page_size"))
    }
}
