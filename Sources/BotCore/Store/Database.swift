import CSQLite
import Glibc

/// One connection to an SQLite file: statements with bound values, rows, transactions.
///
/// Synchronous and deliberately not `Sendable`. An actor owns it, so that everything one poll decided goes into one
/// transaction with no suspension inside. Every call may block on the disk, a commit for an `fsync`; `busyTimeout` bounds
/// the wait for another process.
///
/// SQL is this program's own text; whatever comes from elsewhere is bound to a `?`:
///
///     try database.run("INSERT INTO person (name, age) VALUES (?, ?)", name, age)
///     let people = try database.query("SELECT name, age FROM person WHERE age > ?", 30) { row in
///         Person(name: row[0], age: row[1])
///     }
package final class Database {
    package enum Access: Hashable, Sendable {
        /// Reads and writes, creates the file (mode 0600) if it is missing. One process at a time: see `StoreLock`.
        case writer
        /// Reads only, beside a running writer too. The file has to exist.
        case reader
        /// Reads only, for a moment, and leaves no file behind where no process writes. One that begins to write just then
        /// is not noticed.
        case visitor
    }

    package let path: String
    private let connection: OpaquePointer
    /// Statements not in use, by their SQL. One in use is out of here, so a query may run the same SQL inside its closure.
    private var idle: [String: DatabaseStatement] = [:]

    package convenience init(
        at path: String, as access: Access, busyTimeout: Duration = .seconds(5)
    ) throws(DatabaseError) {
        switch access {
        case .writer:
            try Self.createFile(at: path)
            try self.init(path: path, opening: path, flags: SQLITE_OPEN_READWRITE, busyTimeout: busyTimeout)
            try becomeWriter()
        case .reader, .visitor:
            try Self.checkExistence(path)
            try self.init(
                path: path, opening: Self.readerURI(path, access), flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                busyTimeout: busyTimeout)
        }
        // The first read is what finds out whether this is a database at all.
        _ = try integer(of: "PRAGMA user_version")
    }

    /// An empty database in memory, gone with the connection.
    package static func inMemory() throws(DatabaseError) -> Database {
        try Database(
            path: ":memory:", opening: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY,
            busyTimeout: .zero)
    }

    private init(path: String, opening name: String, flags: Int32, busyTimeout: Duration) throws(DatabaseError) {
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let opened else {
            // A connection comes back even from a failed opening, with the message in it.
            let error = DatabaseError(result: result, on: opened, path: path)
            sqlite3_close_v2(opened)
            throw error
        }
        self.path = path
        connection = opened
        sqlite3_busy_timeout(opened, Int32(min(busyTimeout / .milliseconds(1), 3_600_000)))
        try execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    }

    deinit {
        idle.removeAll()
        sqlite3_close_v2(connection)
    }

    // MARK: Statements

    /// Runs statements that take no values and whose rows, if any, nobody wants; several are separated by `;`.
    package func execute(_ sql: String) throws(DatabaseError) {
        let result = sqlite3_exec(connection, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw DatabaseError(result: result, on: connection, path: path) }
    }

    /// Runs one statement with its values.
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: String, _ values: any DatabaseValue...) throws(DatabaseError) -> Int {
        let statement = try checkOut(sql)
        defer { checkIn(statement, sql) }
        try statement.bind(values)
        while try statement.step() {}
        return changes
    }

    /// What `read` makes of each row, in order.
    @discardableResult
    package func query<Element>(
        _ sql: String, _ values: any DatabaseValue..., read: (borrowing DatabaseRow) throws -> Element
    ) throws -> [Element] {
        try query(sql, values: values, read: read)
    }

    /// The same with values that were put together.
    package func query<Element>(
        _ sql: String, values: [any DatabaseValue], read: (borrowing DatabaseRow) throws -> Element
    ) throws -> [Element] {
        let statement = try checkOut(sql)
        defer { checkIn(statement, sql) }
        try statement.bind(values)
        var elements: [Element] = []
        while try statement.step() {
            elements.append(try read(statement.row))
            try statement.checkRow()
        }
        return elements
    }

    /// What `read` makes of the first row, nil if there is none.
    package func first<Element>(
        _ sql: String, _ values: any DatabaseValue..., read: (borrowing DatabaseRow) throws -> Element
    ) throws -> Element? {
        let statement = try checkOut(sql)
        defer { checkIn(statement, sql) }
        try statement.bind(values)
        guard try statement.step() else { return nil }
        let element = try read(statement.row)
        try statement.checkRow()
        return element
    }

    /// Rows inserted, updated or deleted by the last statement that did any of these.
    package var changes: Int { Int(sqlite3_changes64(connection)) }

    package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(connection) }

    // MARK: Transactions

    /// Commits everything `body` did, or, if it or the commit throws, nothing.
    ///
    /// Takes the write lock at the start, so that nothing in `body` can find the file locked. Does not nest.
    @discardableResult
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    private func rollBack() {
        // A full disk or a failed write has rolled back by itself. If the rollback fails too, the first error is the one
        // to report, and the log in the file is undone by whoever opens it next.
        guard sqlite3_get_autocommit(connection) == 0 else { return }
        try? execute("ROLLBACK")
    }

    // MARK: Statement cache

    /// More different statements than the program has: SQL put together at run time must not pile up.
    private static let maximumIdleStatements = 200

    private func checkOut(_ sql: String) throws(DatabaseError) -> DatabaseStatement {
        if let statement = idle.removeValue(forKey: sql) { return statement }
        return try DatabaseStatement(sql, on: connection, path: path)
    }

    private func checkIn(_ statement: DatabaseStatement, _ sql: String) {
        statement.reset()
        if idle.count >= Self.maximumIdleStatements { idle.removeAll() }
        idle[sql] = statement
    }

    /// The single integer that a pragma or an aggregate answers.
    func integer(of sql: String) throws(DatabaseError) -> Int64 {
        let statement = try DatabaseStatement(sql, on: connection, path: path)
        return try statement.step() ? statement.row[0] : 0
    }
}

// MARK: - Opening

extension Database {
    /// A file in a directory that may not be looked into is not missing.
    private static func checkExistence(_ path: String) throws(DatabaseError) {
        guard access(path, F_OK) != 0 else { return }
        let reason = SystemError.current
        guard errno == ENOENT else { throw DatabaseError(.cannotOpen, path: path, detail: reason.description) }
        throw DatabaseError(.missing, path: path)
    }

    /// Creates the file before SQLite does, so that it and the files beside it, which take its mode, are for the owner only.
    private static func createFile(at path: String) throws(DatabaseError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let isReadOnly = errno == EROFS || errno == EACCES
            throw DatabaseError(
                isReadOnly ? .readOnly : .cannotOpen, path: path, detail: SystemError.current.description)
        }
        defer { close(descriptor) }
        // SQLite takes an empty file for a new one and discards the log beside it, which would be to start over silently.
        guard fileSize(path) == 0, fileSize(path + "-wal") > 0 else { return }
        throw DatabaseError(.corrupt, path: path, detail: "it is empty, but the log beside it is not")
    }

    private static func fileSize(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// A reader makes the files of the write-ahead log if they are missing, for which it needs the directory. Where it may
    /// not write there, or should not, and no log exists, nobody has the file open, and it is read as a file that does not
    /// change.
    private static func readerURI(_ path: String, _ access: Access) -> String {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let hasLog = Glibc.access(path + "-wal", F_OK) == 0
        let isStill = !hasLog && (access == .visitor || faccessat(AT_FDCWD, directory, W_OK, AT_EACCESS) != 0)
        return "file:" + percentEncoded(path) + (isStill ? "?immutable=1" : "")
    }

    /// Escapes what would end the path of a `file:` URI.
    private static func percentEncoded(_ path: String) -> String {
        var uri = ""
        for scalar in path.unicodeScalars {
            switch scalar {
            case "%": uri += "%25"
            case "?": uri += "%3f"
            case "#": uri += "%23"
            default: uri.unicodeScalars.append(scalar)
            }
        }
        return uri
    }

    private func becomeWriter() throws(DatabaseError) {
        guard sqlite3_db_readonly(connection, nil) == 0 else { throw DatabaseError(.readOnly, path: path) }
        // A committed intent has to survive a power cut, so every commit waits for the disk.
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216")
        // Rows are written and hardly ever read again: the default of 2 MB of pages would only lie there.
        try execute("PRAGMA cache_size = -512")
    }
}
