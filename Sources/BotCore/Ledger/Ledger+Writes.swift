package import CEL
package import Rules

extension Ledger {
    /// Work for the executor.
    package enum WriteTask: Sendable {
        /// Take the last look at this run's subject.
        case look(Run)
        /// The answer of this attempt was lost: find out what became of it.
        case settle(Attempt)

        package var run: RunKey {
            switch self {
            case .look(let run): run.key
            case .settle(let attempt): attempt.run
            }
        }
    }

    /// Runs that stand at a write and may go on now, by subject, in the order in which they started.
    ///
    /// What became of a call, or when it may be made again, is waited for before anything else is written to that subject;
    /// a run that only waits for its last look holds up no other.
    ///
    /// - Parameter subjects: those that are asked about; nil for all.
    package func writeTasks(now: Timestamp, of subjects: Set<SubjectID>? = nil) throws -> [[WriteTask]] {
        let store = MemoryStore(database)
        let started = try memory.runs.values
            .filter { $0.state == .writing && subjects?.contains($0.key.subject) ?? true }
            .compactMap { run in try store.id(of: run.key).map { (id: $0, run: run) } }
        var busy: Set<SubjectID> = []
        var tasks: [SubjectID: [WriteTask]] = [:]
        var order: [SubjectID] = []
        for (id, run) in started.sorted(by: { $0.id < $1.id }) where !busy.contains(run.key.subject) {
            let subject = run.key.subject
            if tasks[subject] == nil { order.append(subject) }
            let open = try ActionStore(database).open(run: id, step: run.step)
            if let open, open.state == .attempting {
                busy.insert(subject)
                tasks[subject, default: []].append(.settle(attempt(open, run)))
            } else if open?.notBefore.map({ $0 <= now }) ?? true {
                tasks[subject, default: []].append(.look(run))
            } else {
                busy.insert(subject)
            }
        }
        return order.compactMap { tasks[$0] }
    }

    /// When the next call that had no effect may be tried again; one that could have been tried by then waits for
    /// something else.
    package func nextAttempt(after time: Timestamp) throws -> Timestamp? {
        try ActionStore(database).earliestRetry(after: time)
    }

    /// Whether `zimmer.limit` has no room for the write that a run stands at.
    func isOverLimit(_ run: Run) -> Bool {
        guard let write = rules.rule(run.key.rule)?.write(of: run) else { return false }
        return !budget.allows(write.cost, within: rules.limit, now: instant())
    }

    func isPaused(_ rule: String) -> Bool {
        memory.pause(of: rule, at: instant()) != nil
    }

    /// Commits the intent of a call, just before it is made; nil when the run was ended in the meantime, another call has
    /// used up the limit, or what became of another call to the same thing is not known yet.
    ///
    /// - Parameter evidence: what the last look rested on.
    package func begin(
        _ key: RunKey, _ request: WriteRequest, evidence: Evidence = Evidence()
    ) throws -> Attempt? {
        guard var run = memory.runs[key], run.state == .writing, let prepared = rules.rule(key.rule),
            prepared.write(of: run)?.name == request.name, !isOverLimit(run)
        else { return nil }
        guard let request = try unhindered(request, of: run) else { return nil }
        let now = instant()
        let isFirst = !run.hasWritten
        run.hasWritten = true
        run.isCalling = true
        run.waitingFor = nil
        var once: OnceKey?
        if isFirst, let value = run.once { once = OnceKey(rule: key.rule, subject: key.subject, value: value) }
        let store = MemoryStore(database)
        var nextTracker = tracker
        var observed = Observed()
        if let session = request.target.session {
            nextTracker.willWrite(to: session, at: now)
            observed.tracked[session] = nextTracker.sessions[session]
        }
        let (action, number) = try transaction { recording in
            guard let id = try store.id(of: key) else {
                throw DatabaseError(.failed, path: database.path, detail: "no row for a run")
            }
            let intended = try ActionStore(database).intend(run: id, step: run.step, request: request, now: now)
            try ApprovalStore(database).use(run: id, step: run.step, now: now)
            try store.save(run)
            if let once { try store.use(once, now: now) }
            try ReadingStore(database).save(observed)
            try AuditStore(database).append(
                at: now, kind: "attempting", rule: key.rule, subject: key.subject, episode: key.episode,
                detail: "\(ActionID.action(intended.id)) \(request)", evidence: evidence)
            try recording?.record(.attempted(key), at: now, in: database)
            return intended
        }
        memory.runs[key] = run
        tracker = nextTracker
        callsSince[action] = clock.elapsed()
        budget.note(action, cost: request.cost, at: now)
        if let once { memory.once.insert(once) }
        return Attempt(
            action: action, run: key, request: request, mark: mark(action), number: number,
            intendedAt: now)
    }

    /// A request as it goes into the ledger; nil while it has to wait for another call to the same thing.
    private func unhindered(_ request: WriteRequest, of run: Run) throws -> WriteRequest? {
        guard let id = try MemoryStore(database).id(of: run.key) else { return request }
        let actions = ActionStore(database)
        if request.target != .zimmer, try actions.isAttempted(request.target, besides: id) { return nil }
        var request = request
        // The same again goes by what was there before it was made for the first time.
        if let earlier = try actions.open(run: id, step: run.step)?.request, earlier.kind == request.kind {
            request.standing = earlier.standing
        }
        return request
    }

    /// Commits how a call ended; when it was done, also what follows from it, composed with the reading of the last look.
    package func finish(
        _ attempt: Attempt, _ outcome: Attempt.Outcome, subject: Subject?
    ) throws -> Decision {
        // Of this moment: what was decided since the call began may not seem later than its end.
        let world = snapshot()
        var draft = Draft(memory, at: world.now)
        // A run that was ended meanwhile stays ended; its call is written down all the same.
        if let run = memory.runs[attempt.run] {
            draft.conclude(run, outcome, of: rules.rule(run.key.rule), subject: subject, in: world)
            rules.suppress(&draft)
        }
        try transaction { recording in
            let (state, detail, after) = outcome.stored
            try ActionStore(database).end(
                attempt.action, as: state, detail: detail, notBefore: after.map { draft.now + $0 }, now: draft.now)
            for run in draft.decision.runs { try MemoryStore(database).save(run) }
            // What is still being looked for was said when it was attempted.
            if state != .attempting { try audit(attempt, state.rawValue, detail, now: draft.now) }
            try commit(draft.decision, now: draft.now)
            try recording?.record(.concluded(attempt.run, outcome), at: draft.now, in: database)
        }
        memory = draft.memory
        if case .unsettled = outcome {} else { callsSince[attempt.action] = nil }
        if case .retry = outcome { budget.forget(attempt.action) }
        if let incident = NoticeBook.Cause(outcome, of: attempt) { incidents.append(incident) }
        incidents += draft.decision.runs.compactMap(NoticeBook.Cause.init(gaveUp:))
        return draft.decision
    }

    /// Commits that the step at which a run stands is passed over, and what follows from that.
    package func skip(_ key: RunKey, _ reason: String, subject: Subject?) throws -> Decision {
        let world = snapshot()
        var draft = Draft(memory, at: world.now)
        guard let run = memory.runs[key] else { return draft.decision }
        draft.skip(run, reason, of: rules.rule(key.rule), subject: subject, in: world)
        rules.suppress(&draft)
        try transaction { recording in
            for run in draft.decision.runs { try MemoryStore(database).save(run) }
            try commit(draft.decision, now: draft.now)
            try recording?.record(.skipped(key, reason: reason), at: draft.now, in: database)
        }
        memory = draft.memory
        return draft.decision
    }

    /// Commits that a last look stopped or delayed a run.
    ///
    /// - Parameter evidence: what the look rested on.
    package func withhold(
        _ key: RunKey, _ look: LastLook, evidence: Evidence = Evidence(), now: Timestamp
    ) throws {
        guard let run = memory.runs[key] else { return }
        guard let state = look.end(of: run, now: now) else {
            if case .wait(let reason) = look { try wait(run, reason) }
            return
        }
        var draft = Draft(memory, at: now)
        draft.withhold(run, as: state)
        let identity = RuleSubject(rule: key.rule, subject: key.subject)
        try transaction { recording in
            for run in draft.decision.runs { try MemoryStore(database).save(run) }
            if let episode = draft.memory.rules[key.rule]?.episodes[key.subject] {
                try MemoryStore(database).save(episode, of: identity)
            }
            try commit(draft.decision, evidence: evidence, now: now)
            try recording?.record(RecordedAct(key, state), at: now, in: database)
        }
        memory = draft.memory
        incidents += draft.decision.runs.compactMap(NoticeBook.Cause.init(gaveUp:))
    }

    /// Notes why a run does not go on just now, for `status`.
    func wait(_ run: Run, _ reason: String) throws {
        guard run.waitingFor != reason else { return }
        var waiting = run
        waiting.waitingFor = reason
        try MemoryStore(database).save(waiting)
        memory.runs[run.key] = waiting
    }

    private func attempt(_ open: ActionStore.Open, _ run: Run) -> Attempt {
        Attempt(
            action: open.id, run: run.key, request: open.request, mark: mark(open.id), number: open.attempts,
            intendedAt: open.intendedAt)
    }

    /// How long ago a call was made: by the time that passed, where it was made since this process began, so that no clock
    /// that is set says that its effect would show by now.
    func age(of attempt: Attempt) -> Duration {
        callsSince[attempt.action].map { clock.elapsed() - $0 } ?? instant() - attempt.intendedAt
    }

    private func mark(_ action: Int64) -> String {
        "[zimmer-bot \(storeName)-\(action)]"
    }

    private func audit(_ attempt: Attempt, _ kind: String, _ detail: String, now: Timestamp) throws {
        let what = "\(ActionID.action(attempt.action)) \(attempt.request)"
        try AuditStore(database).append(
            at: now, kind: kind, rule: attempt.run.rule, subject: attempt.run.subject, episode: attempt.run.episode,
            detail: detail.isEmpty ? what : "\(what): \(detail)")
    }

}

extension NoticeBook.Cause {
    /// Refusals and lost answers are said, once a day per rule; nil for other ends of a call.
    init?(_ outcome: Attempt.Outcome, of attempt: Attempt) {
        let (state, reason, _) = outcome.stored
        guard state == .refused || state == .unknown else { return nil }
        self.init(
            ActionStore.Failed(
                rule: attempt.run.rule, what: attempt.request.inWords, state: state,
                reason: reason))
    }

    init(_ failed: ActionStore.Failed) {
        self.init(
            id: "\(failed.state.rawValue):\(failed.rule)",
            text: "Rule \(failed.rule): \(failed.what) "
                + (failed.state == .refused ? "was refused: " : "is unknown, and is not repeated: ") + failed.reason,
            isEvent: true)
    }
}

extension NoticeBook.Cause {
    init(clockJumped jump: Duration) {
        let length = max(jump, .zero - jump).brief
        self.init(
            id: "clock",
            text:
                "Zimmer's clock was put \(jump > .zero ? "forward" : "back") by \(length): what was to last or to wait"
                + " for a time ends \(jump > .zero ? "earlier" : "later") by as much",
            isEvent: true)
    }

    /// A write that was not made for as long as the rules wait; nil for any other end of a run.
    init?(gaveUp run: Run) {
        guard case .gaveUp(let reason) = run.state else { return nil }
        self.init(gaveUp: run.key.subject, of: run.key.rule, reason)
    }

    init(gaveUp subject: SubjectID, of rule: String, _ reason: String) {
        self.init(
            id: "gave_up:\(rule)", text: "Rule \(rule): a write for \(subject) was given up after a day: \(reason)",
            isEvent: true)
    }
}

extension Attempt.Outcome {
    fileprivate var stored: (ActionStore.State, detail: String, after: Duration?) {
        switch self {
        case .done(let detail, _): (.done, detail, nil)
        case .refused(let reason): (.refused, reason, nil)
        case .retry(let reason, let after): (.retrying, reason, after ?? .zero)
        case .unsettled(let reason): (.attempting, reason, nil)
        case .unknown(let reason): (.unknown, reason, nil)
        }
    }
}
