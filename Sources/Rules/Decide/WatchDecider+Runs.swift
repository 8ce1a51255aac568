import CEL

extension WatchDecider {
    /// A new rule that writes and matches much at once waits for a person.
    mutating func settleFirstSight() {
        guard own.isNew else { return }
        let matching = own.episodes.values.count { $0.phase != .baseline }
        let unclear = own.untold.keys.count { own.episodes[$0]?.phase != .baseline }
        let isSettled = unclear == 0 || matching + unclear <= rule.limit.perPoll
        if prepared.cost.steps > 0, matching > rule.limit.perPoll, rule.mode == .live { own.awaitsRelease = true }
        guard isSettled else { return }
        own.isNew = false
        draft.note(.firstSight, "subjects that match at first sight: \(matching)", of: rule.name)
    }

    /// Starts what may start now, the longest holding first; says of the rest why it is held.
    mutating func admit(_ subjects: Subjects) {
        // A new rule may hold thousands until a person releases it: nothing is to be said of them again.
        let isWaiting = prepared.cost.steps > 0 && own.awaitsRelease
        let held = own.episodes.unsettled { episode in
            episode.phase == .active && episode.standing == .held && !(isWaiting && episode.hold == .release)
        }
        let due = dueAgain()
        guard !held.isEmpty || !due.isEmpty else { return }
        var admission = Admission(prepared, limit: limit, own: own, startedNow: started.steps)
        for (id, episode) in Self.inOrder(held) where episode.frozenSince == nil {
            guard let subject = subjects[id] else { continue }
            evaluator.bind(subject)
            switch admission.judge(id, once: evaluator.once(), draft.memory) {
            case .start(let once, let isFolded):
                start(.steps, subject, episode, once: once, isFolded: isFolded)
            case .hold(let hold):
                keep(subject, hold)
            }
        }
        for (id, episode) in Self.inOrder(due) {
            guard let subject = subjects[id] else { continue }
            evaluator.bind(subject)
            // That it ran before for this value of `once` is why it runs again.
            switch admission.judge(id, once: .success(nil), draft.memory) {
            case .start(_, let isFolded):
                start(.again(episode.repeats + 1), subject, episode, isFolded: isFolded)
            case .hold(let hold):
                keep(subject, hold)
            }
        }
    }

    /// Episodes whose `do` is to run once more, and has come to its end before.
    private mutating func dueAgain() -> [(key: SubjectID, value: Episode)] {
        let isAsked = own.askedAt != nil
        own.askedAt = nil
        guard isAsked || rule.again != nil else { return [] }
        return own.episodes.filter { id, episode in
            let isDue = rule.again.map { episode.isDue($0, at: now) } ?? false
            guard isDue || isAsked && episode.canRunAgain else { return false }
            return !draft.memory.isUnderWay(episode, of: rule.name, id)
        }
    }

    /// The longest holding first.
    private static func inOrder(
        _ episodes: [(key: SubjectID, value: Episode)]
    ) -> [(key: SubjectID, value: Episode)] {
        episodes.sorted { a, b in
            a.value.since == b.value.since ? a.key < b.key : a.value.since < b.value.since
        }
    }

    private mutating func keep(_ subject: Subject, _ hold: Episode.Hold) {
        guard var episode = own.episodes[subject.id], episode.hold != hold else { return }
        episode.hold = hold
        remember(episode, of: subject.id)
        draft.note(.held, hold.explanation, of: rule.name, subject.id, evaluator)
    }

    /// Starts `do`, once more or for the first time, or `resolved`; the evaluator must be bound to `subject`.
    mutating func start(
        _ part: Run.Part, _ subject: Subject, _ episode: Episode, once: String? = nil, ending: Ending? = nil,
        isFolded: Bool = false
    ) {
        let isLive = rule.mode == .live
        var episode = episode
        switch part {
        case .steps:
            let identity = RuleSubject(rule: rule.name, subject: subject.id)
            let number = (draft.memory.numbers[identity] ?? 0) + 1
            if isLive { draft.take(number, of: identity) }
            episode.run(as: number, at: now)
            if prepared.context.contains("fired") { episode.fired = Snapshot(subject.value) }
        case .again: episode.runAgain(at: now)
        case .resolved: started.resolved += 1
        }
        if !part.isResolved {
            started.steps += 1
            remember(episode, of: subject.id)
        }
        let key = RunKey(rule: rule.name, subject: subject.id, key: episode.key, episode: episode.number, part: part)
        let context = context(of: subject, episode, ending)
        guard isLive else { return draft.preview(key, of: prepared, subject: subject, evaluator, context) }
        if let once, prepared.cost.steps == 0 {
            draft.use(OnceKey(rule: rule.name, subject: subject.id, value: once))
        }
        let run = Run(
            key: key, startedAt: now, cost: prepared.cost(of: part), once: once, anchor: subject.anchor,
            context: context)
        draft.start(run, of: prepared, subject: subject, evaluator, isFolded: isFolded)
    }

    /// What the rule's steps may read beside the subject.
    private func context(of subject: Subject, _ episode: Episode, _ ending: Ending?) -> RunContext {
        let read = prepared.context
        return RunContext(
            previous: read.contains("previous") ? subject.previous.map(Snapshot.init) : nil,
            fired: read.contains("fired") ? episode.fired : nil,
            episode: read.contains("episode") ? episode.facts(runs: episode.repeats + 1, ended: ending) : nil)
    }
}
