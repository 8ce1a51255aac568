import CEL

/// Forgets what is too old to matter, so that the store stays as large as a year of work and not larger.
struct Housekeeping {
    /// `once` holds over all later episodes, for so long; runs are kept as long, as they are what
    /// makes an episode's number and key unique.
    private static let memory: Duration = .seconds(400 * 86_400)
    /// Trail and messages.
    static let trail: Duration = .seconds(90 * 86_400)

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Inside a transaction.
    func clean(now: Timestamp) throws {
        let trail = (now - Self.trail).microseconds
        try database.run("DELETE FROM audit WHERE at < ?", trail)
        try database.run("DELETE FROM outbox WHERE state <> 'waiting' AND ended_at < ?", trail)
        try database.run("DELETE FROM threads WHERE used_at < ?", trail)
        try database.run("DELETE FROM groups WHERE sent_at < ?", (now - .seconds(2 * 86_400)).microseconds)
        try database.run("DELETE FROM inbox WHERE taken_at < ?", trail)
        let memory = (now - Self.memory).microseconds
        try database.run("DELETE FROM once WHERE used_at < ?", memory)
        let old = "SELECT id FROM runs WHERE started_at < ? AND state NOT IN ('waiting', 'writing')"
        try database.run("DELETE FROM outbox WHERE state <> 'waiting' AND run IN (\(old))", memory)
        try database.run("DELETE FROM actions WHERE run IN (\(old))", memory)
        try database.run("DELETE FROM approvals WHERE run IN (\(old))", memory)
        try database.run(
            "DELETE FROM runs WHERE id IN (\(old)) AND id NOT IN (SELECT run FROM outbox WHERE run IS NOT NULL)", memory
        )
    }
}
