package import CEL
package import Rules

extension Ledger {
    /// A session that was read by itself because it was missing from the board.
    package typealias SingleReading = Result<SessionRow?, ZimmerError>

    /// Sessions with an episode or an unfinished run that are missing from a whole board: what became of them has to be
    /// read one by one.
    package func missing(from rows: BoardRows) -> [Int64] {
        guard rows.isWhole else { return [] }
        let present = Set(rows.rows.map(\.id))
        return memory.sessions(missingFrom: present.contains)
    }

    /// Numbers a reading of the board that begins now.
    package func beginBoard() -> Int {
        boards.begin()
    }

    /// Numbers a reading of health that begins now.
    func beginHealth() -> Int {
        healths.begin()
    }

    /// Takes a reading of the board, and decides on it.
    ///
    /// - Parameter number: from `beginBoard`. One that took so long that a later one came first says nothing any more.
    package func take(
        _ rows: BoardRows, singles: [Int64: SingleReading], number: Int? = nil
    ) throws -> Decision {
        note(skew: rows.skew)
        if let number {
            if boards.isLate(number) { return try tick() }
            if rows.isWhole { boards.take(number) }
        }
        let now = instant()
        var observed = Observed()
        var nextTracker = tracker
        let reading = nextTracker.reading(of: rows, previous: board, at: now)
        var departed: [SubjectID: Departure] = [:]
        for (id, single) in singles {
            let subject = SubjectID(type: "session", id: String(id))
            switch single {
            case .failure(let error): departed[subject] = .unreadable(error.description)
            case .success(nil): departed[subject] = .gone
            case .success(let row?):
                let session = nextTracker.reading(of: row, previous: nil, at: now)
                // Back on the board by the time it was read: the next reading has it.
                departed[subject] =
                    session.status == "archived" ? .archived(session.object) : .unreadable("it is not on the board yet")
            }
        }
        if reading.isWhole { observed.compare(reading, with: board, nextTracker, stored, departed) }
        observation.take(reading, departed: departed)
        tracker = nextTracker
        if reading.isWhole { board = reading }
        note(reading: "board", error: rows.error, problem: rows.isWhole ? nil : rows.problem, at: now)
        if rows.isWhole {
            readers["board"]?.skippedRows = rows.skippedRows
            note(features: rows.rows)
        }
        return try decide(observed)
    }

    /// Takes a reading of health, and decides on it.
    ///
    /// - Parameter number: from `beginHealth`, as with the board.
    package func take(_ result: Result<HealthReading, ZimmerError>, number: Int? = nil) throws -> Decision {
        if let number, healths.isLate(number) { return try tick() }
        switch result {
        case .success(let reading):
            if let number { healths.take(number) }
            observation.take(reading)
            unsaved.objects[Observation.healthID] = .some(reading.object)
            note(reading: "health", error: nil, problem: nil, at: instant())
        case .failure(let error):
            observation.fail("health", error.description)
            note(reading: "health", error: error, problem: error.description, at: instant())
        }
        return try decide(Observed())
    }

    package func take(_ readings: [CostsRequest: Result<CostsReading, ZimmerError>]) throws -> Decision {
        for (request, result) in readings {
            switch result {
            case .success(let reading):
                observation.take(reading, for: request, localNow: clock.now())
                note(reading: "costs", error: nil, problem: nil, at: instant())
            case .failure(let error):
                observation.fail(request, error.description)
                note(reading: "costs", error: error, problem: error.description, at: instant())
            }
        }
        return try decide(Observed())
    }

    /// Decides without a new reading: the end of a wait, a slot that is due.
    package func tick() throws -> Decision {
        try decide(Observed())
    }

    /// Windows of costs that rules want now, and for slots that are due.
    package func costsRequests() -> Set<CostsRequest> {
        var requests: Set<CostsRequest> = []
        for prepared in rules.rules where prepared.rule.mode != .off && prepared.rule.schedule == nil {
            requests.formUnion(prepared.costsRequests(slot: nil))
        }
        return requests
    }

    /// One session read by itself, as rules see it: for a last look.
    package func observe(_ row: SessionRow) -> SessionReading {
        let reading = tracker.reading(of: row, previous: board?[row.id], at: instant())
        observation.note(reading.object, of: row.id)
        return reading
    }

    /// The session of an answer, which may show less than a reading: it is no news.
    func reading(of row: SessionRow) -> SessionReading {
        var tracker = tracker
        return tracker.reading(of: row, previous: nil, at: instant())
    }

    /// The variables as they are now, for a last look.
    package func snapshot() -> World {
        observation.snapshot(now: instant(), localNow: clock.now())
    }

    /// How old the reading of health is; nil before the first.
    package func healthAge() -> Duration? {
        guard let readAt = observation.healthReadAt else { return nil }
        return instant() - readAt
    }

    /// Takes a reading of health that a last look asked for.
    ///
    /// - Parameter number: from `beginHealth`.
    func note(_ reading: HealthReading, number: Int) {
        var reading = reading
        reading.readAt = reading.readAt + note(serverDate: reading.serverDate)
        if !isTimeKnown { clocks.learnNothing() }
        guard !healths.isLate(number) else { return }
        healths.take(number)
        observation.take(reading)
    }

    /// How old the reading of a window of costs is; nil where there is none.
    func age(of request: CostsRequest) -> Duration? {
        observation.readAt(of: request).map { instant() - $0 }
    }

    func note(_ reading: CostsReading, for request: CostsRequest) {
        observation.take(reading, for: request, localNow: clock.now())
    }

    /// Notes that a reading took more than a quarter of the reader's interval, or that it no longer does.
    func note(reader name: String, isStretched: Bool) {
        guard var state = readers[name] else { return }
        if !isStretched {
            state.stretchedSince = nil
        } else if state.stretchedSince == nil {
            state.stretchedSince = instant()
        }
        readers[name] = state
    }

    /// Notes how Zimmer answered.
    ///
    /// - Parameter wasAsked: false where it is known what would be answered.
    func note(reading name: String, error: ZimmerError?, problem: String?, wasAsked: Bool = true, at now: Timestamp) {
        readers[name] = ReaderState(lastTriedAt: now, problem: problem, previous: readers[name])
        guard wasAsked else { return }
        observation.note(
            error, of: name, board: name == "board" && problem == nil ? now : nil, skew: clocks.skew, at: now)
        outages.note(observation.reach.trouble, failed: error != nil, at: now)
    }

    /// Forgets how readers fared that are no more.
    func keepReaders(_ names: Set<Assembly.ReaderName>) {
        let words = Set(names.map(\.rawValue))
        readers = readers.filter { words.contains($0.key) }
        observation.reach.keep(words)
    }
}

extension Observed {
    /// What differs from the reading before.
    fileprivate mutating func compare(
        _ reading: BoardReading, with before: BoardReading?, _ tracker: SessionTracker, _ stored: Set<Int64>,
        _ departed: [SubjectID: Departure]
    ) {
        for session in reading.sessions where before?[session.id]?.object !== session.object {
            sessions[session.id] = session.object
            tracked[session.id] = tracker.sessions[session.id]
        }
        for id in stored where reading[id] == nil {
            if departed[SubjectID(type: "session", id: String(id))] == nil { left.insert(id) }
        }
    }
}

/// How one reader fares, for `status`.
package struct ReaderState: Hashable, Sendable {
    package var lastTriedAt: Timestamp
    /// The last reading that was whole.
    package var lastReadAt: Timestamp?
    /// Why the last reading was not whole.
    package var problem: String?
    /// Since when its readings take more than a quarter of its interval.
    package var stretchedSince: Timestamp?
    /// Rows of the last whole reading that are there and cannot be read.
    package var skippedRows: Int

    init(lastTriedAt: Timestamp, problem: String?, previous: ReaderState?) {
        self.lastTriedAt = lastTriedAt
        self.problem = problem
        lastReadAt = problem == nil ? lastTriedAt : previous?.lastReadAt
        stretchedSince = previous?.stretchedSince
        skippedRows = previous?.skippedRows ?? 0
    }
}

extension Ledger {
    /// A subject as last read.
    func latest(_ id: SubjectID, for prepared: PreparedRule) -> Subject? {
        observation.world(now: instant(), localNow: clock.now(), latest: [id]).latest(id, for: prepared)
    }

    /// See `Observation.pullRequestsFrozen(of:now:)`.
    func pullRequestsFrozen(of session: SessionReading) -> String? {
        observation.pullRequestsFrozen(of: session, now: instant())
    }
}
