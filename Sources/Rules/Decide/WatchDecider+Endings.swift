import CEL

extension WatchDecider {
    /// Remembered subjects that are missing from the reading.
    mutating func depart(_ departed: [SubjectID: Departure]) {
        for (id, departure) in departed.sorted(by: { $0.key < $1.key }) {
            own.untold[id] = nil
            guard own.episodes[id] != nil else { continue }
            switch departure {
            case .unreadable:
                freeze(id)
            case .gone:
                guard let last = world.latest[id] else {
                    remember(nil, of: id)
                    continue
                }
                let subject = Subject(id, last, previous: last)
                evaluator.bind(subject)
                end(subject, .gone)
            case .archived(let value):
                let subject = Subject(id, value, previous: world.latest[id])
                evaluator.bind(subject)
                departArchived(subject)
            }
        }
    }

    /// An archived session is evaluated once more: a condition that is about being archived runs, then the episode ends.
    private mutating func departArchived(_ subject: Subject) {
        if case .yes(let key) = evaluator.outcome() {
            hold(subject, key: key)
            if own.episodes[subject.id]?.phase == .active, own.episodes[subject.id]?.standing == .held {
                admit(Subjects([subject], revision: 0))
            }
        }
        end(subject, .archived)
    }

    /// Ends a subject's episode; the evaluator must be bound to `subject`, which `resolved` is about.
    mutating func end(_ subject: Subject, _ ending: Ending) {
        guard let episode = own.episodes[subject.id] else { return }
        remember(nil, of: subject.id)
        guard episode.phase == .active || episode.phase == .keeping else { return }
        let ran = stopRuns(of: episode, subject.id)
        draft.note(
            .ended, episode.isResetting ? "no longer holds after the rule changed" : ending.rawValue, of: rule.name,
            subject.id, episode: episode.number, evaluator)
        guard ran, !episode.isResetting, !rule.resolved.isEmpty else { return }
        start(.resolved, subject, episode, ending: ending, isFolded: started.resolved >= rule.limit.perPoll)
    }

    /// Withdraws what is under way of an episode; true where its `do` counts as run.
    private mutating func stopRuns(of episode: Episode, _ subject: SubjectID) -> Bool {
        var ran = episode.standing == .started
        // At most one goes on: the next repetition waits for it.
        for part in [Run.Part.steps, .again(episode.repeats)] {
            let key = RunKey(
                rule: rule.name, subject: subject, key: episode.key, episode: episode.number, part: part)
            guard let run = draft.memory.runs[key] else { continue }
            if part == .steps { ran = run.hasWritten || prepared.cost.steps == 0 }
            if !run.isCalling { draft.finish(run, as: .withdrawn("the episode ended")) }
        }
        return ran
    }
}
