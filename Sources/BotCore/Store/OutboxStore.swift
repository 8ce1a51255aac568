import CEL
import Rules

/// Reads and writes messages on their way to channels.
struct OutboxStore {
    enum State: String {
        case waiting, delivered, dead
    }

    /// A message to put into the box.
    struct Entry {
        var run: Int64?
        var step: Int?
        var rule: String?
        var channel: String
        var kind: String
        var urgency: String
        /// The stored message, as JSON.
        var message: String
    }

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Appends a message. Its id is made of the store's own name and the row, so that it never changes and no other store
    /// uses it.
    func append(_ entry: Entry, store: String, now: Timestamp) throws {
        let sql = """
            INSERT INTO outbox (id, run, step, rule, channel, kind, urgency, message, state, attempts, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', 0, ?)
            """
        try database.run(
            sql, "", entry.run, entry.step, entry.rule, entry.channel, entry.kind, entry.urgency, entry.message,
            now.microseconds)
        let position = database.lastInsertRowID
        try database.run("UPDATE outbox SET id = ? WHERE position = ?", "dlv_\(store)\(position)", position)
    }
}
