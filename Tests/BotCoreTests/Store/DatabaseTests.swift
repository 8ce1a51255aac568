import BotTestSupport
import CEL
import Glibc
import Testing

@testable import BotCore

@Suite struct DatabaseTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path("state.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open() throws -> Database {
        let database = try Database(at: path, as: .writer)
        try database.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
        return database
    }

    private func texts(_ database: Database) throws -> [String] {
        try database.query("SELECT text FROM note ORDER BY id") { row in row[0] }
    }

    // MARK: Values

    @Test(arguments: ["", "é and e\u{301} stay apart", "nul \0 inside", String(repeating: "x", count: 100_000)])
    func `text comes back byte for byte`(text: String) throws {
        let database = try open()
        try database.run("INSERT INTO note (text) VALUES (?)", text)
        let read = try #require(try texts(database).first)
        #expect(Array(read.utf8) == Array(text.utf8))
    }

    @Test func `numbers, bytes, booleans and absent values come back as they were`() throws {
        let database = try Database.inMemory()
        try database.execute("CREATE TABLE t (a INTEGER, b REAL, c BLOB, d INTEGER, e TEXT) STRICT")
        let nothing: String? = nil
        try database.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", Int64.min, -0.5, [0, 255] as [UInt8], true, nothing)
        try database.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", Int64.max, 1e300, [] as [UInt8], false, Optional("x"))
        struct Row: Equatable {
            var a: Int64
            var b: Double?
            var c: [UInt8]
            var d: Bool
            var e: String?
        }
        let rows = try database.query("SELECT * FROM t") { Row(a: $0[0], b: $0[1], c: $0[2], d: $0[3], e: $0[4]) }
        #expect(
            rows == [
                Row(a: .min, b: -0.5, c: [0, 255], d: true, e: nil), Row(a: .max, b: 1e300, c: [], d: false, e: "x"),
            ])
    }

    @Test func `what is missing or of another type reads as zero or empty`() throws {
        let database = try Database.inMemory()
        let read = try database.first("SELECT NULL, NULL, NULL, 'word', 7") { row in
            (row[0] as Int, row[1] as String, row[2] as [UInt8], row[3] as Int, row[4] as String, row[9] as String)
        }
        let values = try #require(read)
        #expect(values == (0, "", [], 0, "7", ""))
    }

    @Test func `a query may run the same statement inside its closure`() throws {
        let database = try open()
        for text in ["a", "b"] { try database.run("INSERT INTO note (text) VALUES (?)", text) }
        let pairs = try database.query("SELECT text FROM note ORDER BY id") { row in
            let outer: String = row[0]
            return try texts(database).map { outer + $0 }
        }
        #expect(pairs == [["aa", "ab"], ["ba", "bb"]])
    }

    @Test func `a statement counts the rows it changed and names the row it added`() throws {
        let database = try open()
        try database.run("INSERT INTO note (id, text) VALUES (?, ?)", 41, "a")
        #expect(database.lastInsertRowID == 41)
        try database.run("INSERT INTO note (text) VALUES (?)", "b")
        #expect(database.lastInsertRowID == 42)
        #expect(try database.run("UPDATE note SET text = ?", "c") == 2)
        #expect(database.changes == 2)
    }

    @Test func `values that do not match the statement's places are refused`() throws {
        let database = try open()
        #expect(code { try database.run("INSERT INTO note (text) VALUES (?)", "a", "b") } == .failed)
        #expect(code { try database.run("") } == .failed)
        #expect(code { try database.run("INSERT INTO note (text) VALUES (?)", nil as String?) } == .constraint)
        #expect(try texts(database) == [])
    }

    // MARK: Transactions

    @Test func `a transaction that throws leaves nothing behind`() throws {
        struct Abandoned: Error {}
        let database = try open()
        #expect(throws: Abandoned.self) {
            try database.transaction {
                try database.run("INSERT INTO note (text) VALUES (?)", "gone")
                throw Abandoned()
            }
        }
        try database.transaction { try database.run("INSERT INTO note (text) VALUES (?)", "kept") }
        #expect(try texts(database) == ["kept"])
    }

    @Test func `a full disk undoes the transaction and the store goes on`() throws {
        let database = try open()
        try database.run("INSERT INTO note (text) VALUES (?)", "before")
        let pages = try database.integer(of: "PRAGMA page_count")
        try database.execute("PRAGMA max_page_count = \(pages + 2)")
        let failure = code {
            try database.transaction {
                try database.run("INSERT INTO note (text) VALUES (?)", "first of the poll")
                try database.run("INSERT INTO note (text) VALUES (?)", String(repeating: "x", count: 100_000))
            }
        }
        #expect(failure == .diskFull)
        #expect(try texts(database) == ["before"])
        try database.transaction { try database.run("INSERT INTO note (text) VALUES (?)", "after") }
        #expect(try texts(database) == ["before", "after"])
    }

    @Test func `a file that another process is writing to is busy, not broken`() throws {
        let database = try open()
        let other = try Database(at: path, as: .writer, busyTimeout: .milliseconds(1))
        try database.transaction {
            #expect(code { try other.transaction {} } == .busy)
        }
        try other.transaction {}
    }

    // MARK: Opening

    @Test func `the file and the log beside it are for the owner only`() throws {
        let database = try open()
        #expect(mode(of: path) == 0o600)
        #expect(mode(of: path + "-wal") == 0o600)
        withExtendedLifetime(database) {}
    }

    @Test func `a commit waits for the disk`() throws {
        let database = try open()
        #expect(try database.integer(of: "PRAGMA synchronous") == 2)
        #expect(try database.first("PRAGMA journal_mode") { $0[0] as String } == "wal")
        #expect(try database.integer(of: "PRAGMA foreign_keys") == 1)
    }

    @Test func `a reader sees what a running writer commits and cannot write`() throws {
        let writer = try open()
        let reader = try Database(at: path, as: .reader)
        #expect(try texts(reader) == [])
        try writer.run("INSERT INTO note (text) VALUES (?)", "new")
        #expect(try texts(reader) == ["new"])
        #expect(code { try reader.run("DELETE FROM note") } == .readOnly)
    }

    @Test(arguments: ["state.sqlite", "50% of #1?.sqlite", "Zustände.sqlite"])
    func `a reader opens a file that nobody has open`(name: String) throws {
        do {
            let writer = try Database(at: directory.path(name), as: .writer)
            try writer.execute("CREATE TABLE t (a TEXT) STRICT")
        }
        let reader = try Database(at: directory.path(name), as: .reader)
        #expect(try reader.integer(of: "SELECT count(*) FROM t") == 0)
    }

    @Test func `a reader gets what was committed before the writer was killed`() throws {
        let writer = try open()
        try writer.run("INSERT INTO note (text) VALUES (?)", "committed")
        let copy = directory.path("copy.sqlite")
        try copyFile(path, to: copy)
        try copyFile(path + "-wal", to: copy + "-wal")
        withExtendedLifetime(writer) {}
        #expect(try texts(Database(at: copy, as: .reader)) == ["committed"])
    }

    @Test func `a reader opens a file in a directory where it may not write`() throws {
        do { _ = try open() }
        chmod(path, 0o644)
        try withoutWritePermission(directory.path) {
            let reader = try Database(at: path, as: .reader)
            #expect(try texts(reader) == [])
        }
    }

    @Test func `a reader without a file says that there is no state yet`() {
        #expect(code { try Database(at: path, as: .reader) } == .missing)
    }

    @Test func `a path that cannot be looked at is not taken for one without a state`() throws {
        do { _ = try open() }
        #expect(code { try Database(at: path + "/zimmer-bot.sqlite", as: .reader) } == .cannotOpen)
        #expect(throws: DatabaseError.self) {
            try StoreLocation.copy(of: StateDirectory(path)).open(now: Timestamp(seconds: 0))
        }
    }

    @Test func `a writer says when it may not write`() throws {
        do { _ = try open() }
        try withoutWritePermission(path) {
            #expect(code { try Database(at: path, as: .writer) } == .readOnly)
        }
        try withoutWritePermission(directory.path) {
            #expect(code { try Database(at: directory.path("other.sqlite"), as: .writer) } == .readOnly)
        }
    }

    @Test func `a file in a directory that does not exist cannot be opened`() {
        #expect(code { try Database(at: directory.path("no/state.sqlite"), as: .writer) } == .cannotOpen)
    }

    // MARK: Damage

    @Test func `a file that is not a database is refused and left alone`() throws {
        let text = String(repeating: "Dear diary. ", count: 100)
        try directory.write(text, to: "state.sqlite")
        #expect(code { try Database(at: path, as: .writer) } == .notADatabase)
        #expect(try readFile(path) == Array(text.utf8))
    }

    @Test func `a damaged file is reported as damaged, not started over`() throws {
        do {
            let database = try open()
            for _ in 0..<200 {
                try database.run("INSERT INTO note (text) VALUES (?)", String(repeating: "x", count: 500))
            }
        }
        var bytes = try readFile(path)
        for offset in bytes.indices.dropFirst(4096) { bytes[offset] = 0x5A }
        try directory.write(bytes, to: "state.sqlite")
        let failure = code {
            let database = try Database(at: path, as: .writer)
            _ = try texts(database)
        }
        #expect(failure == .corrupt)
    }

    @Test func `an emptied file with a log beside it is damage, not a new store`() throws {
        let database = try open()
        try copyFile(path + "-wal", to: directory.path("copy.sqlite-wal"))
        try directory.write("", to: "copy.sqlite")
        withExtendedLifetime(database) {}
        #expect(code { try Database(at: directory.path("copy.sqlite"), as: .writer) } == .corrupt)
    }

    @Test func `every error names the file and says what to do`() throws {
        let error = DatabaseError(.diskFull, path: "/var/lib/zimmer-bot/zimmer-bot.sqlite")
        #expect(
            error.description
                == "the disk of /var/lib/zimmer-bot/zimmer-bot.sqlite is full; free some space, what was committed is safe"
        )
    }
}
