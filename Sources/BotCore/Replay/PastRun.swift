import AdapterKit
import CEL
import Foundation
import Rules

/// A run that really was, with what it did.
struct PastRun {
    /// A call to Zimmer at one of its steps.
    struct Write {
        /// The word of the step.
        var name: String
        var request: String
        /// It had an effect, or may have had one.
        var isDone: Bool
        var endedAt: Timestamp?
    }

    var id: Int64
    var key: RunKey
    var startedAt: Timestamp
    var step: Int
    var state: String
    var hasWritten: Bool
    var writes: [Int: Write] = [:]
    var title: String?

    /// A last look ended it before it wrote.
    var isWithdrawn: Bool { !hasWritten && (state == "withdrawn" || state == "gave_up") }

    /// The words of the steps that changed something by then.
    func written(by end: Timestamp) -> [String] {
        let done = writes.filter { $0.value.isDone && ($0.value.endedAt ?? startedAt) <= end }
        return done.sorted { $0.key < $1.key }.map(\.value.name)
    }

    var firing: Firing {
        Firing(
            at: startedAt, rule: key.rule, subject: key.subject, title: title, part: key.part, episode: key.episode,
            writes: writes.sorted { $0.key < $1.key }.filter(\.value.isDone).map(\.value.request))
    }
}

/// Reads what really happened.
struct PastStore {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The runs that started in a time, oldest first.
    func runs(from: Timestamp, to: Timestamp) throws -> [PastRun] {
        let sql = """
            SELECT id, rule, subject_type, subject_id, key, episode, part, started_at, step, state, has_written FROM runs
            WHERE started_at BETWEEN ? AND ? ORDER BY started_at, id
            """
        var runs = try database.query(sql, from.microseconds, to.microseconds) { row in
            let key = RunKey(
                rule: row[1], subject: SubjectID(type: row[2], id: row[3]), key: row[4], episode: row[5],
                part: Run.Part(word: row[6]) ?? .steps)
            return PastRun(
                id: row[0], key: key, startedAt: row[7], step: row[8], state: row[9],
                hasWritten: row[10])
        }
        let positions = Dictionary(runs.enumerated().map { ($1.id, $0) }) { first, _ in first }
        try addWrites(&runs, positions)
        return runs
    }

    /// What a rule ran for since a time.
    func subjects(of rule: String, since: Timestamp) throws -> Set<SubjectID> {
        let sql = "SELECT DISTINCT subject_type, subject_id FROM runs WHERE rule = ? AND started_at >= ?"
        return Set(try database.query(sql, rule, since.microseconds) { SubjectID(type: $0[0], id: $0[1]) })
    }

    private func addWrites(_ runs: inout [PastRun], _ positions: [Int64: Int]) throws {
        guard let first = runs.lazy.map(\.id).min() else { return }
        let sql = "SELECT run, step, kind, request, state, ended_at FROM actions WHERE run >= ? ORDER BY run, step"
        try database.query(sql, first) { row in
            guard let position = positions[row[0]] else { return }
            let state: String = row[4]
            let text: String = row[3]
            let request = try? JSONDecoder().decode(WriteRequest.self, from: Data(text.utf8))
            runs[position].writes[row[1]] = PastRun.Write(
                name: request?.name ?? row[2], request: request?.description ?? row[2],
                isDone: state == "done" || state == "unknown",
                endedAt: row[5])
        }
    }

    /// What a run said, in order.
    ///
    /// - Parameter end: by this machine's clock; nil for all.
    func messages(of run: PastRun, before end: Timestamp?) throws -> [Message] {
        let sql = """
            SELECT message FROM outbox WHERE run = ? AND \(Self.isComposed) AND created_at < ? ORDER BY position
            """
        let texts = try database.query(sql, run.id, end?.microseconds ?? .max) { $0[0] as String }
        return texts.compactMap { try? JSONDecoder().decode(Message.self, from: Data($0.utf8)) }
    }

    /// Not put together of others, and not about the bot itself.
    private static let isComposed = "folded IS NULL AND kind <> 'notice'"

    /// How many messages each rule composed: what is put together later, held back or given up counts by itself, as it does
    /// in a replay, which puts nothing together.
    ///
    /// - Parameters:
    ///   - from: by this machine's clock, by which messages are dated.
    ///   - end: likewise; nil for all since.
    func messageCounts(from: Timestamp, before end: Timestamp?) throws -> [String: Int] {
        let sql = """
            SELECT rule, count(*) FROM outbox WHERE rule IS NOT NULL AND \(Self.isComposed)
                AND created_at >= ? AND created_at < ? GROUP BY rule
            """
        let rows = try database.query(sql, from.microseconds, end?.microseconds ?? .max) { row in
            (row[0] as String, row[1] as Int)
        }
        return Dictionary(rows) { first, _ in first }
    }
}
