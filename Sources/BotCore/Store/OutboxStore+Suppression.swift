import AdapterKit
import CEL
import Rules

/// Messages that one rule holds back for another (`suppress`).
extension OutboxStore {
    /// A time of release for what waits for no time.
    static let never = Memory.forGood

    struct Suppressed {
        var id: DeliveryID
        var channel: String
        var rule: String
        /// Nil of a message about several.
        var subject: SubjectID?
        var episode: Int?
    }

    /// All that are held back, oldest first.
    func suppressed() throws -> [Suppressed] {
        // Asked at every decision; left to itself SQLite goes through the whole table, as that is in order already.
        let sql = """
            SELECT outbox.id, outbox.channel, outbox.rule, runs.subject_type, runs.subject_id, runs.episode
            FROM outbox INDEXED BY outbox_suppressed LEFT JOIN runs ON runs.id = outbox.run
            WHERE outbox.suppressed_by IS NOT NULL AND outbox.state = 'waiting' ORDER BY position
            """
        return try database.query(sql) { row in
            let type: String? = row[3]
            return Suppressed(
                id: DeliveryID(row[0]), channel: row[1], rule: row[2],
                subject: type.map { SubjectID(type: $0, id: row[4]) }, episode: row[5])
        }
    }

    /// Lets a message go that was held back; with others in one, and not before a person lets it, unless it is urgent.
    func release(_ id: DeliveryID, now: Timestamp, mutedUntil: Timestamp? = nil) throws {
        let sql = """
            UPDATE outbox SET suppressed_by = NULL, release_at = CASE urgency WHEN 'high' THEN ?1 ELSE max(?1, ?2) END,
                hold = CASE urgency WHEN 'high' THEN NULL ELSE hold END
            WHERE id = ?3 AND state = 'waiting'
            """
        try database.run(sql, now.microseconds, (mutedUntil ?? now).microseconds, id.text)
    }
}
