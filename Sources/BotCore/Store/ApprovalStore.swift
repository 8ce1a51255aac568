import CEL
import Foundation
import Rules

/// Reads what people allowed: one step of one run, as it was shown to them.
struct ApprovalStore {
    struct Approval {
        var person: String
        var at: Timestamp
        /// What they were asked about, values filled in.
        var request: WriteRequest
        var usedAt: Timestamp?
    }

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func approval(run: Int64, step: Int) throws -> Approval? {
        let sql = "SELECT person, at, request, used_at FROM approvals WHERE run = ? AND step = ?"
        return try database.first(sql, run, step) { row in
            let body: String = row[2]
            return Approval(
                person: row[0], at: row[1],
                request: try JSONDecoder().decode(WriteRequest.self, from: Data(body.utf8)), usedAt: row[3])
        }
    }

    /// In the transaction that commits the intent of the call.
    func use(run: Int64, step: Int, now: Timestamp) throws {
        try database.run(
            "UPDATE approvals SET used_at = coalesce(used_at, ?) WHERE run = ? AND step = ?", now.microseconds, run,
            step)
    }
}
