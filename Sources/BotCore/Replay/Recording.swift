package import CEL
import Rules

/// A state directory as `replay` reads it, beside a running bot too.
package struct Recording {
    let database: Database
    let store: HistoryStore
    let starts: [HistoryStore.Start]

    /// - Throws: `DatabaseError`, or `ReplayError` where nothing is recorded.
    package init(_ directory: StateDirectory) throws {
        database = try Database(at: directory.databasePath, as: .reader)
        try Migrator(migrations: Schema.migrations).check(database)
        // What is read is of one moment, whatever is written meanwhile.
        try database.execute("BEGIN")
        store = HistoryStore(database)
        starts = try store.starts()
        guard !starts.isEmpty else {
            throw ReplayError(
                description: "nothing is recorded yet: 'zimmer-bot run' records what it reads from its first poll on")
        }
    }

    /// By Zimmer's clock, as all that is recorded.
    package func lastDecision() throws -> Timestamp? {
        try MemoryStore(database).meta("decided_at").flatMap { Int64($0) }.map(Timestamp.init(microseconds:))
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
    /// Before Zimmer's first answer places go by this machine's clock, which may be far ahead.
    func start(before since: Timestamp) throws -> HistoryStore.Start {
        guard let first = starts.min(by: { $0.at < $1.at }) else {
            throw ReplayError(description: "nothing is recorded yet")
        }
        return starts.last { $0.at <= since } ?? first
    }

    /// What the rules remembered at a start, as a process would that goes on without a break.
    func memory(at start: HistoryStore.Start) throws -> Memory {
        let scratch = try Database.inMemory()
        try Migrator(migrations: Schema.migrations).migrate(scratch)
        guard let rows = try store.memory(at: start) else {
            throw ReplayError(description: "the recording changed while it was read: try again")
        }
        do {
            try scratch.transaction { try MemoryRows(scratch).restore(rows) }
        } catch {
            throw damage(at: start.id, "\(error)")
        }
        var memory = try MemoryStore(scratch).load(now: start.at, isResuming: false)
        try MemoryStore(database).addPast(&memory, at: start.at)
        return memory
    }

    /// Goes through what was recorded from a start on, in order.
    ///
    /// - Parameters:
    ///   - progress: told how much of the rows was read, from 0 to 1.
    ///   - body: false ends it.
    func entries(
        from start: HistoryStore.Start, progress: (Double) -> Void, _ body: (HistoryEntry) throws -> Bool
    ) throws {
        let last = max(try store.bound(.last) ?? start.id, start.id)
        var reader = HistoryReader()
        do {
            try store.rows(from: start.id) { id, row in
                if id % 256 == 0 { progress(Double(id - start.id) / Double(last - start.id + 1)) }
                let entries: [HistoryEntry]
                do throws(ByteReader.Failure) {
                    entries = try reader.read(row)
                } catch {
                    throw damage(at: id, error.description)
                }
                for entry in entries where !(try body(entry)) { throw Ended() }
            }
        } catch is Ended {}
        progress(1)
    }

    private struct Ended: Error {}

    /// What cannot be read hinders nobody but who wants to read it.
    private func damage(at id: Int64, _ reason: String) -> ReplayError {
        let next = starts.first { $0.id > id }
        let advice =
            next.map { "what was recorded later can be replayed: --since \($0.at.wholeSeconds)" }
            ?? "a bot that runs begins anew when it is started again"
        return ReplayError(
            description: "row \(id) of what was recorded cannot be read (\(reason)); the bot itself does not need it; "
                + advice,
            row: id)
    }
}
