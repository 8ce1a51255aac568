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
    /// Calls of this process whose end is not known: the time that had passed when they were made.
    var callsSince: [Int64: Duration] = [:]
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
    /// Names in the rules that this Zimmer does not have.
    var catalogCauses: [NoticeBook.Cause] = []
    /// What this Zimmer does not have.
    var features: ServerFeatures
    var clocks: LedgerClocks
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
    /// As their keeper last said.
    var credentials = CredentialReport()
    /// Nobody gets the sign of life.
    var heartbeatCause: NoticeBook.Cause?
    /// Times in which Zimmer could not be read.
    var outages: Outages
    /// What a person can do about one.
    private(set) var advice = ZimmerAdvice()
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
        let opened = try location.open(now: now, liveliness: freshness.decision)
        database = opened.database
        memory = opened.memory
        // What was learnt of Zimmer's clock holds until its first answer: limits reach back from there.
        clocks = LedgerClocks(clock, skew: opened.skew)
        budget = try ActionStore(database).budget(since: now + opened.skew - .seconds(86_400))
        self.clock = clock
        tracker = SessionTracker(sessions: opened.readings.tracked)
        observation = Observation(
            freshness: freshness, startedAt: now, sessions: opened.readings.sessions,
            objects: opened.readings.objects)
        stored = Set(opened.readings.sessions.keys)
        if let decided = memory.decidedAt {
            // What happened after the last decision of the process before was not said yet.
            incidents = try ActionStore(database).failed(since: decided).map { NoticeBook.Cause($0) }
            incidents += try ActionStore(database).givenUp(since: decided)
                .map { NoticeBook.Cause(gaveUp: $0.subject, of: $0.rule, $0.reason) }
        }
        features = try StatusStore(database).features()
        let store = MemoryStore(database)
        if let name = try store.meta("store") {
            storeName = name
        } else {
            storeName = String(random(), radix: 36)
            try store.setMeta("store", storeName)
        }
        mutedUntil = try store.time(of: Self.mutedName)
        outages = Outages(current: try StatusStore(database).outage())
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
        keepReaders(rules.readers)
        noticeSettings = notices
        memory.reload()
        recorder?.noteReload()
    }

    /// How much of what was read is kept for `replay`.
    package func keep(_ settings: StoreSettings) {
        recorder?.settings = settings
    }

    /// What a person can do while Zimmer cannot be read.
    package func advise(_ advice: ZimmerAdvice) {
        self.advice = advice
    }

    /// Whether this was said, and is not over.
    func isGiven(_ cause: String) -> Bool { noticeBook.given[cause].map { !$0.isEvent } ?? false }

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
        var nextClocks = clocks
        let jump = nextClocks.look(at: world.localNow)
        world.isClockPutForward = jump > CronSchedule.correction
        let decision = rules.decide(world, &next)
        var outages = self.outages
        outages.count(missedSlots: decision.events.count { $0.kind == .missed })
        let causes =
            withoutConsequences(noticeCauses(next, now: world.now), now: world.now) + decision.missedSlots + incidents
            + channelCauses + outageCauses(now: world.now) + (heartbeatCause.map { [$0] } ?? [])
        let ending = outageSummary(outages, now: world.now).map { ["zimmer": $0] } ?? [:]
        // What is old by one clock alone is not forgotten.
        let earlier = min(world.now, world.localNow)
        let notices = book.update(causes, endings: ending, now: world.now, isStarting: isStarting)
        outages.forgetEnded()
        do {
            try transaction { recording in
                try recording?.prepare(database, now: world.now)
                try follow(jump, to: world.localNow)
                try MemoryStore(database).save(decision, next, before: memory, now: world.now)
                try commit(decision, now: world.now)
                try releaseSuppressed(next)
                try commit(notices, book, now: world.now)
                try ReadingStore(database).save(unsaved)
                try saveStatus(outages)
                let recorded = RecordedDecision(world, observation.intake)
                try recording?.record(recorded, holding: { held }, in: database)
                if isCleaningDue(now: earlier) { try Housekeeping(database).clean(now: earlier) }
            }
            storeProblem = nil
        } catch {
            storeProblem = "\(error)"
            throw error
        }
        if isCleaningDue(now: earlier) { cleanedAt = earlier }
        clocks = nextClocks
        memory = next
        noticeBook = book
        self.outages = outages
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

    /// What waits by this machine's clock goes on as it was when that clock was set.
    private func follow(_ jump: Duration, to localNow: Timestamp) throws {
        if jump < .zero - LedgerClocks.correction {
            try OutboxStore(database).lookAgain(now: localNow, mutedUntil: mutedUntil)
        } else if jump > LedgerClocks.correction {
            try OutboxStore(database).moveForward(by: jump, to: localNow)
        }
    }

    /// What lasted before this process began may not have lasted long enough since to show again.
    private var isStarting: Bool {
        let patience = max(noticeSettings?.cannotTellAfter ?? .zero, Self.channelPatience)
        return clock.now() - observation.standing.startedAt < patience * 2
    }

    /// Once a day, and after a start.
    private func isCleaningDue(now: Timestamp) -> Bool {
        cleanedAt.map { now - $0 >= .seconds(86_400) } ?? true
    }

    /// Now, on Zimmer's clock as far as it is known.
    func instant() -> Timestamp { clocks.instant }

    /// Whether Zimmer told the time since this process began: its clock may have gone another way meanwhile.
    var isTimeKnown: Bool { clocks.isKnown }

    func note(skew measured: Duration?) {
        guard let measured else { return }
        let jump = clocks.learn(measured)
        if jump != .zero { incidents.append(NoticeBook.Cause(clockJumped: jump)) }
    }

    /// Learns Zimmer's clock from any answer, until the board, which tells it at every poll, was read: what comes first
    /// after a start would else be decided on this machine's clock.
    ///
    /// - Returns: how far `instant()` moved.
    func note(serverDate: Timestamp?) -> Duration {
        guard board == nil, let serverDate else { return .zero }
        let before = clocks.skew
        note(skew: serverDate - clock.now())
        return clocks.skew - before
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
