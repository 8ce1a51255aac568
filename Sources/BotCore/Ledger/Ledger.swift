import AdapterKit
package import CEL
package import Rules

/// Where decisions are made and written down: the rules, their memory and the store, owned together, so that what is
/// remembered and what is stored never differ.
///
/// Every method is one transaction without a suspension inside. When it throws nothing was changed: neither in the store
/// nor here.
package actor Ledger {
    let database: Database
    /// Names this store in delivery ids and marks, so that two stores never use the same.
    let storeName: String
    let clock: any BotClock
    var rules: RuleSet
    /// Names under `channels:`.
    private var channels: Set<String>
    var memory: Memory
    /// What the readers brought.
    var observation: Observation
    var tracker: SessionTracker
    /// The last whole reading of the board.
    var board: BoardReading?
    /// Sessions with a row among the stored readings.
    var stored: Set<Int64>
    var readers: [String: ReaderState] = [:]
    /// Zimmer's clock minus ours, where they differ by more than a few seconds.
    var skew: Duration = .zero
    private var cleanedAt: Timestamp?
    private var noticeBook: NoticeBook
    private var noticeSettings: NoticeSettings?
    /// When something is to be decided even if nothing is read.
    package private(set) var deadline: Timestamp?
    /// Channels that are down, as their workers last said.
    var channelCauses: [NoticeBook.Cause] = []
    /// What happened since the last decision and should be said: refusals, lost answers.
    var incidents: [NoticeBook.Cause] = []

    /// Opens the store and remembers what it holds.
    ///
    /// - Throws: `DatabaseError`, whose text says what to do.
    package init(
        _ location: StoreLocation, rules: RuleSet, channels: Set<String>, notices: NoticeSettings?,
        freshness: Observation.Freshness, clock: any BotClock,
        random: () -> UInt64 = { UInt64.random(in: .min ... .max) }
    ) throws {
        let now = clock.now()
        let opened = try location.open(now: now)
        database = opened.database
        memory = opened.memory
        self.clock = clock
        tracker = SessionTracker(sessions: opened.readings.tracked)
        observation = Observation(freshness: freshness, startedAt: now, sessions: opened.readings.sessions)
        stored = Set(opened.readings.sessions.keys)
        if let decided = memory.decidedAt {
            // What happened after the last decision of the process before was not said yet.
            incidents = try ActionStore(database).failed(since: decided).map(NoticeBook.Cause.init)
        }
        let store = MemoryStore(database)
        if let name = try store.meta("store") {
            storeName = name
        } else {
            storeName = String(random(), radix: 36)
            try store.setMeta("store", storeName)
        }
        noticeBook = NoticeBook(given: try NoticeStore(database).load())
        noticeSettings = notices
        self.rules = rules
        self.channels = channels
    }

    /// Puts other rules in force. What changed in meaning starts over at the next decision; messages to channels that are
    /// gone are given up.
    package func replace(
        _ rules: RuleSet, channels: Set<String>, notices: NoticeSettings?, freshness: Observation.Freshness
    ) throws {
        try database.transaction {
            for id in try OutboxStore(database).waiting(outside: channels) {
                try end(id, as: .dead, detail: "the channel is no longer in the rules file")
            }
        }
        self.rules = rules
        self.channels = channels
        observation.setFreshness(freshness)
        noticeSettings = notices
        memory.reload()
    }

    /// Decides on what was read since the last decision, and commits.
    ///
    /// - Complexity: see `RuleSet.decide`; rows are written only for what changed.
    func decide(_ observed: Observed) throws -> Decision {
        var next = memory
        var book = noticeBook
        let world = observation.world(now: instant(), localNow: clock.now(), latest: remembered())
        let decision = rules.decide(world, &next)
        let causes = noticeCauses(next, now: world.now) + decision.missedSlots + incidents + channelCauses
        let notices = book.update(causes, now: world.now)
        try database.transaction {
            try MemoryStore(database).save(decision, next, before: memory, now: world.now)
            try commit(decision, now: world.now)
            try commit(notices, book, now: world.now)
            try ReadingStore(database).save(observed)
            try saveStatus()
            if isCleaningDue(now: world.now) { try Housekeeping(database).clean(now: world.now) }
        }
        if isCleaningDue(now: world.now) { cleanedAt = world.now }
        memory = next
        noticeBook = book
        // Said at the next decision, which is soon: a slot that was missed is no hurry.
        incidents = missed(decision)
        deadline = decision.pause.map { clock.now() + $0 }
        observation.decided()
        stored.formUnion(observed.sessions.keys)
        stored.subtract(observed.left)
        return decision
    }

    /// Once a day, and after a start.
    private func isCleaningDue(now: Timestamp) -> Bool {
        cleanedAt.map { now - $0 >= .seconds(86_400) } ?? true
    }

    /// Now, on Zimmer's clock when that differs much from ours.
    func instant() -> Timestamp {
        clock.now() + skew
    }

    /// Differences of a few seconds are the resolution of the `Date` header and the way of the answer.
    func note(skew measured: Duration?) {
        guard let measured else { return }
        skew = measured > .seconds(5) || measured < .seconds(-5) ? measured : .zero
    }

    /// Writes posts and audit lines; inside a transaction. Messages are dated by this machine's clock, by which channels go.
    func commit(_ decision: Decision, now: Timestamp) throws {
        let outbox = OutboxStore(database)
        let audit = AuditStore(database)
        for post in decision.posts {
            let run = try post.run.flatMap { try MemoryStore(database).id(of: $0) }
            let isKnown = channels.contains(post.channel)
            try outbox.append(
                OutboxStore.Entry(run: run, step: post.run == nil ? nil : post.step, message: Message(post)),
                store: storeName, now: clock.now(), deadBecause: isKnown ? nil : "there is no such channel")
            var problems = post.text.errors + (post.title?.errors ?? [])
            if !isKnown { problems.append("there is no channel '\(post.channel)', so this message goes nowhere") }
            for problem in problems {
                try audit.append(
                    at: now, kind: "message_problem", rule: post.rule, subject: post.run?.subject,
                    episode: post.run?.episode, detail: problem)
            }
        }
        for event in decision.events { try audit.append(event) }
        for run in decision.runs where run.state.isFinished {
            if let id = try MemoryStore(database).id(of: run.key) {
                try ActionStore(database).withdraw(run: id, now: now)
            }
            guard let line = run.auditLine else { continue }
            try audit.append(
                at: now, kind: line.kind, rule: run.key.rule, subject: run.key.subject, episode: run.key.episode,
                detail: line.detail)
        }
    }

    private func commit(_ notices: [NoticeBook.Notice], _ book: NoticeBook, now: Timestamp) throws {
        guard !notices.isEmpty else { return }
        try NoticeStore(database).save(book)
        for notice in notices {
            try AuditStore(database).append(at: now, kind: "notice", rule: nil, detail: notice.text)
            for channel in noticeSettings?.channels ?? [] where channel != notice.channel {
                let message = Message(notice: notice.text, channel: channel, at: now)
                let entry = OutboxStore.Entry(message: message)
                try OutboxStore(database).append(entry, store: storeName, now: clock.now())
            }
        }
    }

    private func missed(_ decision: Decision) -> [NoticeBook.Cause] {
        let slots = Dictionary(grouping: decision.events.filter { $0.kind == .missed }, by: \.rule)
        return slots.sorted { $0.key < $1.key }.map { rule, events in
            NoticeBook.Cause(
                id: "missed:\(rule)", text: "Rule \(rule) missed a slot: \(events.last?.detail ?? "")",
                subjects: events.compactMap { $0.subject?.id }, isEvent: true)
        }
    }

    /// Readers that take more of their time than they should.
    private func readerCauses(_ patience: Duration, now: Timestamp) -> [NoticeBook.Cause] {
        readers.sorted { $0.key < $1.key }.compactMap { name, state in
            guard let since = state.stretchedSince, now - since >= patience else { return nil }
            return NoticeBook.Cause(
                id: "slow:\(name)",
                text: "Reading '\(name)' takes more than a quarter of its interval, so it is read less often")
        }
    }

    /// What the rules' memory gives reason to say.
    private func noticeCauses(_ memory: Memory, now: Timestamp) -> [NoticeBook.Cause] {
        let patience = noticeSettings?.cannotTellAfter ?? .seconds(900)
        var causes: [NoticeBook.Cause] = []
        var unreadable: [String: NoticeBook.Cause] = [:]
        for prepared in rules.rules where prepared.rule.mode == .live {
            guard let own = memory.rules[prepared.name] else { continue }
            causes += own.noticeCauses(rule: prepared.name, patience: patience, now: now)
            guard let failed = own.unreadable, now - failed.since >= patience else { continue }
            // One reading that fails keeps many rules from deciding: that is one cause.
            let object = prepared.watchable?.name ?? prepared.name
            var cause =
                unreadable[object]
                ?? NoticeBook.Cause(
                    id: "unreadable:\(object)", text: "Nothing can be decided about '\(object)': \(failed.reason)")
            cause.subjects.append("rule \(prepared.name)")
            unreadable[object] = cause
        }
        return causes + unreadable.sorted { $0.key < $1.key }.map(\.value) + readerCauses(patience, now: now)
    }

    /// Subjects that must not be lost sight of: those with an episode, and those of unfinished runs.
    package func remembered() -> Set<SubjectID> {
        var subjects: Set<SubjectID> = []
        for rule in memory.rules.values { subjects.formUnion(rule.episodes.keys) }
        for key in memory.runs.keys { subjects.insert(key.subject) }
        return subjects
    }

    package func dueSlots() -> [(rule: PreparedRule, slot: Slot)] {
        rules.dueSlots(memory, now: clock.now())
    }

    /// The newest lines of the audit trail of these kinds, oldest first.
    package func trail(_ kinds: Set<String>) throws -> [AuditStore.Entry] {
        try AuditStore(database).entries(AuditStore.Filter()).filter { kinds.contains($0.kind) }
    }

    package var currentRules: RuleSet { rules }
    package var currentMemory: Memory { memory }
}

extension Decision {
    fileprivate var missedSlots: [NoticeBook.Cause] {
        events.filter { $0.kind == .missed }.map { event in
            let slot = event.subject?.id ?? ""
            return NoticeBook.Cause(
                id: "missed:\(event.rule)", text: "Rule \(event.rule) missed its slot of \(slot): \(event.detail)",
                isEvent: true)
        }
    }
}

extension RuleMemory {
    fileprivate func noticeCauses(rule: String, patience: Duration, now: Timestamp) -> [NoticeBook.Cause] {
        var causes: [NoticeBook.Cause] = []
        let lasting = untold.filter { now - $0.value.since >= patience }
        if let first = lasting.min(by: { $0.key < $1.key }) {
            causes.append(
                NoticeBook.Cause(
                    id: "cannot_tell:\(rule)", text: "Rule \(rule) cannot tell: \(first.value.reason)",
                    subjects: lasting.keys.sorted().map(\.description)))
        }
        if awaitsRelease {
            let held = episodes.filter { $0.value.phase != .baseline }.keys.sorted().map(\.description)
            causes.append(
                NoticeBook.Cause(
                    id: "release:\(rule)",
                    text: "Rule \(rule) is new and matches much at once; it writes nothing until"
                        + " 'zimmer-bot release \(rule)'", subjects: held))
        }
        for hold in [Episode.Hold.perHour, .perSubject, .server] {
            let held = episodes.filter { $0.value.hold == hold }.keys.sorted().map(\.description)
            guard !held.isEmpty else { continue }
            causes.append(
                NoticeBook.Cause(
                    id: "held:\(rule):\(hold.rawValue)", text: "Rule \(rule) is held by its limit \(hold.rawValue)",
                    subjects: held))
        }
        return causes
    }
}

extension Run {
    /// What the trail says of a run that came to an end; nothing while it goes on.
    fileprivate var auditLine: (kind: String, detail: String)? {
        switch state {
        case .waiting, .writing: nil
        case .done: ("finished", key.part.rawValue)
        case .withdrawn(let reason): ("withdrawn", reason)
        // Said with the call itself.
        case .refused, .unknown: nil
        case .gaveUp(let reason): ("gave_up", reason)
        }
    }
}
