import CEL
import Glibc
import Rules

/// Where a ledger is kept.
package enum StoreLocation: Sendable {
    /// In a state directory, by the only process that writes there.
    case directory(StateDirectory)
    /// In memory, beginning with what a state directory holds: for `plan` and dry runs, which leave no trace.
    case copy(of: StateDirectory)
    /// In memory, empty.
    case memory

    /// Opens the database and reads the memory of the rules.
    func open(now: Timestamp) throws -> (database: Database, memory: Memory) {
        let migrator = Migrator(migrations: Schema.migrations)
        switch self {
        case .directory(let directory):
            let database = try Database(at: directory.databasePath, as: .writer)
            try migrator.migrate(database)
            return (database, try MemoryStore(database).load(now: now))
        case .copy(let directory):
            let database = try Database.inMemory()
            try migrator.migrate(database)
            guard access(directory.databasePath, F_OK) == 0 else { return (database, Memory()) }
            let source = try Database(at: directory.databasePath, as: .reader)
            try migrator.check(source)
            return (database, try MemoryStore(source).load(now: now))
        case .memory:
            let database = try Database.inMemory()
            try migrator.migrate(database)
            return (database, Memory())
        }
    }
}
