import CEL
import Rules

/// Records what decisions are made on, in the transactions of the ledger. A value, like `HistoryWriter`: after a
/// transaction that failed the recorder of before goes on.
struct HistoryRecorder {
    var settings: StoreSettings
    private var writer: HistoryWriter?
    /// Since the last row to begin at.
    private var start: HistoryStore.Start?
    private var bytes = 0
    /// Of that row and what the rules remembered then.
    private var stateBytes = 0
    /// The process began, and nothing was recorded since.
    private var startedAt: Timestamp?
    private var isReload = false
    private var checkedAt: Timestamp?
    /// There are rows to remove.
    private var isTrimming = true

    /// A day can be read without what was before it.
    private static let longest: Duration = .seconds(86_400)
    private static let putBack: Duration = .seconds(-60)
    private static let largest = 8 << 20
    private static let checking: Duration = .seconds(60)
    private static let bite = 50

    init(startedAt: Timestamp, _ settings: StoreSettings) {
        self.startedAt = startedAt
        self.settings = settings
    }

    /// The rules were replaced.
    mutating func noteReload() {
        isReload = true
    }

    /// Before anything of a decision is stored: makes sure that there is a row to begin at.
    mutating func prepare(_ database: Database, now: Timestamp) throws {
        guard writer == nil else { return }
        let store = HistoryStore(database)
        if let (start, reader, bytes) = try store.last(), let writer = HistoryWriter(after: reader) {
            self.writer = writer
            self.start = start
            self.bytes = bytes
        } else {
            // Before what is decided now, in the order of time too.
            try begin([], database, now: now - .microseconds(1))
        }
    }

    /// Records a decision, and forgets what is too old or too much.
    ///
    /// - Parameter held: everything that is known, for a row to begin at.
    mutating func record(
        _ decision: RecordedDecision, holding held: () -> [Intake], in database: Database
    ) throws {
        var decision = decision
        decision.startedAt = startedAt
        decision.isReload = isReload
        guard let row = writer?.decision(decision) else { return }
        try append(row, database)
        startedAt = nil
        isReload = false
        let isOver = try isTooMuch(database, now: decision.now)
        if isDue(now: decision.now, isOver: isOver) { try begin(held(), database, now: decision.now) }
        if isTrimming { isTrimming = try HistoryStore(database).trim(atMost: Self.bite) }
    }

    mutating func record(_ act: RecordedAct, at now: Timestamp, in database: Database) throws {
        try prepare(database, now: now)
        guard let row = writer?.act(act, at: now) else { return }
        try append(row, database)
    }

    private mutating func append(_ row: [UInt8], _ database: Database) throws {
        try HistoryStore(database).append(row)
        bytes += row.count
    }

    mutating func begin(_ held: [Intake], _ database: Database, now: Timestamp) throws {
        var next = HistoryWriter()
        let row = next.state(held, at: now)
        let memory = try MemoryRows(database).save()
        start = try HistoryStore(database).begin(row, at: now, memory: memory)
        writer = next
        bytes = 0
        stateBytes = row.count + memory.count
    }

    private func isDue(now: Timestamp, isOver: Bool) -> Bool {
        guard let start else { return false }
        // What is before its beginning by a clock that was put back would not be found there.
        let age = now - start.at
        if age >= Self.longest || age < Self.putBack { return true }
        return bytes >= max(isOver ? Self.largest / 8 : Self.largest, stateBytes * 4)
    }

    /// Forgets the oldest part of what is too old, or of a file that is too large; now and then.
    ///
    /// - Returns: whether it is too large.
    private mutating func isTooMuch(_ database: Database, now: Timestamp) throws -> Bool {
        if let checkedAt, now - checkedAt < Self.checking, now >= checkedAt { return false }
        checkedAt = now
        let store = HistoryStore(database)
        let isOver = try store.usedBytes() > settings.maximumSize
        let starts = try store.starts()
        // What is between a start and the next is all of one age.
        guard starts.count > 1, isOver || starts[1].at <= now - settings.keep else { return isOver }
        try store.forget(starts[0])
        isTrimming = true
        return isOver
    }
}

extension HistoryStore {
    /// The last part of the recording, read to its end; nil where there is none or it cannot be read, so that another is
    /// begun.
    fileprivate func last() throws -> (Start, HistoryReader, bytes: Int)? {
        guard let start = try starts().last else { return nil }
        var reader = HistoryReader()
        var bytes = 0
        do {
            try rows(from: start.id) { _, row in
                _ = try reader.read(row)
                bytes += row.count
            }
        } catch is ByteReader.Failure {
            return nil
        }
        return (start, reader, bytes)
    }
}
