import AdapterKit
package import CEL
package import Rules

/// Where decisions are made and written down: the rules, their memory and the store, owned together, so that what is
/// remembered and what is stored never differ.
///
/// Every method is one transaction without a suspension inside. When it throws, neither the store nor the memory of the
/// rules was changed; what was read is decided on and stored the next time.
package actor Ledger {
    let database: Database
    /// Names this store in delivery ids and marks, so that two stores never use the same.
    let storeName: String
    let clock: any BotClock
    var rules: RuleSet
    /// How messages go.
    private(set) var delivery: DeliveryRules
    var memory: Memory
    /// What was asked of Zimmer in the last day.
    var budget: WriteBudget
    /// What the readers brought.
    var observation: Observation
    var tracker: SessionTracker
    /// The last whole reading of the board.
    var board: BoardReading?
    var boards = ReadingOrder()
    var healths = ReadingOrder()
    var listings: [ListingKind: ReadingOrder] = [:]
    /// Sessions with a row among the stored readings.
    var stored: Set<Int64>
    /// What was read and could not be stored yet.
    var unsaved = Observed()
    var readers: [String: ReaderState] = [:]
    /// Zimmer's clock minus ours, where they differ by more than a few seconds.
    var skew: Duration
    /// An instant and the time that had passed by then: from here on instants go by the time that passes, so that no wait
    /// ends because somebody sets this machine's clock.
    private var anchor: (instant: Timestamp, elapsed: Duration)
    /// This machine's clock at the last decision, and the time that had passed by then.
    private var lastLook: (local: Timestamp, elapsed: Duration)
    private var cleanedAt: Timestamp?
    /// Nil where nothing is kept: in a copy, and in memory.
    private var recorder: HistoryRecorder?
    private var noticeBook: NoticeBook
    var noticeSettings: NoticeSettings?
    /// When something is to be decided even if nothing is read.
    package private(set) var deadline: Timestamp?
    /// Until then a person lets no message go that is not urgent; on this machine's clock.
    var mutedUntil: Timestamp?
    /// Why the last decision could not be stored.
    private(set) var storeProblem: String?
    /// Channels that are down, as their workers last said.
    var channelCauses: [NoticeBook.Cause] = []
    /// What happened since the last decision and should be said: refusals, lost answers.
    var incidents: [NoticeBook.Cause] = []

    /// Opens the store and remembers what it holds.
    ///
    /// - Throws: `DatabaseError`, whose text says what to do.
    package init(
        _ location: StoreLocation, rules: RuleSet, delivery: DeliveryRules, notices: NoticeSettings?,
        freshness: Observation.Freshness, store settings: StoreSettings = StoreSettings(), clock: any BotClock,
        random: () -> UInt64 = { UInt64.random(in: .min ... .max) }
    ) throws {
        let now = clock.now()
        let opened = try location.open(now: now)
        database = opened.database
        memory = opened.memory
        // What was learnt of Zimmer's clock holds until its first answer: limits reach back from there.
        skew = opened.skew
        budget = try ActionStore(database).budget(since: now + skew - .seconds(86_400))
        self.clock = clock
        anchor = (now + skew, clock.elapsed())
        lastLook = (now, clock.elapsed())
        tracker = SessionTracker(sessions: opened.readings.tracked)
        observation = Observation(
            freshness: freshness, startedAt: now, sessions: opened.readings.sessions,
            objects: opened.readings.objects)
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
        mutedUntil = try store.meta(Self.mutedName).flatMap { Int64($0) }.map(Timestamp.init(microseconds:))
        if case .directory = location { recorder = HistoryRecorder(startedAt: now, settings) }
        noticeBook = NoticeBook(given: try NoticeStore(database).load())
        noticeSettings = notices
        self.rules = rules
        self.delivery = delivery
        try StatusStore(database).save(rules: rules.rules.map(RuleTimes.init))
    }

    /// Puts other rules in force. What changed in meaning starts over at the next decision; messages to channels that are
    /// gone are given up.
    package func replace(
        _ rules: RuleSet, delivery: DeliveryRules, notices: NoticeSettings?, freshness: Observation.Freshness
    ) throws {
        try database.transaction {
            for id in try OutboxStore(database).waiting(outside: delivery.names) {
                try end(id, as: .dead, detail: "the channel is no longer in the rules file")
            }
            try OutboxStore(database).lookAgain(
                now: clock.now(), mutedUntil: mutedUntil, of: rules.rules.map(\.name))
            try StatusStore(database).save(rules: rules.rules.map(RuleTimes.init))
        }
        self.rules = rules
        self.delivery = delivery
        observation.setFreshness(freshness)
        noticeSettings = notices
        memory.reload()
        recorder?.noteReload()
    }

    /// How much of what was read is kept for `replay`.
    package func keep(_ settings: StoreSettings) {
        recorder?.settings = settings
    }

    /// A transaction with what it changes in the recording.
    func transaction<Result>(_ body: (inout HistoryRecorder?) throws -> Result) throws -> Result {
        var recording = recorder
        let result = try database.transaction { try body(&recording) }
        recorder = recording
        return result
    }

    /// Decides on what was read since the last decision, and commits.
    ///
    /// - Complexity: see `RuleSet.decide`; rows are written only for what changed.
    func decide(_ observed: Observed) throws -> Decision {
        unsaved.add(observed)
        var next = memory
        var book = noticeBook
        let running = Set(memory.runs.keys.map(\.subject))
        var world = observation.world(now: instant(), localNow: clock.now(), latest: running)
        let look = (local: world.localNow, elapsed: clock.elapsed())
        let putForward = (look.local - lastLook.local) - (look.elapsed - lastLook.elapsed)
        world.isClockPutForward = putForward > CronSchedule.correction
        let decision = rules.decide(world, &next)
        let causes = noticeCauses(next, now: world.now) + decision.missedSlots + incidents + channelCauses
        let notices = book.update(causes, now: world.now, isStarting: isStarting)
        do {
            try transaction { recording in
                try recording?.prepare(database, now: world.now)
                if putForward < Self.putBack {
                    try OutboxStore(database).lookAgain(now: look.local, mutedUntil: mutedUntil)
                } else if putForward > Self.putForward {
                    try OutboxStore(database).moveForward(by: putForward, to: look.local)
                }
                try MemoryStore(database).save(decision, next, before: memory, now: world.now)
                try commit(decision, now: world.now)
                try releaseSuppressed(next)
                try commit(notices, book, now: world.now)
                try ReadingStore(database).save(unsaved)
                try saveStatus()
                let recorded = RecordedDecision(world, observation.intake)
                try recording?.record(recorded, holding: { held }, in: database)
                if isCleaningDue(now: world.now) { try Housekeeping(database).clean(now: world.now) }
            }
            storeProblem = nil
        } catch {
            storeProblem = "\(error)"
            throw error
        }
        if isCleaningDue(now: world.now) { cleanedAt = world.now }
        lastLook = look
        memory = next
        noticeBook = book
        incidents = []
        deadline = decision.pause.map { clock.now() + $0 }
        observation.decided(keeping: Set(next.runs.keys.compactMap { $0.slot?.time }))
        stored.formUnion(unsaved.sessions.keys)
        stored.subtract(unsaved.left)
        unsaved = Observed()
        return decision
    }

    /// Everything that is known of the outside.
    var held: [Intake] {
        (board.map { [.board($0, departed: [:])] } ?? []) + observation.held
    }

    /// So far back it is no correction of a clock that goes a little fast.
    private static let putBack: Duration = .seconds(-60)
    private static let putForward: Duration = .seconds(60)

    /// What lasted before this process began may not have lasted long enough since to show again.
    private var isStarting: Bool {
        let patience = max(noticeSettings?.cannotTellAfter ?? .zero, Self.channelPatience)
        return clock.now() - observation.standing.startedAt < patience * 2
    }

    /// Once a day, and after a start.
    private func isCleaningDue(now: Timestamp) -> Bool {
        cleanedAt.map { now - $0 >= .seconds(86_400) } ?? true
    }

    /// Now, on Zimmer's clock when that differs much from ours. Learnt at each answer; between two it goes by the time that
    /// passes.
    func instant() -> Timestamp {
        anchor.instant + (clock.elapsed() - anchor.elapsed)
    }

    /// Differences of a few seconds are the resolution of the `Date` header and the way of the answer.
    func note(skew measured: Duration?) {
        guard let measured else { return }
        skew = measured > .seconds(5) || measured < .seconds(-5) ? measured : .zero
        anchor = (clock.now() + skew, clock.elapsed())
    }

    /// Learns Zimmer's clock from any answer, until the board, which tells it at every poll, was read: what comes first
    /// after a start would else be decided on this machine's clock.
    ///
    /// - Returns: how far `instant()` moved.
    func note(serverDate: Timestamp?) -> Duration {
        guard board == nil, let serverDate else { return .zero }
        let before = skew
        note(skew: serverDate - clock.now())
        return skew - before
    }

    /// Writes posts and audit lines; inside a transaction. Messages are dated by this machine's clock, by which channels go.
    ///
    /// - Parameter evidence: what the ends of runs rested on, beside what the decision's own events say.
    func commit(_ decision: Decision, evidence: Evidence = Evidence(), now: Timestamp) throws {
        let audit = AuditStore(database)
        let untold = try dropSuppressed(decision)
        for post in decision.posts where !post.isUntold(in: untold) {
            let isKnown = delivery.channels[post.channel] != nil
            try OutboxStore(database).append(
                try entry(post), store: storeName, now: clock.now(),
                deadBecause: isKnown ? nil : "there is no such channel")
            var problems = post.text.errors + (post.title?.errors ?? [])
            if !isKnown { problems.append("there is no channel '\(post.channel)', so this message goes nowhere") }
            if let rule = post.suppressedBy {
                try audit.append(
                    at: now, kind: "held", rule: post.rule, subject: post.run?.subject, episode: post.run?.episode,
                    detail: "message to \(post.channel): \(rule) is active")
            }
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
                detail: line.detail, evidence: evidence)
        }
    }

    /// A rule's post with where it belongs and what it waits for. Its group comes first: what becomes of that waits for the
    /// end of the quiet by itself.
    private func entry(_ post: PostDraft) throws -> OutboxStore.Entry {
        let message = Message(post)
        var hold = quiet(message)
        if post.suppressedBy != nil {
            hold = (.suppressed, OutboxStore.never)
        } else if let group = post.group {
            let reason = OutboxEntry.Hold.group(rule: post.rule, value: group.value)
            let release = try OutboxStore(database).release(
                of: reason, in: post.channel, wait: group.wait, interval: group.interval, now: clock.now())
            hold = (reason, max(release, muted(message) ?? release))
        }
        return OutboxStore.Entry(
            run: try post.run.flatMap { try MemoryStore(database).id(of: $0) },
            step: post.run == nil ? nil : post.step, message: message, thread: post.thread, isUpdate: post.updates,
            callsPeople: post.mentions, hold: hold, suppressedBy: post.suppressedBy)
    }

    private func quiet(_ message: Message) -> (OutboxEntry.Hold, Timestamp)? {
        let ends = [delivery.quietEnd(of: message, at: clock.now()), muted(message)]
        return ends.compactMap { $0 }.max().map { (.quiet, $0) }
    }

    /// Until when a person lets a message not go.
    private func muted(_ message: Message) -> Timestamp? {
        mutedUntil.flatMap { $0 > clock.now() && message.urgency != .high ? $0 : nil }
    }

    private func commit(_ notices: [NoticeBook.Notice], _ book: NoticeBook, now: Timestamp) throws {
        guard !notices.isEmpty else { return }
        try NoticeStore(database).save(book)
        for notice in notices {
            try AuditStore(database).append(at: now, kind: "notice", rule: nil, detail: notice.text)
            for channel in noticeSettings?.channels ?? [] where channel != notice.channel {
                let message = Message(notice: notice.text, channel: channel, at: now)
                let entry = OutboxStore.Entry(message: message, hold: quiet(message))
                try OutboxStore(database).append(entry, store: storeName, now: clock.now())
            }
        }
    }

    /// There is something to decide although nothing was read.
    func decideSoon() {
        deadline = clock.now()
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

extension Run {
    /// What the trail says of a run that came to an end; nothing while it goes on.
    fileprivate var auditLine: (kind: String, detail: String)? {
        switch state {
        case .waiting, .writing: nil
        case .done: ("finished", key.part.word)
        case .withdrawn(let reason): ("withdrawn", reason)
        // Said with the call itself.
        case .refused, .unknown: nil
        case .gaveUp(let reason): ("gave_up", reason)
        }
    }
}
