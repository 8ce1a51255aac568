package import CEL
import Rules

/// What is remembered of a rule's past, for `status --rules`.
package struct RuleRecord: Hashable, Sendable {
    package var name: String
    /// Since when the bot knows it.
    package var knownSince: Timestamp
    /// When its condition last began to hold for something, or its slot last ran; nil: never.
    package var matchedAt: Timestamp?
    package var runsInWeek: Int
    package var pending: Int
    package var active: Int
    package var held: Int
    package var awaitsRelease: Bool
    package var pausedUntil: Timestamp?
    package var nextSlot: Timestamp?
    package var lastRun: Story.Run?
}

/// Reads `RuleRecord`s.
struct RuleRecordStore {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// By name.
    func records(now: Timestamp) throws -> [RuleRecord] {
        let week = (now - .seconds(7 * 86_400)).microseconds
        let runs = "SELECT %@ FROM runs WHERE runs.rule = rules.name"
        func select(_ what: String) -> String { runs.replacing("%@", with: what) }
        let sql = """
            SELECT rules.name, seen_at, coalesce(matched_at, (\(select("max(started_at)")))),
                (\(select("count(*)")) AND started_at > ?), sum(phase = 'pending'),
                sum(phase IN ('active', 'keeping')), sum(hold IS NOT NULL), awaits_release, paused_until, next_slot
            FROM rules LEFT JOIN episodes ON episodes.rule = rules.name GROUP BY rules.name ORDER BY rules.name
            """
        var records = try database.query(sql, week) { row in
            RuleRecord(
                name: row[0], knownSince: row[1],
                matchedAt: row[2], runsInWeek: row[3],
                pending: row[4] as Int? ?? 0, active: row[5] as Int? ?? 0, held: row[6] as Int? ?? 0,
                awaitsRelease: row[7], pausedUntil: row[8],
                nextSlot: row[9])
        }
        let stories = StoryStore(database)
        for index in records.indices {
            records[index].lastRun = try stories.runs(of: records[index].name, nil, limit: 1).first
        }
        return records
    }
}
