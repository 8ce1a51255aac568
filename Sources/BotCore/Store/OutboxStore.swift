import AdapterKit
import CEL
import Foundation
import Rules

/// Reads and writes messages on their way to channels.
struct OutboxStore {
    enum State: String {
        case waiting, delivered, dead, folded
    }

    /// A message to put into the box.
    struct Entry {
        var run: Int64?
        var step: Int?
        var message: Message
        var thread: String?
        var isUpdate = false
        var callsPeople = false
        /// Until when it does not go, and why.
        var hold: (reason: OutboxEntry.Hold, until: Timestamp)?
        /// Where it stands in its channel, if not at the end.
        var rank: Int?
        var folded: FoldedMessage.Range?
        /// The rule that holds it back.
        var suppressedBy: String?
    }

    /// What the audit trail says of a message.
    struct Ended {
        var channel: String
        var rule: String?
        var subject: SubjectID?
        var episode: Int?
    }

    let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Appends a message. Its id is made of the store's own name and the row, so that it never changes and no other store
    /// uses it.
    ///
    /// - Parameter reason: why it can never go, if that is known already; it is kept all the same.
    @discardableResult
    func append(
        _ entry: Entry, store: String, now: Timestamp, deadBecause reason: String? = nil
    ) throws -> DeliveryID {
        let message = entry.message
        let sql = """
            INSERT INTO outbox (id, run, step, rule, channel, kind, urgency, message, state, reason, attempts, created_at,
                ended_at, rank, thread, is_update, calls_people, hold, group_value, release_at, folded, suppressed_by)
            VALUES ('', ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try database.run(
            sql, entry.run, entry.step, message.rule, message.channel, message.kind.rawValue, message.urgency.rawValue,
            try Self.text(message), (reason == nil ? State.waiting : .dead).rawValue, reason, now.microseconds,
            reason == nil ? nil : now.microseconds, entry.rank, entry.thread, entry.isUpdate, entry.callsPeople,
            entry.hold?.reason.word, entry.hold?.reason.groupValue, entry.hold?.until.microseconds,
            try entry.folded.map(Self.text), entry.suppressedBy)
        let position = database.lastInsertRowID
        let id = DeliveryID("dlv_\(store)\(position)")
        try database.run("UPDATE outbox SET id = ? WHERE position = ?", id.text, position)
        return id
    }

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// Messages that wait for channels other than these.
    func waiting(outside channels: Set<String>) throws -> [DeliveryID] {
        let rows = try database.query("SELECT id, channel FROM outbox WHERE state = 'waiting'") { row in
            (id: DeliveryID(row[0]), channel: row[1] as String)
        }
        return rows.filter { !channels.contains($0.channel) }.map(\.id)
    }

    /// Notes that an attempt is under way, or no longer.
    func mark(_ id: DeliveryID, isAttempting: Bool) throws {
        try database.run("UPDATE outbox SET is_attempting = ? WHERE id = ?", isAttempting, id.text)
    }

    func retry(_ id: DeliveryID, attempt: Int, notBefore: Timestamp?, reason: String, isDoubtful: Bool) throws {
        let sql = """
            UPDATE outbox SET attempts = ?, not_before = ?, reason = ?, is_attempting = ? WHERE id = ? AND state = 'waiting'
            """
        try database.run(sql, attempt, notBefore?.microseconds, reason, isDoubtful, id.text)
    }

    /// Ends a message; nil when it had ended before.
    func end(_ id: DeliveryID, as state: State, detail: String, now: Timestamp) throws -> Ended? {
        let column = state == .delivered ? "receipt" : "reason"
        let ended = try database.run(
            "UPDATE outbox SET state = ?, \(column) = ?, ended_at = ? WHERE id = ? AND state = 'waiting'",
            state.rawValue, detail, now.microseconds, id.text)
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

    /// Nil when no message of that id was given up.
    func channel(ofDead id: DeliveryID) throws -> String? {
        try database.first("SELECT channel FROM outbox WHERE id = ? AND state = 'dead'", id.text) { $0[0] }
    }

    /// Puts a message that was given up into the box again.
    func revive(_ id: DeliveryID, now: Timestamp) throws {
        let sql = """
            UPDATE outbox SET state = 'waiting', ended_at = NULL, not_before = NULL, attempts = 0, hold = NULL,
                release_at = ? WHERE id = ? AND state = 'dead'
            """
        try database.run(sql, now.microseconds, id.text)
    }
}

extension OutboxEntry.Hold {
    var word: String {
        switch self {
        case .quiet: "quiet"
        case .group: "group"
        case .suppressed: "suppress"
        }
    }

    var groupValue: String? {
        if case .group(_, let value) = self { value } else { nil }
    }
}
