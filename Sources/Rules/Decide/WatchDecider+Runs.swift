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
        let held = own.episodes.filter { _, episode in
            episode.phase == .active && episode.standing == .held && !(isWaiting && episode.hold == .release)
        }
        guard !held.isEmpty else { return }
        let order = held.sorted { a, b in
            a.value.since == b.value.since ? a.key < b.key : a.value.since < b.value.since
        }
        var admission = Admission(
            prepared, limit: limit, own: own, memory: draft.memory, startedNow: started[.steps, default: 0], now: now)
        for (id, episode) in order where episode.frozenSince == nil {
            guard let subject = subjects[id] else { continue }
            evaluator.bind(subject.value)
            switch admission.judge(id, once: evaluator.once(), draft.memory) {
            case .start(let once, let isFolded):
                start(.steps, subject, episode, once: once, isFolded: isFolded)
            case .hold(let hold):
                keep(subject, hold)
            }
        }
    }

    private mutating func keep(_ subject: Subject, _ hold: Episode.Hold) {
        guard var episode = own.episodes[subject.id], episode.hold != hold else { return }
        episode.hold = hold
        remember(episode, of: subject.id)
        draft.note(.held, hold.explanation, of: rule.name, subject.id, values: evaluator.values())
    }

    /// Starts `do` or `resolved`; the evaluator must be bound to `subject`.
    mutating func start(
        _ part: Run.Part, _ subject: Subject, _ episode: Episode, once: String? = nil, isFolded: Bool = false
    ) {
        started[part, default: 0] += 1
        let identity = RuleSubject(rule: rule.name, subject: subject.id)
        let isLive = rule.mode == .live
        var number = episode.number
        if part == .steps {
            number = (draft.memory.numbers[identity] ?? 0) + 1
            if isLive { draft.take(number, of: identity) }
            var running = episode
            running.run(as: number)
            remember(running, of: subject.id)
        }
        let key = RunKey(rule: rule.name, subject: subject.id, key: episode.key, episode: number, part: part)
        guard isLive else { return draft.preview(key, of: prepared, subject: subject, evaluator) }
        if let once, prepared.cost.steps == 0 {
            draft.use(OnceKey(rule: rule.name, subject: subject.id, value: once))
        }
        let run = Run(key: key, startedAt: now, cost: prepared.cost(of: part), once: once, anchor: subject.anchor)
        draft.start(run, of: prepared, subject: subject, evaluator, isFolded: isFolded)
    }
}
