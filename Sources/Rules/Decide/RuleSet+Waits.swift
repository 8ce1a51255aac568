import CEL

extension RuleSet {
    /// Goes on with runs whose wait is over.
    func continueWaits(_ world: World, _ draft: inout Draft) {
        // `resolved` and `do` of one rule are counted apart, as where they start.
        struct Chain: Hashable {
            var rule: String
            var isResolved: Bool
        }
        var proceeded: [Chain: Int] = [:]
        let waiting = draft.memory.runs.values.filter { if case .waiting = $0.state { true } else { false } }
        for run in waiting.sorted(by: { ($0.startedAt, $0.key.subject) < ($1.startedAt, $1.key.subject) }) {
            guard case .waiting(let until) = run.state else { continue }
            guard until <= world.now else {
                draft.decision.wake(after: until - world.now)
                continue
            }
            let chain = Chain(rule: run.key.rule, isResolved: run.key.part.isResolved)
            let isFolded = proceeded[chain, default: 0] >= rule(run.key.rule)?.rule.limit.perPoll ?? 0
            if proceed(run, world, isFolded: isFolded, &draft) { proceeded[chain, default: 0] += 1 }
        }
    }

    /// True when it went on.
    private func proceed(_ run: Run, _ world: World, isFolded: Bool, _ draft: inout Draft) -> Bool {
        guard let prepared = rule(run.key.rule), prepared.rule.mode == .live, prepared.isWait(run) else {
            draft.finish(run, as: .withdrawn("the rule changed"))
            return false
        }
        guard draft.memory.pause(of: prepared.name, at: world.now) == nil else { return false }
        var evaluator = Evaluator(prepared, world: world, slot: run.key.slot)
        var subject: Subject?
        if prepared.watchable != nil {
            if !run.key.part.isResolved, run.key.slot == nil {
                guard let episode = draft.memory.rules[run.key.rule]?.episodes[run.key.subject],
                    episode.number == run.key.episode
                else {
                    draft.finish(run, as: .withdrawn("the episode ended"))
                    return false
                }
                if let person = episode.ackedBy {
                    draft.finish(run, as: .withdrawn("acknowledged by \(person)"))
                    return false
                }
                // While it cannot be told whether the condition still holds, the wait goes on.
                guard episode.frozenSince == nil else { return false }
            }
            guard var latest = world.latest(run.key.subject, for: prepared) else { return false }
            latest.previous = run.context.previous?.object
            evaluator.bind(latest)
            subject = latest
        }
        var next = run
        next.step += 1
        draft.advance(next, of: prepared, subject: subject, evaluator, isFolded: isFolded)
        return true
    }
}

extension PreparedRule {
    /// The step that a run waits at still is a wait.
    fileprivate func isWait(_ run: Run) -> Bool {
        let steps = steps(of: run.key.part)
        guard run.step < steps.count, case .wait = steps[run.step].action else { return false }
        return true
    }
}
