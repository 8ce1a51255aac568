import AdapterKit
import CEL
import Foundation
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
        var message: Message
    }

    /// What the audit trail says of a message.
    struct Ended {
        var channel: String
        var rule: String?
        var subject: SubjectID?
        var episode: Int?
    }

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Appends a message. Its id is made of the store's own name and the row, so that it never changes and no other store
    /// uses it.
    ///
    /// - Parameter reason: why it can never go, if that is known already; it is kept all the same.
    func append(_ entry: Entry, store: String, now: Timestamp, deadBecause reason: String? = nil) throws {
        let message = entry.message
        let body = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        let sql = """
            INSERT INTO outbox (id, run, step, rule, channel, kind, urgency, message, state, reason, attempts, created_at,
                ended_at)
            VALUES ('', ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
            """
        try database.run(
            sql, entry.run, entry.step, message.rule, message.channel, message.kind.rawValue, message.urgency.rawValue,
            body, (reason == nil ? State.waiting : .dead).rawValue, reason, now.microseconds,
            reason == nil ? nil : now.microseconds)
        let position = database.lastInsertRowID
        try database.run("UPDATE outbox SET id = ? WHERE position = ?", "dlv_\(store)\(position)", position)
    }

    /// The messages of a channel that wait, urgent ones first, then in the order in which they were put in.
    ///
    /// - Returns: also the ids of rows whose message cannot be read any more.
    func pending(_ channel: String, limit: Int) throws -> (page: OutboxPage, broken: [DeliveryID]) {
        let sql = """
            SELECT id, message, created_at, attempts, not_before FROM outbox WHERE channel = ? AND state = 'waiting'
            ORDER BY urgency <> 'high', position LIMIT ?
            """
        var broken: [DeliveryID] = []
        let entries = try database.query(sql, channel, limit) { row -> OutboxEntry? in
            let text: String = row[1]
            guard let message = try? JSONDecoder().decode(Message.self, from: Data(text.utf8)) else {
                broken.append(DeliveryID(row[0]))
                return nil
            }
            return OutboxEntry(
                id: DeliveryID(row[0]), message: message, createdAt: Timestamp(microseconds: row[2]), attempts: row[3],
                notBefore: (row[4] as Int64?).map(Timestamp.init(microseconds:)))
        }
        let total: Int =
            try database.first("SELECT count(*) FROM outbox WHERE channel = ? AND state = 'waiting'", channel) { $0[0] }
            ?? 0
        return (OutboxPage(entries: entries.compactMap { $0 }, total: total), broken)
    }

    /// Messages that wait for channels other than these.
    func waiting(outside channels: Set<String>) throws -> [DeliveryID] {
        let rows = try database.query("SELECT id, channel FROM outbox WHERE state = 'waiting'") { row in
            (id: DeliveryID(row[0]), channel: row[1] as String)
        }
        return rows.filter { !channels.contains($0.channel) }.map(\.id)
    }

    func retry(_ id: DeliveryID, attempt: Int, notBefore: Timestamp, reason: String) throws {
        try database.run(
            "UPDATE outbox SET attempts = ?, not_before = ?, reason = ? WHERE id = ? AND state = 'waiting'", attempt,
            notBefore.microseconds, reason, id.text)
    }

    /// Ends a message; nil when it had ended before.
    func end(_ id: DeliveryID, as state: State, detail: String, now: Timestamp) throws -> Ended? {
        let column = state == .delivered ? "receipt" : "reason"
        let ended = try database.run(
            "UPDATE outbox SET state = ?, \(column) = ?, ended_at = ? WHERE id = ? AND state = 'waiting'",
            state.rawValue,
            detail, now.microseconds, id.text)
        guard ended == 1 else { return nil }
        let sql = """
            SELECT outbox.channel, outbox.rule, runs.subject_type, runs.subject_id, runs.episode
            FROM outbox LEFT JOIN runs ON runs.id = outbox.run WHERE outbox.id = ?
            """
        return try database.first(sql, id.text) { row in
            let type: String? = row[2]
            return Ended(
                channel: row[0], rule: row[1], subject: type.map { SubjectID(type: $0, id: row[3]) }, episode: row[4])
        }
    }
}
