import Testing

/// What the keys of a rule do, each and together, one table for each case: see `Timetables/README.md`.
@Suite struct TimetableTests {
    private static let files = [
        "for-keep", "repeat-once-limit", "group-quiet", "suppress", "steps", "schedule", "people", "changes",
    ]
    /// Of a file that cannot be read there are none; the first test says why.
    private static let tables = files.flatMap { (try? Timetable.all(in: $0)) ?? [] }
    private static let plain = tables.filter(\.variants.isEmpty)

    @Test(arguments: files)
    func `every table can be read`(_ file: String) throws {
        #expect(try !Timetable.all(in: file).isEmpty)
    }

    @Test(arguments: plain)
    func `it goes as written`(_ table: Timetable) async throws {
        try await check(TimetablePlay(table))
    }

    @Test(arguments: plain)
    func `kills, and loading the same rules again, change nothing`(_ table: Timetable) async throws {
        try await check(TimetablePlay(table, isDisturbed: true))
    }

    @Test(arguments: tables.flatMap { table in table.variants.map { (table, $0) } })
    func `in the middle of it`(_ table: Timetable, _ event: String) async throws {
        try await check(TimetablePlay(table, event: event))
    }

    private func check(_ play: TimetablePlay) async throws {
        let differences = try await play.differences()
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }
}
