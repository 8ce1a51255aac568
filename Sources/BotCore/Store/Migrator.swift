/// Brings a store's tables up to this version of the program: numbered steps, forward only.
///
/// `PRAGMA user_version` counts the steps a file has had. A step once released is never edited; a change is a new step.
package struct Migrator: Sendable {
    /// "zbot": says that a file is ours, as `file(1)` and SQLite's `application_id` mean it.
    private static let applicationID: Int64 = 0x7A62_6F74

    private let migrations: [String]

    /// - Parameter migrations: SQL, several statements separated by `;`. The first takes a file from version 0 to 1.
    package init(migrations: [String]) {
        self.migrations = migrations
    }

    private var newest: Int { migrations.count }

    /// Runs the steps that are missing, each in a transaction with its number.
    /// - Returns: the version found; 0 says that the file is new, which is worth a line in the log.
    @discardableResult
    package func migrate(_ database: Database) throws -> Int {
        let found = try version(of: database)
        for (index, migration) in migrations.enumerated().dropFirst(found) {
            try database.transaction {
                try database.execute(migration)
                try database.execute(
                    "PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(index + 1)")
            }
        }
        return found
    }

    /// Refuses what a reader, which changes nothing, would misunderstand.
    package func check(_ database: Database) throws(DatabaseError) {
        let found = try version(of: database)
        guard found == newest else {
            throw DatabaseError(
                .olderVersion, path: database.path, detail: "version \(found), this one needs \(newest)")
        }
    }

    private func version(of database: Database) throws(DatabaseError) -> Int {
        let found = try database.integer(of: "PRAGMA user_version")
        let isOurs =
            if found == 0 {
                try database.integer(of: "SELECT count(*) FROM sqlite_schema") == 0
            } else {
                try database.integer(of: "PRAGMA application_id") == Self.applicationID
            }
        guard isOurs, found >= 0 else { throw DatabaseError(.foreign, path: database.path) }
        guard found <= newest else {
            throw DatabaseError(
                .newerVersion, path: database.path, detail: "version \(found), this one knows \(newest)")
        }
        return Int(found)
    }
}
