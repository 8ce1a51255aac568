package import CEL
import Rules

/// A state directory as `replay` reads it, beside a running bot too.
package struct Recording {
    let database: Database
    let store: HistoryStore
    let starts: [HistoryStore.Start]
    /// In the order of the rows.
    private let beginnings: [Beginning]

    /// - Throws: `DatabaseError`, or `ReplayError` where nothing is recorded.
    package init(_ directory: StateDirectory) throws {
        database = try Database(at: directory.databasePath, as: .reader)
        try Migrator(migrations: Schema.migrations).check(database)
        // What is read is of one moment, whatever is written meanwhile.
        try database.execute("BEGIN")
        store = HistoryStore(database)
        starts = try store.starts()
        beginnings = try starts.map(store.beginning)
        guard !starts.isEmpty else {
            throw ReplayError(
                description: "nothing is recorded yet: 'zimmer-bot run' records what it reads from its first poll on")
        }
    }

    /// By Zimmer's clock, as all that is recorded.
    package func lastDecision() throws -> Timestamp? {
        try MemoryStore(database).time(of: "decided_at")
    }

    /// Bytes of all that is recorded.
    package var size: Int {
        get throws {
            let rows = "SELECT sum(length(body)) FROM history"
            let memory = "SELECT sum(length(memory)) FROM history_starts"
            return Int(try database.integer(of: rows) + database.integer(of: memory))
        }
    }

    /// The last place to begin at by which everything since then is played; the earliest there is where that is later.
    func beginning(before since: Timestamp) throws -> Beginning {
        guard let first = beginnings.first else { throw ReplayError(description: "nothing is recorded yet") }
        return beginnings.last { $0.after < since } ?? first
    }

    /// What the rules remembered at a beginning, as a process would that goes on without a break.
    func memory(at beginning: Beginning) throws -> Memory {
        let start = beginning.start
        let scratch = try Database.inMemory()
        try Migrator(migrations: Schema.migrations).migrate(scratch)
        do {
            guard let rows = try store.memory(at: start) else {
                throw ReplayError(description: "the recording changed while it was read: try again")
            }
            try scratch.transaction { try MemoryRows(scratch).restore(rows) }
        } catch let error as ReplayError {
            throw error
        } catch {
            throw damage(at: start.id, "\(error)")
        }
        var memory = try MemoryStore(scratch).load(now: start.at, isResuming: false)
        try MemoryStore(database).addPast(&memory, at: beginning.after)
        return memory
    }

    /// Goes through what was recorded from a start on, in order.
    ///
    /// - Parameters:
    ///   - progress: told how much of the rows was read, from 0 to 1.
    ///   - body: false ends it.
    func entries(
        from start: HistoryStore.Start, progress: (Double) -> Void,
        _ body: (_ row: Int64, HistoryEntry) throws -> Bool
    ) throws {
        let last = max(try store.bound(.last) ?? start.id, start.id)
        var reader = HistoryReader()
        do {
            try store.rows(from: start.id) { id, row in
                if id % 256 == 0 { progress((Double(id) - Double(start.id)) / (Double(last) - Double(start.id) + 1)) }
                let entries: [HistoryEntry]
                do throws(ByteReader.Failure) {
                    entries = try reader.read(row)
                } catch {
                    throw damage(at: id, error.description)
                }
                for entry in entries where !(try body(id, entry)) { throw Ended() }
            }
        } catch is Ended {}
        progress(1)
    }

    private struct Ended: Error {}

    /// What cannot be read hinders nobody but who wants to read it.
    private func damage(at id: Int64, _ reason: String) -> ReplayError {
        let next = beginnings.first { $0.start.id > id }
        let advice =
            next.map { "what was recorded later can be replayed: --since \(($0.after + .seconds(1)).wholeSeconds)" }
            ?? "a bot that runs begins anew when it is started again"
        return ReplayError(
            description: "row \(id) of what was recorded cannot be read (\(reason)); the bot itself does not need it; "
                + advice,
            row: id)
    }
}
