import CEL

/// What a last look at the subject says about the write that is next (docs/rules.md, "Last look").
package enum LastLook: Sendable {
    case go(WriteRequest)
    /// This step is not wanted, or cannot be made; the chain goes on with the next.
    case skip(String)
    /// Not any more: the chain stops here.
    case withdrawn(String)
    /// Cannot be told just now; looked at again at the next poll.
    case wait(String)
    /// Waited as long as the rules allow.
    case gaveUp(String)
}

extension PreparedRule {
    /// A write waits at most so long for a last look that holds.
    package static let patience: Duration = .seconds(86_400)

    /// The write that a run stands at; nil when the rule has no such step any more.
    package func write(of run: Run) -> Write? {
        let steps = steps(of: run.key.part)
        guard run.step < steps.count, case .write(let write) = steps[run.step].action else { return nil }
        return write
    }

    /// Evaluates the whole condition on a reading made just now, and fills in the write that is next.
    ///
    /// For `resolved` and for schedules there is no condition that has to hold still (a schedule's `if` is looked at
    /// again all the same).
    package func lastLook(at run: Run, subject: Subject?, world: World, slot: Slot? = nil) -> LastLook {
        guard rule.mode == .live, let write = write(of: run) else { return .withdrawn("the rule changed") }
        var evaluator = Evaluator(self, world: world, slot: slot)
        if let subject {
            if let anchor = subject.anchor, anchor != run.anchor {
                return .withdrawn("\(subject.id) moved on: \(anchor) instead of \(run.anchor ?? "nothing")")
            }
            var subject = subject
            subject.previous = run.context.previous?.object
            evaluator.bind(subject)
        }
        if !run.key.part.isResolved, let stop = conditionStops(run, &evaluator) { return stop }
        evaluator.bind(run.context)
        let step = steps(of: run.key.part)[run.step]
        switch evaluator.condition(of: step) {
        case .holds: break
        case .fails(let reason): return .skip(reason)
        case .cannotTell(let reason): return .wait(reason)
        }
        switch write.request(subject: subject, evaluator.activation, rule: rule, now: world.now) {
        case .success(let request): return .go(request)
        case .failure(let error):
            if error.code == .unavailable { return .wait(error.message) }
            let reason = "\(write.name): \(error.message)"
            return step.onError == .continue ? .skip(reason) : .withdrawn(reason)
        }
    }

    /// What the whole condition says on a reading made just now; nil when it holds as it did.
    private func conditionStops(_ run: Run, _ evaluator: inout Evaluator) -> LastLook? {
        switch evaluator.outcome() {
        case .no: .withdrawn("the condition no longer holds")
        case .cannotTell(let reason): .wait(reason)
        case .yes(let key) where run.key.slot == nil && key != run.key.key: .withdrawn("the value of 'key' changed")
        case .yes: nil
        }
    }
}
