import CEL

// A schedule with `watch`: at each slot the rule runs once for each session for which its `if` holds. Those that a limit
// keeps back are remembered as held episodes with the slot for a key, and worked off in later readings.
extension RuleSet {
    /// Runs a slot for every session that matches. What was still held of an earlier slot is dropped.
    func sweep(
        _ slot: Slot, _ subjects: Subjects, _ prepared: PreparedRule, _ world: World, _ own: inout RuleMemory,
        _ draft: inout Draft
    ) {
        draft.memory.rules[prepared.name] = own
        var decider = WatchDecider(prepared, limit: limit, world: world, slot: slot, consume draft)
        decider.dropHeld(because: "the next slot came first")
        decider.take(slot, subjects)
        draft = decider.finish(subjects)
        own = draft.memory.rules[prepared.name] ?? own
    }

    /// Goes on with what was held, on another reading.
    func goOnSweeping(
        _ prepared: PreparedRule, _ watchable: Vocabulary.Watchable, _ world: World, _ draft: inout Draft
    ) {
        guard case .whole(let subjects)? = world.watched[watchable.name],
            draft.memory.pause(of: prepared.name, at: world.now) == nil,
            let held = draft.memory.rules[prepared.name]?.episodes.values.first, let slot = Slot(key: held.key)
        else { return }
        var decider = WatchDecider(prepared, limit: limit, world: world, slot: slot, consume draft)
        decider.lookAgain(subjects)
        draft = decider.finish(subjects)
    }
}

extension WatchDecider {
    fileprivate mutating func dropHeld(because reason: String) {
        for (id, episode) in own.episodes.sorted(by: { $0.key < $1.key }) {
            draft.note(.withdrawn, reason, of: rule.name, id, episode: episode.number)
            remember(nil, of: id)
        }
    }

    /// Every session for which the condition holds is to run. One of which it cannot be told is passed over: the slot does
    /// not wait for it.
    fileprivate mutating func take(_ slot: Slot, _ subjects: Subjects) {
        for subject in subjects.all {
            evaluator.bind(subject)
            switch evaluator.outcome() {
            case .no: continue
            case .cannotTell(let reason): draft.note(.cannotTell, reason, of: rule.name, subject.id)
            case .yes:
                var episode = Episode(phase: .active, key: slot.key, since: now)
                episode.activeSince = now
                own.matchedAt = now
                remember(episode, of: subject.id)
            }
        }
    }

    /// What is held has to be there and hold still.
    fileprivate mutating func lookAgain(_ subjects: Subjects) {
        for id in own.episodes.keys.sorted() {
            guard var episode = own.episodes[id], let subject = subjects[id] else {
                drop(id)
                continue
            }
            evaluator.bind(subject)
            switch evaluator.outcome() {
            case .no: drop(id)
            case .cannotTell: episode.freeze(at: now)
            case .yes: episode.thaw(at: now)
            }
            if own.episodes[id] != nil { own.episodes[id] = episode }
        }
    }

    private mutating func drop(_ id: SubjectID) {
        draft.note(.withdrawn, "the condition no longer holds", of: rule.name, id)
        remember(nil, of: id)
    }

    /// Starts what may start; there is nothing to remember of a session whose run has.
    fileprivate consuming func finish(_ subjects: Subjects) -> Draft {
        admit(subjects)
        for (id, episode) in own.episodes where episode.standing != .held || !isHeldByLimit(episode) {
            remember(nil, of: id)
        }
        draft.memory.rules[rule.name] = own
        return draft
    }

    /// It may run later in the same slot.
    private func isHeldByLimit(_ episode: Episode) -> Bool {
        switch episode.hold {
        case .perPoll, .perHour, .server, .cannotTell: true
        case nil: episode.frozenSince != nil
        case .perSubject, .release, .once: false
        }
    }
}
