import CEL
import Rules

extension MemoryStore {
    /// Adds what was remembered at a time because it had happened before: what was started for the limits, values of
    /// `once`, numbers of episodes.
    func addPast(_ memory: inout Memory, at time: Timestamp) throws {
        let starts = """
            SELECT started_at, rule, subject_type, subject_id, part, cost FROM runs WHERE started_at > ? AND started_at <= ?
            ORDER BY started_at, id
            """
        let day = Duration.seconds(86_400)
        let list = try database.query(starts, (time - day).microseconds, time.microseconds) { row in
            Memory.Start(
                at: row[0], rule: row[1], subject: SubjectID(type: row[2], id: row[3]),
                part: Run.Part(word: row[4]) ?? .steps, cost: row[5])
        }
        memory.recent = Starts(list)
        let once = "SELECT rule, subject_type, subject_id, value FROM once WHERE used_at <= ?"
        try database.query(once, time.microseconds) { row in
            memory.once.insert(OnceKey(rule: row[0], subject: SubjectID(type: row[1], id: row[2]), value: row[3]))
        }
        let numbers = """
            SELECT rule, subject_type, subject_id, max(episode) FROM runs WHERE started_at <= ?
            GROUP BY rule, subject_type, subject_id
            """
        try database.query(numbers, time.microseconds) { row in
            memory.numbers[RuleSubject(rule: row[0], subject: SubjectID(type: row[1], id: row[2]))] = row[3]
        }
    }
}
