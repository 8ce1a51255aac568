import CEL
import Rules

/// Writes what happened as what changed since the row before. A value: where a row could not be stored, the writer of
/// before goes on.
///
/// It knows what a reader knows who read the rows so far.
struct HistoryWriter: Sendable {
    /// So many sessions that the reader was not told of yet go into one row, so that no row of a large board takes long.
    private let most: Int
    private var known: [ObjectType: Int] = [:]
    private var now = Timestamp(seconds: 0)
    private var board = Shelf<Int64, Object>()
    private var health: Object?
    private var costs: [CostsRequest: Object] = [:]
    private var listings: [ListingKind: [Listing.Row]] = [:]
    private var standing: ZimmerStanding?

    init(fill most: Int = 2_000) {
        self.most = most
    }

    /// Goes on where a reader has come to; nil when that is of another version and nothing can be told from its rows.
    init?(after reader: HistoryReader, fill most: Int = 2_000) {
        self.most = most
        guard let known = reader.writtenTypes else { return nil }
        self.known = known
        now = reader.now
        board.ids = reader.board.ids
        board.items = reader.board.items.map { $0?.object }
        board.reorder(board.ids)
        health = reader.health
        costs = reader.costs
        listings = reader.listings
    }

    /// The first row of a recording that can be read from there on.
    mutating func state(_ held: [Intake], at now: Timestamp) -> [UInt8] {
        var encoder = begin(.state)
        encoder.writer.timestamp(now)
        self.now = now
        write(held, fill: most, &encoder)
        return end(encoder)
    }

    mutating func decision(_ decision: RecordedDecision) -> [UInt8] {
        var encoder = begin(.decision)
        encoder.writer.timestamp(decision.now, after: now)
        encoder.writer.timestamp(decision.localNow, after: decision.now)
        now = decision.now
        var flags: HistoryForm.Flags = []
        if decision.isClockPutForward { flags.insert(.isClockPutForward) }
        if decision.startedAt != nil { flags.insert(.isStart) }
        if decision.isReload { flags.insert(.isReload) }
        encoder.writer.byte(flags.rawValue)
        if let startedAt = decision.startedAt { encoder.writer.timestamp(startedAt, after: now) }
        write(decision.intake, fill: most, &encoder)
        return end(encoder)
    }

    mutating func act(_ act: RecordedAct, at now: Timestamp) -> [UInt8] {
        var encoder = begin(.act)
        encoder.writer.timestamp(now, after: self.now)
        self.now = now
        encoder.writer.act(act)
        return end(encoder)
    }

    private func begin(_ row: HistoryForm.Row) -> ValueEncoder {
        var encoder = ValueEncoder(known: known)
        encoder.writer.byte(HistoryForm.version)
        encoder.writer.byte(row.rawValue)
        return encoder
    }

    private mutating func end(_ encoder: ValueEncoder) -> [UInt8] {
        known = encoder.known
        return Checksum.sealed(encoder.writer.bytes)
    }

    // MARK: - What came in

    /// - Parameter fill: how many sessions may be told that are not known yet.
    private mutating func write(_ intake: [Intake], fill: Int, _ encoder: inout ValueEncoder) {
        // How Zimmer is reached is noted with every reading and hardly ever changes.
        let told = intake.filter { item in
            guard case .standing(let standing) = item else { return true }
            return !standing.isLike(self.standing)
        }
        encoder.writer.count(told.count)
        for item in told { write(item, fill: fill, &encoder) }
    }

    private mutating func write(_ item: Intake, fill: Int, _ encoder: inout ValueEncoder) {
        encoder.writer.byte(item.form.rawValue)
        switch item {
        case .board(let reading, let departed): write(reading, departed, fill: fill, &encoder)
        case .health(let reading):
            encoder.writer.timestamp(reading.readAt, after: now)
            encoder.patch(health.map(Value.object), .object(reading.object))
            health = reading.object
        case .listing(let reading, let departed): write(reading, departed, &encoder)
        case .costs(let reading, let request):
            encoder.writer.request(request)
            for time in [reading.readAt, reading.window.from, reading.window.to] {
                encoder.writer.timestamp(time, after: now)
            }
            encoder.patch(costs[request].map(Value.object), .object(reading.object))
            if request.slot == nil { costs[request] = reading.object }
        case .failed(let word, let reason):
            encoder.writer.text(word)
            encoder.writer.text(reason)
        case .failedCosts(let request, let reason):
            encoder.writer.request(request)
            encoder.writer.text(reason)
        case .standing(let standing):
            encoder.writer.standing(standing)
            self.standing = standing
        case .channels(let channels):
            encoder.writer.count(channels.count)
            for channel in channels { encoder.writer.channel(channel) }
        }
    }

    // MARK: - Lists

    private mutating func write(
        _ reading: Listing, _ departed: [SubjectID: Departure], _ encoder: inout ValueEncoder
    ) {
        encoder.writer.text(reading.kind.rawValue)
        encoder.writer.timestamp(reading.readAt, after: now)
        encoder.writer.optional(reading.isWhole ? nil : reading.problem ?? "only a part of the list was read")
        guard reading.isWhole else { return }
        let known = listings[reading.kind]
        let last = Dictionary((known ?? []).map { ($0.id, $0.object) }) { first, _ in first }
        encoder.writer.count(departed.count)
        for (id, departure) in departed.sorted(by: { $0.key < $1.key }) {
            encoder.writer.text(id.id)
            encoder.departure(departure, last: last[id])
        }
        let isSame = known?.elementsEqual(reading.rows) { $0.id == $1.id && $0.isExactly($1) } ?? false
        encoder.writer.flag(isSame)
        listings[reading.kind] = reading.rows
        if isSame { return }
        encoder.writer.count(reading.rows.count)
        for row in reading.rows {
            encoder.writer.text(row.id.id)
            encoder.patch(last[row.id].map(Value.object), .object(row.object))
        }
    }

    // MARK: - The board

    private mutating func write(
        _ reading: BoardReading, _ departed: [SubjectID: Departure], fill: Int, _ encoder: inout ValueEncoder
    ) {
        encoder.writer.timestamp(reading.readAt, after: now)
        write(departed, &encoder)
        writeOrder(reading, &encoder)
        var fill = fill
        var changed: [Int] = []
        for index in reading.sessions.indices {
            let object = reading.sessions[index].object
            if let old = board[index] {
                if old === object { continue }
                if !Value.object(object).isExactly(.object(old)) {
                    changed.append(index)
                } else {
                    board[index] = object
                }
            } else if fill > 0 {
                fill -= 1
                changed.append(index)
            }
        }
        encoder.writer.count(changed.count)
        for index in changed {
            encoder.writer.count(index)
            let object = reading.sessions[index].object
            encoder.patch(board[index].map(Value.object), .object(object))
            board[index] = object
        }
    }

    private func write(_ departed: [SubjectID: Departure], _ encoder: inout ValueEncoder) {
        encoder.writer.count(departed.count)
        if departed.isEmpty { return }
        let positions = board.positions
        for (id, departure) in departed.sorted(by: { $0.key < $1.key }) {
            encoder.writer.text(id.type)
            encoder.writer.text(id.id)
            encoder.departure(departure, last: Int64(id.id).flatMap { positions[$0] }.flatMap { board[$0] })
        }
    }

    private mutating func writeOrder(_ reading: BoardReading, _ encoder: inout ValueEncoder) {
        let sessions = reading.sessions
        if sessions.count == board.ids.count, sessions.indices.allSatisfy({ sessions[$0].id == board.ids[$0] }) {
            return encoder.writer.byte(HistoryForm.Order.same.rawValue)
        }
        let ids = sessions.map(\.id)
        defer { board.reorder(ids) }
        guard let (removed, inserted) = board.edit(to: ids) else {
            encoder.writer.byte(HistoryForm.Order.new.rawValue)
            encoder.writer.count(ids.count)
            for id in ids { encoder.writer.signed(id) }
            return
        }
        encoder.writer.byte(HistoryForm.Order.edited.rawValue)
        encoder.writer.count(removed.count)
        for index in removed { encoder.writer.count(index) }
        encoder.writer.count(inserted.count)
        for index in inserted {
            encoder.writer.count(index)
            encoder.writer.signed(ids[index])
        }
    }
}

extension Listing.Row {
    fileprivate func isExactly(_ other: Listing.Row) -> Bool {
        object === other.object || Value.object(object).isExactly(.object(other.object))
    }
}
