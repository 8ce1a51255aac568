import CEL
import Rules

/// Reads the rows of a recording in their order. The rows may be anything: what cannot be is a failure.
struct HistoryReader: Sendable {
    private let types: [String: ObjectType]
    /// Types whose names were written, by number.
    private var known: [ValueDecoder.StoredType] = []
    private(set) var now = Timestamp(seconds: 0)
    private(set) var board = Shelf<Int64, SessionReading>()
    /// What changes are told from.
    private(set) var health: Object?
    private(set) var costs: [CostsRequest: Object] = [:]
    private(set) var listings: [ListingKind: [Listing.Row]] = [:]
    private var held = HeldIntake()
    /// A row was read from which on everything is told.
    private var hasBegun = false
    /// Everything that is known was given out, and all that followed.
    private var isInStep = false

    init(_ coder: ObjectCoder = ObjectCoder()) {
        self.init(types: coder.types)
    }

    private init(types: [String: ObjectType]) {
        self.types = types
    }

    /// The numbers of types, for who goes on writing; nil where their fields are not those of this version.
    var writtenTypes: [ObjectType: Int]? {
        guard hasBegun, known.allSatisfy(\.isCurrent) else { return nil }
        return Dictionary(known.enumerated().map { ($1.type, $0) }) { first, _ in first }
    }

    /// Reads the next row.
    ///
    /// - Returns: what happened; empty while sessions of the board are not all known.
    mutating func read(_ row: [UInt8]) throws(ByteReader.Failure) -> [HistoryEntry] {
        let bytes: [UInt8]
        switch row.first {
        case HistoryForm.version: bytes = try Checksum.opened(row)
        case HistoryForm.unsealed: bytes = row
        case nil: throw .cutShort
        case let version?:
            throw ByteReader.Failure("it was written in form \(version), this version reads \(HistoryForm.version)")
        }
        var decoder = ValueDecoder(reader: ByteReader(bytes), types: types, known: known)
        _ = try decoder.reader.byte()
        let entry = try read(decoder.reader.word(HistoryForm.Row.self), &decoder)
        try decoder.reader.finish()
        known = decoder.known
        guard board.isFilled else {
            isInStep = false
            return []
        }
        let state: [HistoryEntry] = isInStep ? [] : [.state(at: now, held.all)]
        isInStep = true
        return state + (entry.map { [$0] } ?? [])
    }

    private mutating func read(
        _ row: HistoryForm.Row, _ decoder: inout ValueDecoder
    ) throws(ByteReader.Failure) -> HistoryEntry? {
        if row == .state {
            try state(&decoder)
            return nil
        }
        guard hasBegun else { throw ByteReader.Failure("its beginning is missing") }
        now = try decoder.reader.timestamp(after: now)
        if row == .act { return .act(try decoder.reader.act(), at: now) }
        return .decision(try decision(&decoder))
    }

    /// From such a row on a recording can be read; where it is read from earlier on, everything is known already.
    private mutating func state(_ decoder: inout ValueDecoder) throws(ByteReader.Failure) {
        var next = HistoryReader(types: types)
        decoder.known = []
        next.now = try decoder.reader.timestamp()
        _ = try next.intake(&decoder)
        next.hasBegun = true
        if isInStep {
            let positions = board.positions
            for (index, id) in next.board.ids.enumerated() { next.board[index] = positions[id].flatMap { board[$0] } }
            next.held = held
            next.isInStep = true
        }
        self = next
    }

    private mutating func decision(_ decoder: inout ValueDecoder) throws(ByteReader.Failure) -> RecordedDecision {
        var decision = RecordedDecision(now: now, localNow: try decoder.reader.timestamp(after: now))
        let flags = HistoryForm.Flags(rawValue: try decoder.reader.byte())
        decision.isClockPutForward = flags.contains(.isClockPutForward)
        decision.isReload = flags.contains(.isReload)
        if flags.contains(.isStart) {
            decision.startedAt = try decoder.reader.timestamp(after: now)
            held = HeldIntake()
        }
        decision.intake = try intake(&decoder)
        return decision
    }

    // MARK: - What came in

    private mutating func intake(_ decoder: inout ValueDecoder) throws(ByteReader.Failure) -> [Intake] {
        var intake: [Intake] = []
        for _ in 0..<(try decoder.reader.count()) {
            let item = try item(&decoder)
            held.take(item)
            intake.append(item)
        }
        return intake
    }

    private mutating func item(_ decoder: inout ValueDecoder) throws(ByteReader.Failure) -> Intake {
        switch try decoder.reader.word(HistoryForm.Intake.self) {
        case .board: return try boardReading(&decoder)
        case .health:
            let readAt = try decoder.reader.timestamp(after: now)
            let object = try decoder.object(health)
            health = object
            return .health(HealthReading(object, readAt: readAt))
        case .costs:
            let request = try decoder.reader.request()
            let readAt = try decoder.reader.timestamp(after: now)
            let from = try decoder.reader.timestamp(after: now)
            let window = CostsInterval(
                from: from, to: try decoder.reader.timestamp(after: now), agentRoot: request.window.agentRoot)
            let object = try decoder.object(costs[request])
            if request.slot == nil { costs[request] = object }
            return .costs(CostsReading(object, window: window, readAt: readAt), request)
        case .failed: return .failed(try decoder.reader.text(), reason: try decoder.reader.text())
        case .failedCosts: return .failedCosts(try decoder.reader.request(), reason: try decoder.reader.text())
        case .standing: return .standing(try decoder.reader.standing())
        case .listing: return try listing(&decoder)
        case .channels:
            var channels: [ChannelStatus] = []
            for _ in 0..<(try decoder.reader.count()) { channels.append(try decoder.reader.channel()) }
            return .channels(channels)
        }
    }

    private mutating func listing(_ decoder: inout ValueDecoder) throws(ByteReader.Failure) -> Intake {
        guard let kind = ListingKind(rawValue: try decoder.reader.text()) else {
            throw ByteReader.Failure("it has a list of no known kind")
        }
        let readAt = try decoder.reader.timestamp(after: now)
        if let problem = try decoder.reader.optionalText() {
            return .listing(Listing(kind, [], problem: problem, readAt: readAt), departed: [:])
        }
        let last = Dictionary((listings[kind] ?? []).map { ($0.id, $0.object) }) { first, _ in first }
        var departed: [SubjectID: Departure] = [:]
        for _ in 0..<(try decoder.reader.count()) {
            let id = kind.subject(try decoder.reader.text())
            departed[id] = try decoder.departure(last: last[id])
        }
        if try !decoder.reader.flag() {
            var rows: [Listing.Row] = []
            for _ in 0..<(try decoder.reader.count()) {
                let id = kind.subject(try decoder.reader.text())
                rows.append(Listing.Row(id: id, object: try decoder.object(last[id]), digest: 0))
            }
            listings[kind] = rows
        }
        return .listing(Listing(kind, listings[kind] ?? [], problem: nil, readAt: readAt), departed: departed)
    }

    private mutating func boardReading(_ decoder: inout ValueDecoder) throws(ByteReader.Failure) -> Intake {
        let readAt = try decoder.reader.timestamp(after: now)
        let departed = try departures(&decoder)
        let isReordered = try order(&decoder)
        let changes = try decoder.reader.count()
        for _ in 0..<changes {
            let index = Int(clamping: try decoder.reader.unsigned())
            guard index < board.ids.count else { throw .noSuchValue }
            let old = board[index]?.object
            let object = try decoder.object(old)
            // Told again, for who begins to read here.
            if let old, Value.object(object).isExactly(.object(old)) { continue }
            guard let session = SessionReading(object) else {
                throw ByteReader.Failure("what was recorded as a session is none")
            }
            board[index] = session
        }
        var reading: BoardReading
        if let before = held.board, !isReordered, changes == 0 {
            reading = before
        } else {
            reading = BoardReading(sessions: board.items.compactMap(\.self), isWhole: true)
        }
        reading.readAt = readAt
        return .board(reading, departed: departed)
    }

    /// - Returns: false when it stayed the same.
    private mutating func order(_ decoder: inout ValueDecoder) throws(ByteReader.Failure) -> Bool {
        switch try decoder.reader.word(HistoryForm.Order.self) {
        case .same: return false
        case .new:
            var ids: [Int64] = []
            for _ in 0..<(try decoder.reader.count()) { ids.append(try decoder.reader.signed()) }
            board.reorder(ids)
        case .edited:
            var removed: [Int] = []
            for _ in 0..<(try decoder.reader.count()) { removed.append(Int(clamping: try decoder.reader.unsigned())) }
            var inserted: [(position: Int, id: Int64)] = []
            for _ in 0..<(try decoder.reader.count()) {
                inserted.append((Int(clamping: try decoder.reader.unsigned()), try decoder.reader.signed()))
            }
            guard board.apply(removed: removed, inserted: inserted) else { throw .noSuchValue }
        }
        return true
    }

    private func departures(_ decoder: inout ValueDecoder) throws(ByteReader.Failure) -> [SubjectID: Departure] {
        let count = try decoder.reader.count()
        if count == 0 { return [:] }
        let positions = board.positions
        var departed: [SubjectID: Departure] = [:]
        for _ in 0..<count {
            let id = SubjectID(type: try decoder.reader.text(), id: try decoder.reader.text())
            let last = Int64(id.id).flatMap { positions[$0] }.flatMap { board[$0]?.object }
            departed[id] = try decoder.departure(last: last)
        }
        return departed
    }
}

/// The latest of everything that came in since the process began.
private struct HeldIntake: Sendable {
    private(set) var board: BoardReading?
    private var health: HealthReading?
    private var listings: [ListingKind: Listing] = [:]
    private var costs: [CostsRequest: CostsReading] = [:]
    private var failures: [String: String] = [:]
    private var failedCosts: [CostsRequest: String] = [:]
    private var standing: ZimmerStanding?
    private var channels: [ChannelStatus]?

    mutating func take(_ item: Intake) {
        switch item {
        case .board(let reading, _):
            board = reading
            failures["session"] = nil
            standing?.lastReadAt = reading.readAt
        case .health(let reading):
            health = reading
            failures["health"] = nil
        case .listing(let reading, _):
            if reading.isWhole { listings[reading.kind] = reading }
            failures[reading.kind.rawValue] = reading.problem
        case .costs(let reading, let request):
            // A slot's window is of no use after it.
            if request.slot == nil { costs[request] = reading }
            failedCosts[request] = nil
        case .failed(let word, let reason): failures[word] = reason
        case .failedCosts(let request, let reason):
            if request.slot == nil { failedCosts[request] = reason }
        case .standing(let standing): self.standing = standing
        case .channels(let channels): self.channels = channels
        }
    }

    var all: [Intake] {
        var all: [Intake] = []
        if let board { all.append(.board(board, departed: [:])) }
        if let health { all.append(.health(health)) }
        for listing in listings.values { all.append(.listing(listing, departed: [:])) }
        for (request, reading) in costs { all.append(.costs(reading, request)) }
        for (word, reason) in failures { all.append(.failed(word, reason: reason)) }
        for (request, reason) in failedCosts { all.append(.failedCosts(request, reason: reason)) }
        if let standing { all.append(.standing(standing)) }
        if let channels { all.append(.channels(channels)) }
        return all
    }
}
