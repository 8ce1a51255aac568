import CEL

extension RuleSet {
    /// Goes on with runs whose wait is over.
    func continueWaits(_ world: World, _ memory: inout Memory, _ decision: inout Decision) {
        let waiting = memory.runs.values.filter { if case .waiting = $0.state { true } else { false } }
        for run in waiting.sorted(by: { ($0.startedAt, $0.key.subject) < ($1.startedAt, $1.key.subject) }) {
            guard case .waiting(let until) = run.state else { continue }
            guard until <= world.now else {
                decision.wake(after: until - world.now)
                continue
            }
            proceed(run, world, &memory, &decision)
        }
    }

    private func proceed(_ run: Run, _ world: World, _ memory: inout Memory, _ decision: inout Decision) {
        guard let prepared = rule(run.key.rule), prepared.rule.mode == .live,
            run.step < prepared.steps(of: run.key.part).count
        else {
            return decision.finish(run, as: .withdrawn("the rule changed"), in: &memory, now: world.now)
        }
        var evaluator = Evaluator(
            prepared, world: world, slot: Slot(run.key.subject))
        var subject: Subject?
        if prepared.watchable != nil {
            if run.key.part == .steps {
                guard let episode = memory.rules[run.key.rule]?.episodes[run.key.subject],
                    episode.number == run.key.episode
                else {
                    return decision.finish(run, as: .withdrawn("the episode ended"), in: &memory, now: world.now)
                }
                // While it cannot be told whether the condition still holds, the wait goes on.
                guard episode.frozenSince == nil else { return }
            }
            guard let value = world.latest[run.key.subject] else { return }
            evaluator.bind(value)
            subject = Subject(run.key.subject, value)
        }
        var next = run
        next.step += 1
        prepared.advance(&next, subject: subject, evaluator.activation, now: world.now, &decision)
        memory.runs[run.key] = next.state.isFinished ? nil : next
    }
}
