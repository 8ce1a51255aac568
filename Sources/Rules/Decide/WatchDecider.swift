import CEL

/// Decides one watch rule on one reading: which episodes begin, hold on and end, and what of that runs.
struct WatchDecider {
    let prepared: PreparedRule
    let limit: ServerLimit
    let world: World
    private var evaluator: Evaluator
    /// Subjects of which it could be told before, or that it was another reason.
    private var newlyUntold: [(subject: SubjectID, reason: String)] = []
    /// How many runs this decision started.
    private var started: [Run.Part: Int] = [:]

    init(_ prepared: PreparedRule, limit: ServerLimit, world: World) {
        self.prepared = prepared
        self.limit = limit
        self.world = world
        evaluator = Evaluator(prepared, world: world)
    }

    private var rule: Rule { prepared.rule }
    private var now: Timestamp { world.now }

    mutating func decide(
        _ watched: Watched, _ own: inout RuleMemory, _ memory: inout Memory, _ decision: inout Decision
    ) {
        reset(&own, &decision)
        switch ofOwnWindow(watched) {
        case .cannotTell(let reason):
            standStill(reason, &own, &decision)
        case .whole(let subjects):
            own.unreadable = nil
            evaluate(subjects, &own, &memory, &decision)
            depart(subjects.departed, &own, &memory, &decision)
            forgetUntold(subjects, &own)
            ripen(&own, &decision)
            settleFirstSight(&own, &decision)
            admit(subjects, &own, &memory, &decision)
            own.see(subjects.revision, prepared, world)
        }
    }

    /// A rule whose meaning changed starts over: what was pending begins again, what was active stays so if it still
    /// holds. Other edits change nothing here.
    private func reset(_ own: inout RuleMemory, _ decision: inout Decision) {
        guard own.meaning != rule.meaning else { return }
        own.meaning = rule.meaning
        own.forgetSeen()
        for (id, episode) in own.episodes {
            own.episodes[id] = episode.phase == .pending ? nil : episode.resetting()
            decision.episodes.insert(RuleSubject(rule: rule.name, subject: id))
        }
        decision.events.append(
            Event(at: now, .reset, rule: rule.name, detail: "trigger, 'if', 'for', 'key' or 'let' changed"))
    }

    /// Nothing can be told: nothing runs, nothing ends, all timers stand still.
    private func standStill(_ reason: String, _ own: inout RuleMemory, _ decision: inout Decision) {
        own.unreadable = RuleMemory.Untold(since: own.unreadable?.since ?? now, reason: reason)
        own.forgetSeen()
        for id in own.episodes.keys { freeze(id, &own, &decision) }
    }

    private func freeze(_ id: SubjectID, _ own: inout RuleMemory, _ decision: inout Decision) {
        guard own.episodes[id]?.frozenSince == nil, own.episodes[id] != nil else { return }
        // What holds was last known at the reading before: the time since then is as unknown as what comes.
        own.episodes[id]?.freeze(at: own.toldAt ?? now)
        decision.episodes.insert(RuleSubject(rule: rule.name, subject: id))
    }

    /// The one subject of `watch: costs` is the window that this rule names: what was read of others says nothing of it.
    private func ofOwnWindow(_ watched: Watched) -> Watched {
        guard prepared.watchable?.name == "costs", let request = prepared.costsRequest(slot: nil) else {
            return watched
        }
        if let reason = world.failedCosts[request] { return .cannotTell(reason) }
        switch world.costs[request]?.value {
        case .object(let window)?:
            let subject = Subject(SubjectID(type: "costs", id: "costs"), window)
            return .whole(Subjects([subject], revision: world.costs[request]?.revision ?? 0))
        case .error(let error)?: return .cannotTell(error.message)
        default: return .cannotTell("'costs' has not been read yet")
        }
    }

    // MARK: - Outcomes

    private mutating func evaluate(
        _ subjects: Subjects, _ own: inout RuleMemory, _ memory: inout Memory, _ decision: inout Decision
    ) {
        newlyUntold = []
        if let indices = own.toEvaluate(subjects, prepared, world) {
            for index in indices { judge(subjects, index, &own, &memory, &decision) }
        } else {
            if prepared.readsClock { own.seen.flips.begin(at: now) }
            for index in subjects.all.indices { judge(subjects, index, &own, &memory, &decision) }
        }
        recordUntold(&decision)
    }

    /// What cannot be told of thousands for one reason, such as a stale reading, is one line.
    private func recordUntold(_ decision: inout Decision) {
        for (reason, subjects) in Dictionary(grouping: newlyUntold, by: \.reason).sorted(by: { $0.key < $1.key }) {
            guard let first = subjects.first else { continue }
            let more = subjects.count > 1 ? " (and \(subjects.count - 1) more)" : ""
            decision.events.append(
                Event(at: now, .cannotTell, rule: rule.name, subject: first.subject, detail: reason + more))
        }
    }

    /// Most subjects of most rules come to `no` and are not remembered, so no more of them is touched than the value.
    private mutating func judge(
        _ subjects: Subjects, _ index: Int, _ own: inout RuleMemory, _ memory: inout Memory, _ decision: inout Decision
    ) {
        evaluator.bind(subjects.all[index].value)
        let outcome = evaluator.outcome()
        if prepared.readsClock { own.seen.flips.note(evaluator.horizon, of: subjects.all[index].id) }
        if outcome == .no, own.untold.isEmpty, own.episodes.isEmpty { return }
        let subject = subjects.all[index]
        switch outcome {
        case .no:
            if !own.untold.isEmpty { own.untold[subject.id] = nil }
            end(subject, .no, &own, &memory, &decision)
        case .cannotTell(let reason):
            let since = own.untold[subject.id]?.since ?? now
            if own.untold[subject.id]?.reason != reason { newlyUntold.append((subject.id, reason)) }
            own.untold[subject.id] = RuleMemory.Untold(since: since, reason: reason)
            if own.isNew, rule.existing == .skip, own.episodes[subject.id] == nil {
                // It may hold already; what its key is, too, shows when it can be told.
                remember(Episode(phase: .baseline, key: "", since: now).resetting(), of: subject.id, &own, &decision)
            }
            freeze(subject.id, &own, &decision)
        case .yes(let key):
            if !own.untold.isEmpty { own.untold[subject.id] = nil }
            hold(subject, key: key, &own, &memory, &decision)
        }
    }

    /// The condition holds: begins an episode, or lets the one there go on.
    private mutating func hold(
        _ subject: Subject, key: String, _ own: inout RuleMemory, _ memory: inout Memory, _ decision: inout Decision
    ) {
        let before = own.episodes[subject.id]
        var episode = before
        episode?.thaw(at: now)
        if episode?.isResetting == true {
            episode?.isResetting = false
            episode?.key = key
        }
        if let known = episode, known.key != key {
            end(subject, .key, &own, &memory, &decision)
            episode = nil
        }
        var current = episode ?? begin(key: key, own)
        if current.phase == .pending, now - current.since >= rule.holdFor { current.activate(at: now) }
        guard current != before else { return }
        remember(current, of: subject.id, &own, &decision)
    }

    private func begin(key: String, _ own: RuleMemory) -> Episode {
        let isBaseline = own.isNew && rule.existing == .skip
        return Episode(phase: isBaseline ? .baseline : .pending, key: key, since: now)
    }

    private func remember(_ episode: Episode, of id: SubjectID, _ own: inout RuleMemory, _ decision: inout Decision) {
        own.episodes[id] = episode
        decision.episodes.insert(RuleSubject(rule: rule.name, subject: id))
    }

    /// Subjects that are no longer there are not asked about; one without an episode leaves without a word.
    private func forgetUntold(_ subjects: Subjects, _ own: inout RuleMemory) {
        guard !own.untold.isEmpty else { return }
        own.untold = own.untold.filter { subjects.position(of: $0.key) != nil }
    }

    /// Pending subjects that nothing changed for, so that they were not evaluated: `for` may be up all the same.
    private func ripen(_ own: inout RuleMemory, _ decision: inout Decision) {
        guard rule.holdFor > .zero else { return }
        for (id, episode) in own.episodes
        where episode.phase == .pending && episode.frozenSince == nil && now - episode.since >= rule.holdFor {
            own.episodes[id]?.activate(at: now)
            decision.episodes.insert(RuleSubject(rule: rule.name, subject: id))
        }
    }

    // MARK: - Endings

    private mutating func depart(
        _ departed: [SubjectID: Departure], _ own: inout RuleMemory, _ memory: inout Memory, _ decision: inout Decision
    ) {
        for (id, departure) in departed.sorted(by: { $0.key < $1.key }) {
            own.untold[id] = nil
            guard own.episodes[id] != nil else { continue }
            switch departure {
            case .unreadable:
                freeze(id, &own, &decision)
            case .gone:
                guard let last = world.latest[id] else {
                    own.episodes[id] = nil
                    decision.episodes.insert(RuleSubject(rule: rule.name, subject: id))
                    continue
                }
                evaluator.bind(last)
                end(Subject(id, last), .gone, &own, &memory, &decision)
            case .archived(let value):
                evaluator.bind(value)
                departArchived(Subject(id, value), &own, &memory, &decision)
            }
        }
    }

    /// An archived session is evaluated once more: a condition that is about being archived runs, then the episode ends.
    private mutating func departArchived(
        _ subject: Subject, _ own: inout RuleMemory, _ memory: inout Memory, _ decision: inout Decision
    ) {
        if case .yes(let key) = evaluator.outcome() {
            hold(subject, key: key, &own, &memory, &decision)
            if own.episodes[subject.id]?.phase == .active, own.episodes[subject.id]?.standing == .held {
                admit(Subjects([subject], revision: 0), &own, &memory, &decision)
            }
        }
        end(subject, .archived, &own, &memory, &decision)
    }

    /// Ends a subject's episode; the evaluator must be bound to `subject`, which `resolved` is about.
    private mutating func end(
        _ subject: Subject, _ ending: Ending, _ own: inout RuleMemory, _ memory: inout Memory,
        _ decision: inout Decision
    ) {
        guard let episode = own.episodes.removeValue(forKey: subject.id) else { return }
        decision.episodes.insert(RuleSubject(rule: rule.name, subject: subject.id))
        guard episode.phase == .active else { return }
        let key = RunKey(rule: rule.name, subject: subject.id, key: episode.key, episode: episode.number, part: .steps)
        var ran = episode.standing == .started
        if let run = memory.runs[key] {
            ran = run.hasWritten || prepared.cost.steps == 0
            if !run.isCalling { decision.finish(run, as: .withdrawn("the episode ended"), in: &memory, now: now) }
        }
        decision.events.append(
            Event(
                at: now, .ended, rule: rule.name, subject: subject.id, episode: episode.number,
                detail: episode.isResetting ? "no longer holds after the rule changed" : ending.rawValue))
        guard ran, !episode.isResetting, !rule.resolved.isEmpty else { return }
        let isFolded = started[.resolved, default: 0] >= rule.limit.perPoll
        start(.resolved, subject, episode, isFolded: isFolded, &own, &memory, &decision)
    }

    // MARK: - Runs

    /// A new rule that writes and matches much at once waits for a person.
    private func settleFirstSight(_ own: inout RuleMemory, _ decision: inout Decision) {
        guard own.isNew else { return }
        let matching = own.episodes.values.count { $0.phase != .baseline }
        let unclear = own.untold.keys.count { own.episodes[$0]?.phase != .baseline }
        let isSettled = unclear == 0 || matching + unclear <= rule.limit.perPoll
        if prepared.cost.steps > 0, matching > rule.limit.perPoll, rule.mode == .live { own.awaitsRelease = true }
        guard isSettled else { return }
        own.isNew = false
        decision.events.append(
            Event(at: now, .firstSight, rule: rule.name, detail: "\(matching) subjects match at first sight"))
    }

    /// Starts what may start now, the longest holding first; says of the rest why it is held.
    private mutating func admit(
        _ subjects: Subjects, _ own: inout RuleMemory, _ memory: inout Memory, _ decision: inout Decision
    ) {
        // A new rule may hold thousands until a person releases it: nothing is to be said of them again.
        let isWaiting = prepared.cost.steps > 0 && own.awaitsRelease
        let held = own.episodes.filter { _, episode in
            episode.phase == .active && episode.standing == .held && !(isWaiting && episode.hold == .release)
        }
        guard !held.isEmpty else { return }
        let order = held.sorted { a, b in
            a.value.since == b.value.since ? a.key < b.key : a.value.since < b.value.since
        }
        var admission = Admission(
            prepared, limit: limit, own: own, memory: memory, startedNow: started[.steps, default: 0], now: now)
        for (id, episode) in order where episode.frozenSince == nil {
            guard let subject = subjects[id] else { continue }
            evaluator.bind(subject.value)
            switch admission.judge(id, once: evaluator.once(), memory) {
            case .start(let once, let isFolded):
                start(.steps, subject, episode, once: once, isFolded: isFolded, &own, &memory, &decision)
            case .hold(let hold):
                keep(subject, hold, &own, &decision)
            }
        }
    }

    private func keep(_ subject: Subject, _ hold: Episode.Hold, _ own: inout RuleMemory, _ decision: inout Decision) {
        guard own.episodes[subject.id]?.hold != hold else { return }
        own.episodes[subject.id]?.hold = hold
        decision.episodes.insert(RuleSubject(rule: rule.name, subject: subject.id))
        decision.events.append(
            Event(
                at: now, .held, rule: rule.name, subject: subject.id, detail: hold.explanation,
                values: evaluator.values())
        )
    }

    private mutating func start(
        _ part: Run.Part, _ subject: Subject, _ episode: Episode, once: String? = nil, isFolded: Bool = false,
        _ own: inout RuleMemory, _ memory: inout Memory, _ decision: inout Decision
    ) {
        started[part, default: 0] += 1
        let identity = RuleSubject(rule: rule.name, subject: subject.id)
        let number = part == .steps ? (memory.numbers[identity] ?? 0) + 1 : episode.number
        let key = RunKey(rule: rule.name, subject: subject.id, key: episode.key, episode: number, part: part)
        var run = Run(key: key, startedAt: now, cost: prepared.cost(of: part), once: once, anchor: subject.anchor)
        if part == .steps {
            own.episodes[subject.id]?.number = number
            own.episodes[subject.id]?.standing = .started
            own.episodes[subject.id]?.hold = nil
            decision.episodes.insert(identity)
        }
        guard rule.mode == .live else {
            let preview = prepared.preview(part, subject: subject, evaluator.activation, now: now)
            decision.events.append(
                Event(
                    at: now, .would, rule: rule.name, subject: subject.id, detail: preview.joined(separator: "\n"),
                    values: evaluator.values()))
            return
        }
        if part == .steps {
            memory.numbers[identity] = number
            decision.numbers[identity] = number
        }
        memory.recent.append(
            Memory.Start(at: now, rule: rule.name, subject: subject.id, part: part, cost: run.cost))
        decision.events.append(
            Event(
                at: now, .started, rule: rule.name, subject: subject.id, episode: number, detail: part.rawValue,
                values: evaluator.values()))
        if let once, prepared.cost.steps == 0 {
            decision.use(OnceKey(rule: rule.name, subject: subject.id, value: once), in: &memory)
        }
        prepared.advance(&run, subject: subject, evaluator.activation, now: now, isFolded: isFolded, &decision)
        memory.runs[key] = run.state.isFinished ? nil : run
    }
}
