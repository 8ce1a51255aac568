import CEL

/// Decides one watch rule on one reading: which episodes begin, hold on and end, and what of that runs.
struct WatchDecider {
    let prepared: PreparedRule
    let limit: ServerLimit
    let world: World
    /// What is remembered of this rule; the rest is in `draft`.
    var own: RuleMemory
    var draft: Draft
    private let slot: Slot?
    private var evaluatorInUse: Evaluator?
    /// How many runs of `do`, and of `resolved`, this decision started.
    var started = (steps: 0, resolved: 0)
    /// Subjects of which it could be told before, or that it was another reason.
    private var newlyUntold: [(subject: SubjectID, reason: String)] = []

    init(
        _ prepared: PreparedRule, limit: ServerLimit, world: World, slot: Slot? = nil, _ draft: consuming Draft
    ) {
        self.prepared = prepared
        self.limit = limit
        self.world = world
        own = draft.memory.rules.removeValue(forKey: prepared.name) ?? RuleMemory(prepared.rule)
        self.draft = draft
        self.slot = slot
    }

    var rule: Rule { prepared.rule }
    var now: Timestamp { world.now }

    /// Made when something is evaluated: most readings change nothing for most rules.
    var evaluator: Evaluator {
        get { evaluatorInUse ?? Evaluator(prepared, world: world, slot: slot) }
        // Changed where it is: a copy for each subject would cost more than evaluating it does.
        _modify {
            var evaluator = evaluatorInUse.take() ?? Evaluator(prepared, world: world, slot: slot)
            defer { evaluatorInUse = evaluator }
            yield &evaluator
        }
    }

    /// Returns the draft with what was decided on this reading.
    consuming func decide(_ watched: Watched) -> Draft {
        reset()
        switch world.reading(watched, for: prepared) {
        case .cannotTell(let reason):
            standStill(reason)
        case .whole(let subjects):
            own.unreadable = nil
            evaluate(subjects)
            depart(subjects.departed)
            forgetUntold(subjects)
            ripen(subjects)
            settleFirstSight()
            admit(subjects)
            own.see(subjects.revision, prepared, world)
            if prepared.readsPrevious { own.see(moved: subjects) }
        }
        draft.memory.rules[rule.name] = own
        return draft
    }

    /// A person paused the rule: nothing of it is decided, and its timers stand still.
    consuming func pause() -> Draft {
        own.forgetSeen()
        own.unreadable = nil
        own.untold = [:]
        for id in own.episodes.keys { freeze(id) }
        draft.memory.rules[rule.name] = own
        return draft
    }

    /// A rule whose meaning changed starts over: what was pending begins again, what was active stays so if it still
    /// holds. Other edits change nothing here.
    private mutating func reset() {
        guard own.meaning != rule.meaning else { return }
        own.meaning = rule.meaning
        own.forgetSeen()
        for (id, episode) in own.episodes {
            remember(episode.phase == .pending ? nil : episode.resetting(), of: id)
        }
        draft.note(.reset, "trigger, 'if', 'for', 'key' or 'let' changed", of: rule.name)
    }

    /// Nothing can be told: nothing runs, nothing ends, all timers stand still.
    private mutating func standStill(_ reason: String) {
        own.unreadable = RuleMemory.Untold(since: own.unreadable?.since ?? now, reason: reason)
        own.forgetSeen()
        for id in own.episodes.keys { freeze(id) }
    }

    mutating func freeze(_ id: SubjectID) {
        guard var episode = own.episodes[id], episode.frozenSince == nil else { return }
        // What holds was last known at the reading before: the time since then is as unknown as what comes.
        episode.freeze(at: own.toldAt ?? now)
        remember(episode, of: id)
    }

    mutating func remember(_ episode: Episode?, of id: SubjectID) {
        own.episodes[id] = episode
        draft.decision.episodes.insert(RuleSubject(rule: rule.name, subject: id))
    }

    // MARK: - Outcomes

    private mutating func evaluate(_ subjects: Subjects) {
        if let indices = own.toEvaluate(subjects, prepared, world) {
            for index in indices { judge(subjects, index) }
        } else {
            if prepared.readsClock { own.seen.flips.begin(at: now) }
            for index in subjects.all.indices { judge(subjects, index) }
        }
        recordUntold()
    }

    /// Most subjects of most rules come to `no` and are not remembered, so no more of them is touched than the value.
    private mutating func judge(_ subjects: Subjects, _ index: Int) {
        evaluator.bind(subjects.all[index].value, previous: subjects.all[index].previous)
        let outcome = evaluator.outcome()
        if prepared.readsClock { own.seen.flips.note(evaluator.horizon, of: subjects.all[index].id) }
        if outcome == .no, own.untold.isEmpty, !own.episodes.contains(subjects.all[index].id) { return }
        let subject = subjects.all[index]
        if case .cannotTell(let reason) = outcome { return leaveUntold(subject.id, reason) }
        if !own.untold.isEmpty { own.untold[subject.id] = nil }
        if case .yes(let key) = outcome { hold(subject, key: key) } else { lapse(subject) }
    }

    private mutating func leaveUntold(_ id: SubjectID, _ reason: String) {
        let before = own.untold[id]
        if before?.reason != reason { newlyUntold.append((id, reason)) }
        own.untold[id] = RuleMemory.Untold(since: before?.since ?? now, reason: reason)
        if own.isNew, rule.existing == .skip, own.episodes[id] == nil {
            // It may hold already; what its key is, too, shows when it can be told.
            remember(Episode(phase: .baseline, key: "", since: now).resetting(), of: id)
        }
        freeze(id)
    }

    /// What cannot be told of thousands for one reason, such as a stale reading, is one line.
    private mutating func recordUntold() {
        for (reason, subjects) in Dictionary(grouping: newlyUntold, by: \.reason).sorted(by: { $0.key < $1.key }) {
            guard let first = subjects.first else { continue }
            let more = subjects.count > 1 ? " (and \(subjects.count - 1) more)" : ""
            draft.note(.cannotTell, reason + more, of: rule.name, first.subject)
        }
    }

    /// Subjects that are no longer there are not asked about; one without an episode leaves without a word.
    private mutating func forgetUntold(_ subjects: Subjects) {
        guard !own.untold.isEmpty else { return }
        own.untold = own.untold.filter { subjects.position(of: $0.key) != nil }
    }

    /// The condition holds: begins an episode, or lets the one there go on.
    mutating func hold(_ subject: Subject, key: String) {
        let before = own.episodes[subject.id]
        var episode = before
        episode?.thaw(at: now)
        if episode?.isResetting == true {
            episode?.isResetting = false
            episode?.key = key
        }
        if let known = episode, known.key != key {
            end(subject, .key)
            episode = nil
        }
        if episode == nil { own.matchedAt = now }
        var current = episode ?? Episode(phase: isBaseline ? .baseline : .pending, key: key, since: now)
        if current.phase == .keeping { current.recover() }
        if current.phase == .pending, isUp(current) { current.activate(at: now) }
        if current != before { remember(current, of: subject.id) }
    }

    private var isBaseline: Bool { own.isNew && rule.existing == .skip }

    /// The condition does not hold: the end, unless that is to be ridden out for a while.
    private mutating func lapse(_ subject: Subject) {
        guard let before = own.episodes[subject.id] else { return }
        let canBeKept = before.phase == .active || before.phase == .keeping
        guard rule.keep > .zero, canBeKept, !before.isResetting else { return end(subject, .no) }
        var episode = before
        episode.thaw(at: now)
        if episode.phase == .active { episode.keep(from: now) }
        if isUp(episode) { return end(subject, .no) }
        if episode != before { remember(episode, of: subject.id) }
    }

    /// Subjects that nothing changed for, so that they were not evaluated: `for` or `keep` may be up all the same.
    private mutating func ripen(_ subjects: Subjects) {
        let ripe = own.episodes.unsettled { $0.frozenSince == nil && isUp($0) }
        for (id, episode) in ripe.sorted(by: { $0.key < $1.key }) {
            if episode.phase == .pending {
                var active = episode
                active.activate(at: now)
                remember(active, of: id)
            } else if let subject = subjects[id] {
                evaluator.bind(subject)
                end(subject, .no)
            }
        }
    }

    /// The time is up that the episode's phase takes.
    private func isUp(_ episode: Episode) -> Bool {
        switch episode.phase {
        case .pending: now - episode.since >= rule.holdFor
        case .keeping: episode.keptSince.map { now - $0 >= rule.keep } ?? true
        case .active, .baseline: false
        }
    }
}
