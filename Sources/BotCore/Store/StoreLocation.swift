import CEL
import Rules

/// Where a ledger is kept.
package enum StoreLocation: Sendable {
    /// In a state directory, by the only process that writes there.
    case directory(StateDirectory)
    /// In memory, beginning with what a state directory holds: for `plan` and dry runs, which leave no trace.
    case copy(of: StateDirectory)
    /// In memory, empty.
    case memory

    /// A store in use, and what was found in it.
    struct Opened {
        let database: Database
        var memory = Memory()
        var readings = ReadingStore.Stored()
        /// Zimmer's clock minus this machine's, as it was last known.
        var skew: Duration = .zero
    }

    /// Opens the database and reads what the rules remember and what was read last.
    ///
    /// - Parameters:
    ///   - now: on this machine's clock.
    ///   - liveliness: a last decision that is no older than this was made by a bot that runs. In a copy time goes on then,
    ///     as it does there.
    func open(now: Timestamp, liveliness: Duration = .zero) throws -> Opened {
        let migrator = Migrator(migrations: Schema.migrations)
        switch self {
        case .directory(let directory):
            let database = try Database(at: directory.databasePath, as: .writer)
            try migrator.migrate(database)
            try MemoryStore(database).standStill()
            let skew = try StatusStore(database).skew()
            return Opened(
                database: database, memory: try MemoryStore(database).load(now: now + skew),
                readings: try ReadingStore(database).load(), skew: skew)
        case .copy(let directory):
            let database = try Database.inMemory()
            try migrator.migrate(database)
            let source: Database
            do throws(DatabaseError) {
                source = try Database(at: directory.databasePath, as: .visitor)
            } catch {
                guard error.code == .missing else { throw error }
                return Opened(database: database)
            }
            try migrator.check(source)
            let skew = try StatusStore(source).skew()
            let store = MemoryStore(source)
            let isResuming = try !store.isInUse(now: now + skew, liveliness)
            return Opened(
                database: database, memory: try store.load(now: now + skew, isResuming: isResuming),
                readings: try ReadingStore(source).load(), skew: skew)
        case .memory:
            let database = try Database.inMemory()
            try migrator.migrate(database)
            return Opened(database: database)
        }
    }
}
