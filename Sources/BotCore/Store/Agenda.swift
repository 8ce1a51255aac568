package import CEL
package import Rules

/// What comes due in the days ahead, and what waits for something else than time: what `agenda` prints.
package struct Agenda: Sendable {
    package struct Item: Hashable, Sendable {
        package enum Kind: String, Sendable {
            /// A schedule runs.
            case slot
            /// `for` is up, and `do` runs if the condition still holds.
            case fire = "for"
            /// `keep` is up, and the episode ends if the condition still does not hold.
            case keep
            case `repeat`, wait
            /// A write that had no effect is tried again.
            case retry
            /// A message that was held may go: quiet hours, its group.
            case message
            /// A rule's pause is over.
            case resume
            case unmute
        }

        package var at: Timestamp
        package var kind: Kind
        package var rule: String?
        package var subject: SubjectID?
        package var detail: String
        /// In which people read the time.
        package var timeZone: String
    }

    /// By time; what should have come already first.
    package var items: [Item] = []
    /// Rules with more slots than are listed, and when the listed ones end.
    package var more: [(rule: String, after: Timestamp)] = []
    /// What waits for a limit, a person or a reading.
    package var held: [StatusReport.Held] = []
    /// Zimmer's clock minus this machine's.
    private let skew: Duration
}

/// Reads an `Agenda` from what the daemon stored.
struct AgendaStore {
    let database: Database

    /// So many slots of one rule are listed.
    private static let listed = 14
    /// Whoever runs decides more often, so timers go on.
    private static let liveliness: Duration = .seconds(3_600)

    init(_ database: Database) {
        self.database = database
    }

    func agenda(now: Timestamp, upTo end: Timestamp) throws -> Agenda {
        let status = StatusStore(database)
        let times = Dictionary(try status.ruleTimes().map { ($0.name, $0) }) { first, _ in first }
        // Timers go by Zimmer's clock, slots and messages by this machine's.
        let skew = try status.skew()
        let memory = try MemoryStore(database).load(now: now + skew, isResuming: false)
        let isRunning = memory.decidedAt.map { now + skew - $0 < Self.liveliness } ?? false
        var agenda = Agenda(skew: skew)
        agenda.held = try status.report().held
        for (name, own) in memory.rules.sorted(by: { $0.key < $1.key }) {
            let rule = times[name]
            if let until = own.pausedUntil, until > now + skew {
                agenda.addTimer(.resume, until, name, nil, "the pause is over", rule)
                addSlots(of: name, own, rule, now: until - skew, end, isPaused: true, &agenda)
                continue
            }
            addSlots(of: name, own, rule, now: now, end, &agenda)
            for (subject, episode) in own.episodes where isRunning && episode.frozenSince == nil {
                addTimer(of: episode, name, subject, rule, &agenda)
            }
        }
        for run in memory.runs.values {
            guard case .waiting(let until) = run.state else { continue }
            agenda.addTimer(
                .wait, until, run.key.rule, run.key.subject, "step \(run.step + 1) is over", times[run.key.rule])
        }
        try addMessages(times, now: now, &agenda)
        try addRetries(times, &agenda)
        agenda.items = agenda.items.filter { $0.at <= end }.sorted {
            ($0.at, $0.rule ?? "", $0.subject ?? .none) < ($1.at, $1.rule ?? "", $1.subject ?? .none)
        }
        return agenda
    }

    /// - Parameter now: of a rule that is paused, when it goes on.
    private func addSlots(
        of name: String, _ own: RuleMemory, _ rule: RuleTimes?, now: Timestamp, _ end: Timestamp,
        isPaused: Bool = false, _ agenda: inout Agenda
    ) {
        guard let rule, let next = own.nextSlot else { return }
        // One that is due and has not run yet is still the next.
        if !isPaused, next + .seconds(rule.offset) <= now {
            agenda.add(.slot, next + .seconds(rule.offset), name, nil, own.unreadable?.reason ?? "", rule)
        }
        let slots = rule.slots(after: now, upTo: end, atMost: Self.listed + 1)
        for slot in slots.prefix(Self.listed) { agenda.add(.slot, slot, name, nil, "", rule) }
        if slots.count > Self.listed { agenda.more.append((name, slots[Self.listed - 1])) }
    }

    private func addTimer(
        of episode: Episode, _ name: String, _ subject: SubjectID, _ rule: RuleTimes?, _ agenda: inout Agenda
    ) {
        guard let rule else { return }
        switch episode.phase {
        case .pending: agenda.addTimer(.fire, episode.since + .seconds(rule.holdFor), name, subject, "", rule)
        case .keeping:
            guard let since = episode.keptSince else { return }
            agenda.addTimer(.keep, since + .seconds(rule.keep), name, subject, "", rule)
        case .active:
            guard let every = rule.every, let ranAt = episode.ranAt, episode.canRunAgain, episode.ackedBy == nil,
                episode.repeats < rule.times ?? .max
            else { return }
            agenda.addTimer(.repeat, ranAt + .seconds(every), name, subject, "run \(episode.repeats + 2)", rule)
        case .baseline: break
        }
    }

    private func addMessages(_ times: [String: RuleTimes], now: Timestamp, _ agenda: inout Agenda) throws {
        let sql = """
            SELECT channel, rule, hold, release_at, count(*) FROM outbox
            WHERE state = 'waiting' AND (hold IS NOT NULL OR release_at > ?1) AND release_at < ?2
            GROUP BY 1, 2, 3, 4
            """
        try database.query(sql, now.microseconds, OutboxStore.never.microseconds) { row in
            let (rule, hold) = (row[1] as String?, row[2] as String?)
            agenda.add(
                .message, row[3], rule, nil,
                "\(row[4] as Int) for \(row[0] as String) (\(hold ?? "held"))", rule.flatMap { times[$0] })
        }
        guard let until = try MemoryStore(database).time(of: Ledger.mutedName) else { return }
        if until > now { agenda.add(.unmute, until, nil, nil, "messages go again", nil) }
    }

    private func addRetries(_ times: [String: RuleTimes], _ agenda: inout Agenda) throws {
        let sql = """
            SELECT runs.rule, runs.subject_type, runs.subject_id, actions.not_before, actions.kind
            FROM actions JOIN runs ON runs.id = actions.run WHERE actions.state = 'retrying' AND not_before IS NOT NULL
            """
        try database.query(sql) { row in
            agenda.addTimer(
                .retry, row[3], row[0], SubjectID(type: row[1], id: row[2]), row[4],
                times[row[0]])
        }
    }
}

extension Agenda {
    fileprivate init(skew: Duration) {
        self.skew = skew
    }

    /// - Parameter at: on Zimmer's clock.
    fileprivate mutating func addTimer(
        _ kind: Item.Kind, _ at: Timestamp, _ rule: String?, _ subject: SubjectID?, _ detail: String,
        _ times: RuleTimes?
    ) {
        // For good is no time.
        guard at < Memory.forGood else { return }
        add(kind, at - skew, rule, subject, detail, times)
    }

    /// - Parameter at: on this machine's clock.
    fileprivate mutating func add(
        _ kind: Item.Kind, _ at: Timestamp, _ rule: String?, _ subject: SubjectID?, _ detail: String,
        _ times: RuleTimes?
    ) {
        items.append(
            Item(
                at: at, kind: kind, rule: rule, subject: subject, detail: detail, timeZone: times?.timeZone ?? "UTC"))
    }
}

extension SubjectID {
    fileprivate static let none = SubjectID(type: "", id: "")
}
