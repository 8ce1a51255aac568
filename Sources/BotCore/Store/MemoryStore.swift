import CEL
import Rules

/// Reads and writes the memory of the rules.
struct MemoryStore {
    let database: Database
    private let contexts = RunContextCoder()

    init(_ database: Database) {
        self.database = database
    }

    // MARK: - Reading

    /// - Parameter isResuming: a process begins here, so that timers stand still until it has read something.
    func load(now: Timestamp, isResuming: Bool = true) throws -> Memory {
        var memory = Memory()
        memory.decidedAt = try time(of: "decided_at")
        try loadRules(&memory)
        try loadEpisodes(&memory)
        memory.runs = try runs(where: "state IN ('waiting', 'writing')")
        try loadRecent(&memory, since: now - .seconds(86_400))
        try loadOnce(&memory)
        if isResuming { memory.resume() }
        return memory
    }

    /// Somebody decided just now, so that no time was lost since.
    ///
    /// - Parameter now: by Zimmer's clock, as the decision.
    func isInUse(now: Timestamp, _ liveliness: Duration) throws -> Bool {
        guard let decidedAt = try time(of: "decided_at") else { return false }
        let age = now - decidedAt
        return age < liveliness && age > .zero - liveliness
    }

    /// Lets no time count from the last decision on. Written down when a store is opened, as the process may end again
    /// before anything can be told.
    func standStill() throws {
        guard let decidedAt = try time(of: "decided_at") else { return }
        try database.run("UPDATE episodes SET frozen_since = ? WHERE frozen_since IS NULL", decidedAt)
    }

    private func loadRules(_ memory: inout Memory) throws {
        let sql = """
            SELECT name, meaning, is_new, awaits_release, next_slot, paused_until, matched_at, asked_at FROM rules
            """
        try database.query(sql) { row in
            var rule = RuleMemory(meaning: row[1])
            rule.isNew = row[2]
            rule.awaitsRelease = row[3]
            rule.nextSlot = row[4]
            rule.pausedUntil = row[5]
            rule.matchedAt = row[6]
            rule.askedAt = row[7]
            memory.rules[row[0]] = rule
        }
    }

    private func loadEpisodes(_ memory: inout Memory) throws {
        let sql = """
            SELECT rule, subject_type, subject_id, key, phase, since, frozen_since, active_since, number, standing, hold,
                is_resetting, kept_since, ran_at, repeats, fired, acked_by
            FROM episodes
            """
        try database.query(sql) { row in
            var episode = Episode(
                phase: Episode.Phase(rawValue: row[4]) ?? .pending, key: row[3],
                since: row[5])
            episode.frozenSince = row[6]
            episode.activeSince = row[7]
            episode.number = row[8]
            // An unknown word means that something ran that this version does not know: never run it again.
            episode.standing = Episode.Standing(rawValue: row[9]) ?? .started
            episode.hold = (row[10] as String?).flatMap(Episode.Hold.init(rawValue:))
            episode.isResetting = row[11]
            episode.keptSince = row[12]
            episode.ranAt = row[13]
            episode.repeats = row[14]
            episode.fired = (row[15] as [UInt8]?).flatMap(contexts.snapshot)
            episode.ackedBy = row[16]
            memory.rules[row[0]]?.episodes[SubjectID(type: row[1], id: row[2])] = episode
        }
    }

    private func runs(where condition: String) throws -> [RunKey: Run] {
        let sql = """
            SELECT rule, subject_type, subject_id, key, episode, part, step, state, reason, wait_until, started_at,
                step_since, has_written, cost, once, anchor,
                EXISTS (SELECT 1 FROM actions WHERE run = runs.id AND step = runs.step AND state = 'attempting'), context
            FROM runs WHERE \(condition)
            """
        let runs = try database.query(sql) { row -> Run in
            let key = RunKey(
                rule: row[0], subject: SubjectID(type: row[1], id: row[2]), key: row[3], episode: row[4],
                part: Run.Part(word: row[5]) ?? .steps)
            var run = Run(
                key: key, startedAt: row[10], cost: row[13], once: row[14],
                anchor: row[15])
            run.step = row[6]
            run.state = Run.State(
                word: row[7], reason: row[8], until: row[9])
            run.stepSince = row[11]
            run.hasWritten = row[12]
            run.waitingFor = row[8]
            run.isCalling = row[16]
            if let bytes = row[17] as [UInt8]? { run.context = contexts.decode(bytes) }
            return run
        }
        return Dictionary(runs.map { ($0.key, $0) }) { first, _ in first }
    }

    private func loadRecent(_ memory: inout Memory, since: Timestamp) throws {
        let sql = """
            SELECT started_at, rule, subject_type, subject_id, part, cost FROM runs WHERE started_at > ?
            ORDER BY started_at, id
            """
        let starts = try database.query(sql, since.microseconds) { row in
            Memory.Start(
                at: row[0], rule: row[1], subject: SubjectID(type: row[2], id: row[3]),
                part: Run.Part(word: row[4]) ?? .steps, cost: row[5])
        }
        memory.recent = Starts(starts)
    }

    private func loadOnce(_ memory: inout Memory) throws {
        try database.query("SELECT rule, subject_type, subject_id, value FROM once") { row in
            memory.once.insert(
                OnceKey(rule: row[0], subject: SubjectID(type: row[1], id: row[2]), value: row[3]))
        }
        try database.query("SELECT rule, subject_type, subject_id, number FROM numbers") { row in
            memory.numbers[RuleSubject(rule: row[0], subject: SubjectID(type: row[1], id: row[2]))] = row[3]
        }
    }

    // MARK: - Writing

    /// Writes what a decision changed. Call it inside the transaction that stores the decision.
    func save(_ decision: Decision, _ memory: Memory, before: Memory, now: Timestamp) throws {
        for name in decision.forgotten {
            try database.run("DELETE FROM rules WHERE name = ?", name)
            try database.run("DELETE FROM episodes WHERE rule = ?", name)
        }
        for (name, rule) in memory.rules where !rule.isDryRun {
            // What a dry run remembers, and what was forgotten, is not stored, however much it is like this.
            let old = decision.forgotten.contains(name) ? nil : before.rules[name]
            if let old, old.isStoredLike(rule) { continue }
            try save(rule, named: name, now: now)
        }
        for changed in decision.episodes {
            guard let rule = memory.rules[changed.rule], !rule.isDryRun else { continue }
            try save(rule.episodes[changed.subject], of: changed)
        }
        for (subject, number) in decision.numbers {
            try database.run(
                "INSERT OR REPLACE INTO numbers (rule, subject_type, subject_id, number) VALUES (?, ?, ?, ?)",
                subject.rule, subject.subject.type, subject.subject.id, number)
        }
        for run in decision.runs { try save(run) }
        for key in decision.once { try use(key, now: now) }
        try setMeta("decided_at", String(now.microseconds))
    }

    func save(_ rule: RuleMemory, named name: String, now: Timestamp) throws {
        let sql = """
            INSERT INTO rules (name, meaning, is_new, awaits_release, next_slot, paused_until, matched_at, asked_at,
                seen_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET meaning = excluded.meaning, is_new = excluded.is_new,
                awaits_release = excluded.awaits_release, next_slot = excluded.next_slot,
                paused_until = excluded.paused_until, matched_at = excluded.matched_at,
                asked_at = excluded.asked_at
            """
        try database.run(
            sql, name, rule.meaning, rule.isNew, rule.awaitsRelease, rule.nextSlot?.microseconds,
            rule.pausedUntil?.microseconds, rule.matchedAt?.microseconds,
            rule.askedAt?.microseconds, now.microseconds)
    }

    func save(_ episode: Episode?, of subject: RuleSubject) throws {
        let (rule, id) = (subject.rule, subject.subject)
        guard let episode else {
            try database.run(
                "DELETE FROM episodes WHERE rule = ? AND subject_type = ? AND subject_id = ?", rule, id.type, id.id)
            return
        }
        let sql = """
            INSERT OR REPLACE INTO episodes (rule, subject_type, subject_id, key, phase, since, frozen_since,
                active_since, number, standing, hold, is_resetting, kept_since, ran_at, repeats, fired, acked_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try database.run(
            sql, rule, id.type, id.id, episode.key, episode.phase.rawValue, episode.since.microseconds,
            episode.frozenSince?.microseconds, episode.activeSince?.microseconds, episode.number,
            episode.standing.rawValue, episode.hold?.rawValue, episode.isResetting, episode.keptSince?.microseconds,
            episode.ranAt?.microseconds, episode.repeats, episode.fired.map(contexts.encode), episode.ackedBy)
    }

    /// Inserts or updates a run. The unique key refuses a second one for the same episode.
    func save(_ run: Run) throws {
        let key = run.key
        let (word, stored, until) = run.state.stored
        let reason = stored ?? run.waitingFor
        let sql = """
            INSERT INTO runs (rule, subject_type, subject_id, key, episode, part, step, state, reason, wait_until,
                started_at, step_since, has_written, cost, once, anchor, context)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (rule, subject_type, subject_id, key, episode, part) DO UPDATE SET step = excluded.step,
                state = excluded.state, reason = excluded.reason, wait_until = excluded.wait_until,
                step_since = excluded.step_since, has_written = excluded.has_written, context = excluded.context
            """
        // What ended needs no context any more, and there are many of those.
        let context = run.state.isFinished || run.context.isEmpty ? nil : contexts.encode(run.context)
        try database.run(
            sql, key.rule, key.subject.type, key.subject.id, key.key, key.episode, key.part.word, run.step, word,
            reason, until?.microseconds, run.startedAt.microseconds, run.stepSince.microseconds, run.hasWritten,
            run.cost, run.once, run.anchor, context)
    }

    func use(_ key: OnceKey, now: Timestamp) throws {
        try database.run(
            "INSERT OR IGNORE INTO once (rule, subject_type, subject_id, value, used_at) VALUES (?, ?, ?, ?, ?)",
            key.rule,
            key.subject.type, key.subject.id, key.value, now.microseconds)
    }

    /// The row of a run.
    func id(of key: RunKey) throws -> Int64? {
        let sql = """
            SELECT id FROM runs WHERE rule = ? AND subject_type = ? AND subject_id = ? AND key = ? AND episode = ?
                AND part = ?
            """
        return try database.first(
            sql, key.rule, key.subject.type, key.subject.id, key.key, key.episode, key.part.word
        ) { $0[0] }
    }

    func meta(_ name: String) throws -> String? {
        try database.first("SELECT value FROM meta WHERE name = ?", name) { $0[0] }
    }

    /// - Throws: `DatabaseError` also for what is no instant.
    func time(of name: String) throws -> Timestamp? {
        guard let text = try meta(name) else { return nil }
        guard let time = Int64(text).flatMap(Timestamp.init(stored:)) else {
            throw DatabaseError(.corrupt, path: database.path, detail: "'\(name)' is \(text.prefix(40))")
        }
        return time
    }

    func setMeta(_ name: String, _ value: String) throws {
        try database.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", name, value)
    }
}

extension RuleMemory {
    fileprivate func isStoredLike(_ other: RuleMemory) -> Bool {
        meaning == other.meaning && isNew == other.isNew && awaitsRelease == other.awaitsRelease
            && nextSlot == other.nextSlot && pausedUntil == other.pausedUntil
            && matchedAt == other.matchedAt && askedAt == other.askedAt
    }
}

extension Run.State {
    fileprivate var stored: (word: String, reason: String?, until: Timestamp?) {
        switch self {
        case .waiting(let until): ("waiting", nil, until)
        case .writing: ("writing", nil, nil)
        case .done: ("done", nil, nil)
        case .withdrawn(let reason): ("withdrawn", reason, nil)
        case .refused(let reason): ("refused", reason, nil)
        case .unknown(let reason): ("unknown", reason, nil)
        case .gaveUp(let reason): ("gave_up", reason, nil)
        }
    }

    fileprivate init(word: String, reason: String?, until: Timestamp?) {
        switch word {
        case "waiting": self = .waiting(until: until ?? Timestamp(seconds: 0))
        case "writing": self = .writing
        case "done": self = .done
        case "withdrawn": self = .withdrawn(reason ?? "")
        case "refused": self = .refused(reason ?? "")
        case "gave_up": self = .gaveUp(reason ?? "")
        default: self = .unknown(reason ?? "")
        }
    }
}
