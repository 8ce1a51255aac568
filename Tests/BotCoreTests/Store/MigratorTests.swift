import BotTestSupport
import Testing

@testable import BotCore

@Suite struct MigratorTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path("state.sqlite") }
    private let first = Migrator(migrations: ["CREATE TABLE a (x TEXT) STRICT"])
    private let second = Migrator(migrations: ["CREATE TABLE a (x TEXT) STRICT", "ALTER TABLE a ADD COLUMN y TEXT"])

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ access: Database.Access = .writer) throws -> Database {
        try Database(at: path, as: access)
    }

    @Test func `a new file gets every step, an older one the missing steps, a current one none`() throws {
        do {
            let database = try open()
            #expect(try first.migrate(database) == 0)
            try database.run("INSERT INTO a VALUES (?)", "kept")
        }
        let database = try open()
        #expect(try second.migrate(database) == 1)
        #expect(try database.query("SELECT x, y FROM a") { $0[0] as String + ($0[1] ?? "-") } == ["kept-"])
        #expect(try second.migrate(database) == 2)
    }

    @Test func `a step that fails leaves the file at the step before`() throws {
        let broken = Migrator(migrations: [
            "CREATE TABLE a (x TEXT) STRICT", "CREATE TABLE b (y TEXT) STRICT; nonsense",
        ])
        let database = try open()
        #expect(code { try broken.migrate(database) } == .failed)
        #expect(try database.integer(of: "SELECT count(*) FROM sqlite_schema") == 1)
        #expect(try second.migrate(database) == 1)
    }

    @Test func `a file of a newer version is refused, by writers and readers`() throws {
        let database = try open()
        try second.migrate(database)
        #expect(code { try first.migrate(database) } == .newerVersion)
        #expect(code { try first.check(open(.reader)) } == .newerVersion)
    }

    @Test func `a reader refuses a file that waits for an update`() throws {
        let database = try open()
        try first.migrate(database)
        #expect(code { try second.check(open(.reader)) } == .olderVersion)
        try second.migrate(database)
        try second.check(open(.reader))
    }

    @Test(arguments: ["", "; PRAGMA user_version = 1", "; PRAGMA user_version = -1"])
    func `another program's database is refused and not changed`(version: String) throws {
        let database = try open()
        try database.execute("CREATE TABLE theirs (x TEXT)" + version)
        #expect(code { try first.migrate(database) } == .foreign)
        #expect(try database.query("SELECT name FROM sqlite_schema") { $0[0] as String } == ["theirs"])
    }
}
