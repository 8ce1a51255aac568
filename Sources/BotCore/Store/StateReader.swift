package import CEL
package import Rules

/// Reads a state directory beside a running daemon, for the commands that only look.
package final class StateReader {
    private let database: Database

    /// - Throws: `DatabaseError`; its text says what to do, also when the bot never ran here.
    package init(_ directory: StateDirectory) throws {
        database = try Database(at: directory.databasePath, as: .reader)
        try Migrator(migrations: Schema.migrations).check(database)
    }

    /// An instant of this machine's clock by that of Zimmer, which the stored instants go by.
    package func instant(_ now: Timestamp) throws -> Timestamp {
        now + (try skew())
    }

    /// Zimmer's clock minus this machine's.
    func skew() throws -> Duration { try StatusStore(database).skew() }

    package func status() throws -> StatusReport {
        try StatusStore(database).report()
    }

    /// What comes due until `end`, by this machine's clock.
    package func agenda(now: Timestamp, upTo end: Timestamp) throws -> Agenda {
        try AgendaStore(database).agenda(now: now, upTo: end)
    }

    /// What became of an action; nil when there is none of that id.
    package func story(of id: ActionID) throws -> Story? {
        try StoryStore(database).story(of: id)
    }

    /// The newest runs of a rule, newest first.
    ///
    /// - Parameter subject: nil for any.
    package func runs(of rule: String, _ subject: SubjectID?, limit: Int) throws -> [Story.Run] {
        try StoryStore(database).runs(of: rule, subject, limit: limit)
    }

    /// Until when a person lets no message go.
    func mutedUntil() throws -> Timestamp? {
        try MemoryStore(database).time(of: Ledger.mutedName)
    }

    /// Every rule that is remembered, by name.
    ///
    /// - Parameter now: on this machine's clock.
    package func rules(now: Timestamp) throws -> [RuleRecord] {
        try RuleRecordStore(database).records(now: instant(now))
    }

    /// Messages of a rule that wait.
    package func waiting(of rule: String, _ subject: SubjectID?) throws -> [Story.Post] {
        try StoryStore(database).waiting(of: rule, subject)
    }

    /// The last slot of a schedule that did not run, and why.
    package func lastMissed(of rule: String) throws -> (slot: String, reason: String)? {
        try StoryStore(database).lastMissed(of: rule)
    }

    /// Whether there is a line about a rule.
    package func hasTrail(of rule: String) throws -> Bool {
        try database.first("SELECT 1 FROM audit WHERE rule = ? LIMIT 1", rule) { $0[0] as Int64 } != nil
    }

    package func audit(_ filter: AuditStore.Filter) throws -> [AuditStore.Entry] {
        try AuditStore(database).entries(filter)
    }
}

/// Hands a request to the daemon through its state directory.
package final class StateCommander {
    private let database: Database

    package init(_ directory: StateDirectory) throws {
        // Opening as a reader first: asking something of a bot that never ran must not make a store.
        let reader = try Database(at: directory.databasePath, as: .reader)
        try Migrator(migrations: Schema.migrations).check(reader)
        database = try Database(at: directory.databasePath, as: .writer)
    }

    package func submit(_ command: String, _ argument: String, by person: String, now: Timestamp) throws -> Int64 {
        try InboxStore(database).submit(command, argument, by: person, now: now)
    }

    package func answer(to request: Int64) throws -> InboxStore.Answer? {
        try InboxStore(database).answer(to: request)
    }
}
