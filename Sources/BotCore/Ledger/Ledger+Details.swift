import CEL
import Rules

extension Ledger {
    /// A session of which more is to be read than its row.
    struct DetailRequest: Sendable {
        var row: SessionRow
        var wanted: Set<SessionDetail>
    }

    /// At most so many sessions are asked for at a poll.
    static let detailsPerPoll = 20
    /// After so long details that a condition reads are read again, although the session's row is the same.
    static let detailAge: Duration = .seconds(300)

    /// What a decision on this board, and on what became of sessions that left it, comes to and only a request for each
    /// session brings.
    func wanted(from rows: BoardRows, singles: [Int64: SingleReading]) -> [DetailRequest] {
        let naming = rules.naming("session")
        guard rows.isWhole, !naming.isEmpty else { return [] }
        var next = tracker
        let now = instant()
        let reading = next.reading(of: rows, previous: board, at: now)
        var world = snapshot()
        world.variables["board"] = World.Variable(reading.value, revision: .max)
        var wants = DetailWants(memory: memory, now: now)
        for prepared in naming {
            wants.ask(prepared, world, about: reading.sessions.lazy.map { session in (self.subject(session), session) })
        }
        return wants.requests + departing(singles, naming)
    }

    /// The same for a list of what belongs to sessions.
    func wanted(from listing: Listing) -> [DetailRequest] {
        let naming = rules.naming(listing.kind.rawValue)
        guard listing.isWhole, !naming.isEmpty, let board else { return [] }
        let now = instant()
        let candidates = listing.rows.compactMap { row -> DetailWants.Candidate? in
            guard case .int(let id) = row.object["session_id"], let session = board[id] else { return nil }
            let before = observation.latest(row.id)
            return (Subject(row.id, row.object.joined { _ in .object(session.blank) }, previous: before), session)
        }
        var wants = DetailWants(memory: memory, now: now)
        for prepared in naming { wants.ask(prepared, snapshot(), about: candidates) }
        return wants.requests
    }

    private func subject(_ session: SessionReading) -> Subject {
        let id = SubjectID(type: "session", id: String(session.id))
        return Subject(id, session.blank, previous: observation.board.previous(of: session.id))
    }

    /// A session that left the board is spoken of once more.
    private func departing(_ singles: [Int64: SingleReading], _ naming: [PreparedRule]) -> [DetailRequest] {
        let rows = singles.values.compactMap { try? $0.get() }
        let requests = rows.sorted { $0.id > $1.id }.compactMap { row -> DetailRequest? in
            let subject = SubjectID(type: "session", id: String(row.id))
            let wanted = naming.filter { memory.rules[$0.name]?.episodes[subject] != nil }.map(\.details)
            return wanted.isEmpty ? nil : DetailRequest(row: row, wanted: wanted.reduce(into: []) { $0.formUnion($1) })
        }
        return Array(requests.prefix(Self.detailsPerPoll))
    }

    /// Takes what was read of a session; the next reading of it shows it.
    func note(_ details: SessionDetails, of id: Int64) {
        tracker.note(details, of: id)
        for (feature, isThere) in details.features { note(feature, isMissing: !isThere) }
        guard let row = board?[id]?.row, row.digest == details.digest else { return }
        observation.note(tracker.reading(of: row, previous: nil, at: instant()).object, of: id)
    }
}

/// Finds out of which sessions details are wanted.
private struct DetailWants {
    /// A rule's subject, without details, and the session that it is or belongs to.
    typealias Candidate = (subject: Subject, session: SessionReading)

    let memory: Memory
    let now: Timestamp
    private var wanted: [Int64: (session: SessionReading, details: Set<SessionDetail>, order: Int)] = [:]

    init(memory: Memory, now: Timestamp) {
        self.memory = memory
        self.now = now
    }

    /// Never read before read long ago, newest before older.
    var requests: [Ledger.DetailRequest] {
        let order = wanted.values.sorted { a, b in
            switch (a.session.details?.readAt, b.session.details?.readAt) {
            case (nil, nil): a.order < b.order
            case (nil, _): true
            case (_, nil): false
            case (let mine?, let others?): mine == others ? a.order < b.order : mine < others
            }
        }
        return order.prefix(Ledger.detailsPerPoll).compactMap { session, details, _ in
            session.row.map { Ledger.DetailRequest(row: $0, wanted: details.union(session.details?.read ?? [])) }
        }
    }

    mutating func ask(_ prepared: PreparedRule, _ world: World, about candidates: some Sequence<Candidate>) {
        let details = prepared.details
        let episodes = memory.rules[prepared.name]?.episodes ?? Episodes()
        var evaluator = Evaluator(prepared, world: world)
        for (index, candidate) in candidates.enumerated() {
            let known = candidate.session.details
            let isKnown = known?.answer(details) ?? false
            if let known, isKnown, now - known.readAt < Ledger.detailAge { continue }
            evaluator.bind(candidate.subject)
            let want = prepared.want(evaluator) { $0 === SessionDetail.unread }
            let isWanted =
                switch want {
                case .toTell: true
                case .toSay: !isKnown
                // What ends is spoken of, too.
                case nil: !isKnown && episodes[candidate.subject.id]?.phase == .active
                }
            guard isWanted else { continue }
            wanted[candidate.session.id, default: (candidate.session, [], index)].details.formUnion(details)
        }
    }
}

extension RuleSet {
    /// Rules over what this word of `watch:` names that read details of sessions.
    fileprivate func naming(_ watchable: String) -> [PreparedRule] {
        rules.filter { $0.rule.mode != .off && $0.watchable?.name == watchable && !$0.details.isEmpty }
    }
}

extension PreparedRule {
    /// What it reads of the session that it is about beyond the session's row.
    var details: Set<SessionDetail> {
        guard let watchable, watchable.hasSession else { return [] }
        return Set(
            references.compactMap { reference in
                guard [watchable.name, "fired"].contains(reference.variable) else { return nil }
                let path = reference.path.drop { $0 == "session" }
                return path.first.flatMap(SessionField.detail)
            })
    }
}

extension SessionReading {
    /// As it would be without details.
    fileprivate var blank: Object {
        guard details != nil else { return object }
        var slots = object.slots
        for field in SessionField.allCases where field.detail != nil {
            slots[field.slot] = .error(SessionDetail.unread)
        }
        return Object(object.type, slots)
    }
}
