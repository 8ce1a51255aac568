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
                evaluator.bind(last)
                end(Subject(id, last), .gone)
            case .archived(let value):
                evaluator.bind(value)
                departArchived(Subject(id, value))
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
        guard episode.phase == .active else { return }
        let key = RunKey(rule: rule.name, subject: subject.id, key: episode.key, episode: episode.number, part: .steps)
        var ran = episode.standing == .started
        if let run = draft.memory.runs[key] {
            ran = run.hasWritten || prepared.cost.steps == 0
            if !run.isCalling { draft.finish(run, as: .withdrawn("the episode ended")) }
        }
        draft.note(
            .ended, episode.isResetting ? "no longer holds after the rule changed" : ending.rawValue, of: rule.name,
            subject.id, episode: episode.number)
        guard ran, !episode.isResetting, !rule.resolved.isEmpty else { return }
        start(.resolved, subject, episode, isFolded: started[.resolved, default: 0] >= rule.limit.perPoll)
    }
}
