import CSQLite

/// One prepared statement, finalized when it is let go.
final class DatabaseStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let path: String
    private var damage: String?

    /// Compiles the first statement of `sql`.
    init(_ sql: String, on connection: OpaquePointer, path: String) throws(DatabaseError) {
        var handle: OpaquePointer?
        let result = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard result == SQLITE_OK else { throw DatabaseError(result: result, on: connection, path: path) }
        guard let handle else { throw DatabaseError(.failed, path: path, detail: "no statement in '\(sql)'") }
        self.handle = handle
        self.connection = connection
        self.path = path
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ values: [any DatabaseValue]) throws(DatabaseError) {
        let wanted = Int(sqlite3_bind_parameter_count(handle))
        guard values.count == wanted else {
            throw DatabaseError(.failed, path: path, detail: "\(values.count) values for \(wanted) places")
        }
        var index: Int32 = 1
        for value in values {
            try check(value.bind(to: handle, at: index))
            index += 1
        }
    }

    /// Moves to the next row; false after the last.
    func step() throws(DatabaseError) -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        if result == SQLITE_DONE { return false }
        throw DatabaseError(result: result, on: connection, path: path)
    }

    var row: DatabaseRow { DatabaseRow(self) }

    /// The value of a column of the current row; one that is not sound is noted for `checkRow`.
    func read<Value: DatabaseValue>(_ column: Int32) -> Value {
        if !Value.isSound(handle, at: column) {
            let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "a column"
            damage = "'\(name)' of a row of \(table) is \(String.read(from: handle, at: column).prefix(40))"
        }
        return Value.read(from: handle, at: column)
    }

    /// The table that is read, or the first of several.
    private var table: String {
        let sql = sqlite3_sql(handle).map { String(cString: $0) } ?? ""
        let words = sql.split { $0.isWhitespace || $0 == "," || $0 == "(" }
        let from = words.firstIndex { $0 == "FROM" }.map(words.index(after:))
        return from.flatMap { words.indices.contains($0) ? "'\(words[$0])'" : nil } ?? "a table"
    }

    /// - Throws: when something that was read of the rows so far is not sound.
    func checkRow() throws(DatabaseError) {
        if let damage { throw DatabaseError(.corrupt, path: path, detail: damage) }
    }

    /// Makes the statement ready for its next use and lets go of the bound values.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        damage = nil
    }

    private func check(_ result: Int32) throws(DatabaseError) {
        guard result == SQLITE_OK else { throw DatabaseError(result: result, on: connection, path: path) }
    }
}
