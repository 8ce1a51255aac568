import AdapterKit
import CEL
import Foundation
import Rules

/// Reads what became of a run out of the ledger and the trail.
struct StoryStore {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Nil when there is no such action, or it was forgotten.
    func story(of id: ActionID) throws -> Story? {
        let run: Int64?
        switch id {
        case .action(let number):
            run = try database.first("SELECT run FROM actions WHERE id = ?", number) { $0[0] }
            if run == nil { return nil }
        case .delivery(let text):
            let found = try database.first("SELECT run FROM outbox WHERE id = ?", text) { $0[0] as Int64? }
            guard let found else { return nil }
            run = found
        }
        guard let run, let known = try self.run(run) else {
            return Story(id: id, posts: try posts(where: "id = ?", id.description))
        }
        return Story(
            id: id, run: known, calls: try calls(of: run), posts: try posts(where: "run = ?", run),
            trail: try AuditStore(database).entries(
                rule: known.rule, subject: known.subject, episode: known.episode))
    }

    private func run(_ id: Int64) throws -> Story.Run? {
        try runs(where: "id = ?", id, limit: 1).first
    }

    /// The newest runs of a rule, for one subject or for all, newest first.
    func runs(of rule: String, _ subject: SubjectID?, limit: Int) throws -> [Story.Run] {
        guard let subject else { return try runs(where: "rule = ?", rule, limit: limit) }
        return try runs(
            where: "rule = ? AND subject_type = ? AND subject_id = ?", rule, subject.type, subject.id, limit: limit)
    }

    private func runs(where condition: String, _ values: any DatabaseValue..., limit: Int) throws -> [Story.Run] {
        let sql = """
            SELECT rule, subject_type, subject_id, episode, part, step, state, reason, started_at, step_since, wait_until,
                once, anchor
            FROM runs WHERE \(condition) ORDER BY id DESC LIMIT \(limit)
            """
        return try database.query(sql, values: values) { row in
            Story.Run(
                rule: row[0], subject: SubjectID(type: row[1], id: row[2]), episode: row[3], part: row[4],
                step: row[5], state: row[6], reason: row[7], startedAt: row[8],
                stepSince: row[9],
                waitUntil: row[10], once: row[11], anchor: row[12])
        }
    }

    private func calls(of run: Int64) throws -> [Story.Call] {
        let sql = """
            SELECT id, step, request, state, attempts, detail, intended_at, ended_at FROM actions WHERE run = ?
            ORDER BY step
            """
        return try database.query(sql, run) { row in
            let request: String = row[2]
            let decoded = try? JSONDecoder().decode(WriteRequest.self, from: Data(request.utf8))
            return Story.Call(
                id: .action(row[0]), step: row[1], request: decoded?.description ?? request, state: row[3],
                attempts: row[4], detail: row[5], intendedAt: row[6],
                endedAt: row[7])
        }
    }

    /// Messages of a rule about a subject that wait.
    func waiting(of rule: String, _ subject: SubjectID?) throws -> [Story.Post] {
        guard let subject else {
            return try posts(where: "rule = ? AND state = 'waiting'", rule)
        }
        return try posts(
            where: """
                state = 'waiting' AND run IN
                    (SELECT id FROM runs WHERE rule = ? AND subject_type = ? AND subject_id = ?)
                """, rule, subject.type, subject.id)
    }

    private func posts(where condition: String, _ values: any DatabaseValue...) throws -> [Story.Post] {
        let sql = """
            SELECT id, step, channel, kind, message, state, attempts, reason, receipt, created_at, ended_at, hold, release_at,
                suppressed_by
            FROM outbox WHERE \(condition) ORDER BY position LIMIT 100
            """
        return try database.query(sql, values: values) { row in
            let message: String = row[4]
            let decoded = try? JSONDecoder().decode(Message.self, from: Data(message.utf8))
            return Story.Post(
                id: .delivery(row[0]), step: row[1], channel: row[2], kind: row[3],
                text: decoded.map { [$0.title, $0.markdown].compactMap(\.self).joined(separator: ": ") }
                    ?? "(the stored message cannot be read)", state: row[5], attempts: row[6],
                reason: row[7], receipt: row[8], createdAt: row[9],
                endedAt: row[10], hold: row[11],
                releaseAt: row[12], suppressedBy: row[13])
        }
    }

    /// What the trail says of a rule's last slot that did not run.
    func lastMissed(of rule: String) throws -> (slot: String, reason: String)? {
        let sql = """
            SELECT subject_id, detail FROM audit WHERE rule = ? AND kind IN ('missed', 'skipped') AND subject_type = 'slot'
            ORDER BY id DESC LIMIT 1
            """
        return try database.first(sql, rule) { (slot: $0[0] as String, reason: $0[1] as String) }
    }
}
