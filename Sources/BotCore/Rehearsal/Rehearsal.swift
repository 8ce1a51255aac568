import AdapterKit
package import CEL
package import Rules

// Start here for `test` and `replay`.
//
// Whoever rehearses hands in readings at instants, lets time pass between them, and takes what happened. Deciding is
// `RuleSet.decide`, a write takes its last look as in `WriteExecutor`, messages wait as in `ChannelWorker`: the functions
// are those of the daemon, only the store, the network and the real clock are missing.

/// Rules played against made-up or recorded readings. Pure and synchronous.
///
/// Instants may not go backwards. A write ends as `fate` says and changes nothing by itself: what becomes of the session is
/// for the readings to say. Channels take every message at once.
///
/// - Complexity: a reading in which nothing changed costs what `RuleSet.decide` costs on it, which is next to nothing where
///   its objects are those of the reading before.
package struct Rehearsal: Sendable {
    /// What one window of costs would have been read as; nil where that is not known.
    package typealias CostsSource = @Sendable (CostsRequest, Timestamp) -> Result<CostsReading, ZimmerError>?

    package private(set) var rules: RuleSet
    var delivery: DeliveryRules
    private(set) var polling: ZimmerSettings.Polling
    /// Asked for windows of costs whenever they would be read.
    package var costs: CostsSource = { _, _ in nil }
    /// Asked how writes end.
    /// What stands in a list that no rule watches; nil where that is not known, and what is written to it is taken to be
    /// there.
    package var unwatched: @Sendable (ListingKind, Timestamp) -> Listing? = { _, _ in nil }
    package var fate: @Sendable (WriteRequest) -> ScenarioFile.WriteFate = { _ in .done }

    package internal(set) var memory = Memory()
    var observation: Observation
    var tracker = SessionTracker()
    /// The last whole reading of the board.
    var board: BoardReading?
    /// Something was remembered of sessions that were not on it.
    var areSomeMissing = true
    /// The last reading of health.
    var health: HealthReading?
    /// Why the last reading of each did not work out, by reader.
    var failures: [String: ZimmerError] = [:]
    var budget = WriteBudget()
    /// Calls that have no end yet.
    var calls: [RunKey: OpenCall] = [:]
    /// What people were asked.
    var questions: [RunKey: Question] = [:]
    /// When a call is to be looked after, or nobody has answered.
    var nextCall: Timestamp?
    /// After which notices are given; nil: none are looked for.
    var noticePatience: Duration?
    var noticeBook = NoticeBook()
    /// Ends of calls since the last decision that are to be said.
    var incidents: [NoticeBook.Cause] = []
    var messages = WaitingMessages()
    /// Messages are noted when they are composed, as the store counts them; else when they go.
    var notesComposed = false
    /// The order in which unfinished runs started: that in which they write.
    var order: [RunKey: Int] = [:]
    /// Numbers runs and writes.
    var counter = 0
    /// Sessions as they were when they left the board.
    var departed: [Int64: SessionReading] = [:]
    /// Why rules cannot be decided as a whole, by rule: so that it is said once.
    private var unreadable: [String: String] = [:]
    /// When something is to be decided even if nothing is read.
    private var deadline: Timestamp?
    private var happenings: [Happening] = []

    /// - Parameter start: when the bot is started, on an empty state directory.
    package init(_ rules: RuleSet, delivery: DeliveryRules, polling: ZimmerSettings.Polling, start: Timestamp) {
        self.rules = rules
        self.delivery = delivery
        self.polling = polling
        observation = Observation(freshness: polling.freshness, startedAt: start)
    }

    /// Everything that happened since the last call, in order.
    package mutating func takeHappenings() -> [Happening] {
        exchange(&happenings, with: [])
    }

    mutating func note(_ happening: Happening) {
        happenings.append(happening)
    }

    // MARK: - Readings

    /// Sessions that left a whole board although something is remembered of them: a daemon reads each by itself then.
    package func missing(from isPresent: (Int64) -> Bool) -> [Int64] {
        memory.sessions(missingFrom: isPresent)
    }

    /// A board as Zimmer sends it. What the bot makes of it (`status_since`, `touched_at` without its own writes) is found
    /// out here.
    ///
    /// - Parameter departed: sessions that left it, as they are now; those that are remembered and not named are gone.
    package mutating func take(_ rows: BoardRows, departed: [Int64: SessionRow] = [:], at now: Timestamp) {
        pass(to: now)
        let reading = tracker.reading(of: rows, previous: board, at: now)
        let rest = departed.mapValues { tracker.reading(of: $0, previous: nil, at: now) }
        take(reading, departed: rest, error: rows.error, at: now)
    }

    /// A board as it was recorded: readings that were made once are used as they are.
    package mutating func take(_ reading: BoardReading, departed: [Int64: SessionReading] = [:], at now: Timestamp) {
        pass(to: now)
        take(reading, departed: departed, error: nil, at: now)
    }

    private mutating func take(
        _ reading: BoardReading, departed: [Int64: SessionReading], error: ZimmerError?, at now: Timestamp
    ) {
        guard reading.isWhole else {
            let problem = ZimmerError(.badBody, message: reading.problem ?? "only a part of the board was read")
            return fail("board", error ?? problem, at: now)
        }
        self.departed.merge(departed) { $1 }
        var left: [SubjectID: Departure] = [:]
        for id in missing(from: { reading[$0] != nil }) {
            let session = departed[id]
            left[SubjectID(type: "session", id: String(id))] =
                session.map {
                    $0.status == "archived" ? .archived($0.object) : .unreadable("it is not on the board yet")
                }
                ?? .gone
        }
        board = reading
        board?.readAt = now
        failures["board"] = nil
        observation.take(board ?? reading, departed: left)
        observation.note(nil, board: now, skew: .zero)
        decide(at: now)
    }

    /// The board as it was read last, read again.
    package mutating func repeatBoard(at now: Timestamp) {
        guard let board else { return }
        take(board, at: now)
    }

    package mutating func take(_ reading: HealthReading, at now: Timestamp) {
        pass(to: now)
        failures["health"] = nil
        health = reading
        health?.readAt = now
        observation.take(health ?? reading)
        observation.note(nil, board: nil, skew: .zero)
        decide(at: now)
    }

    /// Reads every window of costs that a rule wants now.
    package mutating func pollCosts(at now: Timestamp) {
        pass(to: now)
        let wanted = rules.rules.filter { $0.rule.mode != .off && $0.rule.schedule == nil }
        let requests = Set(wanted.flatMap { $0.costsRequests(slot: nil) })
        guard readCosts(requests, at: now) else { return }
        decide(at: now)
    }

    /// A reader that was not answered, or not with what it asked for.
    ///
    /// - Parameter reader: `board`, `health`, `inbox`, … as in `zimmer.poll`.
    package mutating func fail(_ reader: String, _ error: ZimmerError, at now: Timestamp) {
        pass(to: now)
        failures[reader] = error
        let reason = error.description + (isStale(reader, at: now) ? ", and what was read last is stale" : "")
        observation.fail(Self.watchable(readBy: reader), reason)
        observation.note(error, board: nil, skew: .zero)
        decide(at: now)
    }

    private static func watchable(readBy reader: String) -> String {
        if reader == "board" { return "session" }
        return ListingKind.allCases.first { $0.reader.rawValue == reader }?.rawValue ?? reader
    }

    private func isStale(_ reader: String, at now: Timestamp) -> Bool {
        switch reader {
        case "board": board.map { now - $0.readAt > polling.freshness.board } ?? false
        case "health": health.map { now - $0.readAt > polling.freshness.health } ?? false
        default: false
        }
    }

    /// How the channels fare. They are all up until something else is said.
    package mutating func take(_ channels: [ChannelStatus], at now: Timestamp) {
        pass(to: now)
        if observation.take(channels), rules.readsChannels { decide(at: now) }
    }

    // MARK: - Time

    /// When something happens although nothing is read: the end of a wait, a slot, a message that was held.
    package var nextEvent: Timestamp? {
        [deadline, messages.nextRelease, nextCall].compactMap { $0 }.min()
    }

    /// Decides without a reading, as the bot does when it starts.
    package mutating func tick(at now: Timestamp) {
        pass(to: now)
        decide(at: now)
    }

    /// Lets time pass: what comes due up to `end` happens at its instant.
    package mutating func advance(to end: Timestamp) {
        while let next = nextEvent, next <= end { happen(at: next) }
    }

    /// What comes due before `end`.
    mutating func pass(to end: Timestamp) {
        while let next = nextEvent, next < end { happen(at: next) }
    }

    private mutating func happen(at now: Timestamp) {
        release(at: now)
        if let due = deadline, due <= now {
            deadline = nil
            decide(at: now)
        } else if let due = nextCall, due <= now {
            workOff(at: now)
        }
    }

    mutating func wake(at time: Timestamp) {
        deadline = deadline.map { min($0, time) } ?? time
    }

    private mutating func release(at now: Timestamp) {
        noteSent(messages.release(delivery, now: now), at: now)
    }

    private mutating func noteSent(_ sent: [Message], at now: Timestamp) {
        if notesComposed { return }
        for message in sent { note(message, at: now) }
    }

    private mutating func noteUnreadable(at now: Timestamp) {
        for prepared in rules.rules {
            let reason = memory.rules[prepared.name]?.unreadable?.reason
            guard reason != unreadable[prepared.name] else { continue }
            unreadable[prepared.name] = reason
            if let reason { note(Happening(at: now, rule: prepared.name, what: .told(.cannotTell, reason))) }
        }
    }

    mutating func releaseSuppressed(at now: Timestamp) {
        guard messages.hasSuppressed else { return }
        let (rules, memory) = (rules, memory)
        let released = messages.release(delivery, now: now) { rule, subject in
            rules.rule(rule).flatMap { rules.suppressor(of: $0, subject, memory) } != nil
        }
        noteSent(released, at: now)
    }

    /// Decides, writes what can be written, and lets go what may go.
    mutating func decide(at now: Timestamp) {
        readForSlots(at: now)
        let world = observation.world(now: now, localNow: now, latest: Set(memory.runs.keys.lazy.map(\.subject)))
        let decision = rules.decide(world, &memory)
        noteUnreadable(at: now)
        note(decision, at: now)
        noteNotices(decision, at: now)
        deadline = decision.pause.map { now + $0 }
        workOff(at: now)
        releaseSuppressed(at: now)
        release(at: now)
        observation.decided(keeping: Set(memory.runs.keys.lazy.compactMap { $0.slot?.time }))
    }

    /// Reads afresh what slots use that are due.
    private mutating func readForSlots(at now: Timestamp) {
        guard memory.rules.values.contains(where: { $0.nextSlot.map { $0 <= now } ?? false }) else { return }
        let due = rules.dueSlots(memory, now: now)
        if due.contains(where: { $0.rule.reads.contains("board") }), failures["board"] == nil, let board {
            self.board?.readAt = now
            observation.take(self.board ?? board, departed: [:])
        }
        if due.contains(where: { $0.rule.reads.contains("health") }) { _ = readHealth(at: now) }
        _ = readCosts(Set(due.flatMap { $0.rule.costsRequests(slot: $0.slot.time) }), at: now)
    }

    // MARK: - The bot

    /// The bot ends and comes back at `now`: what it does not store is forgotten.
    package mutating func restart(at now: Timestamp) {
        memory.restart()
        order = order.filter { memory.runs[$0.key] != nil }
        observation = Observation(
            freshness: polling.freshness, startedAt: now, sessions: observation.sessions,
            objects: observation.storedObjects)
        tracker = SessionTracker(sessions: tracker.sessions)
        board = nil
        health = nil
        failures = [:]
        noticeBook = NoticeBook(given: noticeBook.given)
        deadline = nil
        nextCall = nil
        release(at: now)
    }

    /// What the bot is to remember of a session, in place of what it saw itself.
    mutating func remember(_ tracked: TrackedSession, of session: Int64) {
        tracker.remember(tracked, of: session)
    }

    /// Other rules come in force.
    package mutating func replace(
        _ rules: RuleSet, delivery: DeliveryRules, polling: ZimmerSettings.Polling, at now: Timestamp
    ) {
        pass(to: now)
        self.rules = rules
        self.delivery = delivery
        self.polling = polling
        observation.setFreshness(polling.freshness)
        memory.reload()
        decide(at: now)
    }
}

extension ZimmerSettings.Polling {
    var freshness: Observation.Freshness {
        Observation.Freshness(boardInterval: board, healthInterval: health)
    }
}
