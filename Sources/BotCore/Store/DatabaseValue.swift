import CSQLite

/// A type that a column can hold: bound to a `?` of a statement, read from a column of a row.
///
/// Tables are declared `STRICT`, so a column holds what it was declared to hold. Where one does not (a hand-edited file),
/// it reads as SQLite converts it, NULL as zero or empty; nothing traps. Counts and times have a range: see `isSound`.
package protocol DatabaseValue {
    /// - Returns: an SQLite result code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
    static func read(from statement: OpaquePointer, at column: Int32) -> Self
    /// Whether the column holds what this program may have written there. Where not, the file is damaged, and what is read
    /// is not used.
    static func isSound(_ statement: OpaquePointer, at column: Int32) -> Bool
}

extension DatabaseValue {
    package static func isSound(_ statement: OpaquePointer, at column: Int32) -> Bool { true }
}

extension Int64: DatabaseValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self)
    }

    package static func read(from statement: OpaquePointer, at column: Int32) -> Int64 {
        sqlite3_column_int64(statement, column)
    }
}

/// A count, an index or a number in a sequence: sums of many of them do not overflow. What is no such is an `Int64`.
extension Int: DatabaseValue {
    private static let sound: ClosedRange<Int64> = 0...1_000_000_000

    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(self).bind(to: statement, at: index)
    }

    package static func read(from statement: OpaquePointer, at column: Int32) -> Int {
        Int(truncatingIfNeeded: Int64.read(from: statement, at: column))
    }

    package static func isSound(_ statement: OpaquePointer, at column: Int32) -> Bool {
        sound.contains(.read(from: statement, at: column))
    }
}

extension Bool: DatabaseValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }

    package static func read(from statement: OpaquePointer, at column: Int32) -> Bool {
        sqlite3_column_int64(statement, column) != 0
    }
}

extension Double: DatabaseValue {
    /// NaN becomes NULL: SQLite has none.
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_double(statement, index, self)
    }

    package static func read(from statement: OpaquePointer, at column: Int32) -> Double {
        sqlite3_column_double(statement, column)
    }
}

extension String: DatabaseValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            // An empty string may have no address, and no address binds NULL.
            guard let start = bytes.baseAddress else { return zb_sqlite_bind_text(statement, index, "", 0) }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                zb_sqlite_bind_text(statement, index, $0, UInt64(bytes.count))
            }
        }
    }

    package static func read(from statement: OpaquePointer, at column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8]: DatabaseValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_zeroblob(statement, index, 0)
            }
            return zb_sqlite_bind_blob(statement, index, start, UInt64(bytes.count))
        }
    }

    package static func read(from statement: OpaquePointer, at column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}

extension Optional: DatabaseValue where Wrapped: DatabaseValue {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
    }

    package static func read(from statement: OpaquePointer, at column: Int32) -> Wrapped? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : Wrapped.read(from: statement, at: column)
    }

    package static func isSound(_ statement: OpaquePointer, at column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL || Wrapped.isSound(statement, at: column)
    }
}
