import CSQLite

/// Why the store could not be read or written, told apart by what a person has to do about it.
package struct DatabaseError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// No file there yet, and this opening does not create one.
        case missing
        case cannotOpen, readOnly, diskFull, ioFailed, busy
        /// SQLite's file, but damaged; or not SQLite's at all; or another program's.
        case corrupt, notADatabase, foreign
        /// Written by a newer or (seen by a reader, which cannot migrate) by an older version of this program.
        case newerVersion, olderVersion
        /// A unique, foreign-key, check or not-null clause said no.
        case constraint
        /// Everything else: a mistake in this program.
        case failed
    }

    package let code: Code
    package let path: String
    /// SQLite's or the system's own words. They may quote SQL, never a bound value.
    package let detail: String

    package init(_ code: Code, path: String, detail: String = "") {
        self.code = code
        self.path = path
        self.detail = detail
    }

    /// Waiting, or room made by a person, can help without a restart.
    package var isTransient: Bool { code == .busy || code == .diskFull }

    package var description: String {
        switch code {
        case .missing:
            "there is no state at \(path) yet; start 'zimmer-bot run' once, or name another directory with --state"
        case .cannotOpen: "cannot open \(path)\(because); check that its directory exists and is yours"
        case .readOnly:
            "\(path) cannot be written; check its owner and mode, and that its disk is not mounted read-only"
        case .diskFull: "the disk of \(path) is full; free some space, what was committed is safe"
        case .ioFailed: "reading or writing \(path) failed\(because); check the disk"
        case .busy: "another process is writing to \(path); try again when it is done"
        case .corrupt: "\(path) is damaged\(because); restore it from a backup, or move it away to start over"
        case .notADatabase: "\(path) is not a database; restore it from a backup, or move it away to start over"
        case .foreign: "\(path) belongs to another program; name another directory with --state"
        case .newerVersion: "\(path) was written by a newer zimmer-bot\(because); install that version or a later one"
        case .olderVersion:
            "\(path) was written by an older zimmer-bot\(because); restart 'zimmer-bot run' to update it"
        case .constraint: "\(path) refused a row\(because); please report this"
        case .failed: "\(path): a query failed\(because); please report this"
        }
    }

    package var debugDescription: String { "\(description) [\(code.rawValue): \(detail)]" }

    private var because: String { detail.isEmpty ? "" : " (\(detail))" }
}

extension DatabaseError {
    /// What `result` of a call on `connection` means. The connection still holds the message of its last call.
    init(result: Int32, on connection: OpaquePointer?, path: String) {
        let message = connection.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(result))
        self.init(Code(result: result), path: path, detail: message)
    }
}

extension DatabaseError.Code {
    /// - Parameter result: an extended result code; the low byte is the primary one.
    init(result: Int32) {
        self =
            switch result & 0xFF {
            case SQLITE_FULL: .diskFull
            case SQLITE_READONLY, SQLITE_PERM: .readOnly
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_IOERR: .ioFailed
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CONSTRAINT: .constraint
            default: .failed
            }
    }
}
