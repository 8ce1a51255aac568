package import CEL
import Foundation
package import Rules

/// Reads and writes the audit trail.
package struct AuditStore {
    /// A line of the trail, as `log` shows it.
    package struct Entry: Hashable, Sendable {
        package var id: Int64
        package var at: Timestamp
        package var kind: String
        package var rule: String?
        package var subject: SubjectID?
        package var episode: Int?
        package var detail: String
        /// The values that decided, as JSON.
        package var evidence: String?
        /// How the condition came to what it was.
        package var clause: Clause?
    }

    /// Which lines to show.
    package struct Filter: Hashable, Sendable {
        package var rule: String?
        package var session: String?
        package var since: Timestamp?
        package var after: Int64 = 0
        package var limit = 1_000

        package init() {}
    }

    private let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    func append(_ event: Event) throws {
        try append(
            at: event.at, kind: event.kind.rawValue, rule: event.rule, subject: event.subject, episode: event.episode,
            detail: event.detail, evidence: Evidence(values: event.values, clause: event.clause))
    }

    func append(
        at time: Timestamp, kind: String, rule: String?, subject: SubjectID? = nil, episode: Int? = nil,
        detail: String, evidence: Evidence = Evidence()
    ) throws {
        let sql = """
            INSERT INTO audit (at, kind, rule, subject_type, subject_id, episode, detail, evidence, clauses)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        let values = evidence.values.isEmpty ? nil : Self.json(evidence.values)
        let clauses = try evidence.clause.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try database.run(
            sql, time.microseconds, kind, rule, subject?.type, subject?.id, episode, detail, values, clauses)
    }

    /// The newest lines that pass the filter, oldest first.
    package func entries(_ filter: Filter) throws -> [Entry] {
        let sql = """
            SELECT \(Self.columns) FROM audit
            WHERE id > ?1 AND (?2 IS NULL OR rule = ?2) AND (?3 IS NULL OR (subject_type = 'session' AND subject_id = ?3))
                AND (?4 IS NULL OR at >= ?4)
            ORDER BY id DESC LIMIT ?5
            """
        let entries = try database.query(
            sql, filter.after, filter.rule, filter.session, filter.since?.microseconds, filter.limit, read: Self.entry)
        return entries.reversed()
    }

    /// All lines about one episode (or slot) of a rule, oldest first.
    func entries(rule: String, subject: SubjectID, episode: Int) throws -> [Entry] {
        let sql = """
            SELECT \(Self.columns) FROM audit
            WHERE rule = ? AND subject_type = ? AND subject_id = ? AND episode = ? ORDER BY id LIMIT 1000
            """
        return try database.query(sql, rule, subject.type, subject.id, episode, read: Self.entry)
    }

    private static let columns = "id, at, kind, rule, subject_type, subject_id, episode, detail, evidence, clauses"

    private static func entry(_ row: borrowing DatabaseRow) -> Entry {
        let type: String? = row[4]
        let id: String? = row[5]
        let clauses: String? = row[9]
        return Entry(
            id: row[0], at: row[1], kind: row[2], rule: row[3],
            subject: type.flatMap { type in id.map { SubjectID(type: type, id: $0) } }, episode: row[6],
            detail: row[7], evidence: row[8],
            clause: clauses.flatMap { try? JSONDecoder().decode(Clause.self, from: Data($0.utf8)) })
    }

    private static func json(_ values: [String: Value]) -> String {
        let members = values.sorted { $0.key < $1.key }.map { "\(Value.string($0.key).json):\($0.value.json)" }
        return "{\(members.joined(separator: ","))}"
    }
}
