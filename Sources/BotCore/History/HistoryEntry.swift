package import CEL
package import Rules

/// One entry of what is recorded, in the order in which it happened.
package enum HistoryEntry: Sendable {
    /// Everything that was known at a time, from which on it can be told what happened.
    case state(at: Timestamp, [Intake])
    case decision(RecordedDecision)
    case act(RecordedAct, at: Timestamp)
}

/// When a decision was made, and what had come in since the one before.
package struct RecordedDecision: Sendable {
    /// On Zimmer's clock.
    package var now: Timestamp
    package var localNow: Timestamp
    package var isClockPutForward = false
    /// The process began, at that time, since the decision before.
    package var startedAt: Timestamp?
    /// Rules were read anew since the decision before.
    package var isReload = false
    package var intake: [Intake] = []
}

extension RecordedDecision {
    init(_ world: World, _ intake: [Intake]) {
        self.init(
            now: world.now, localNow: world.localNow, isClockPutForward: world.isClockPutForward, intake: intake)
    }
}

/// What happened to the memory of the rules between two decisions.
package enum RecordedAct: Hashable, Sendable {
    /// A write was begun.
    case attempted(RunKey)
    /// A write ended in this way.
    case concluded(RunKey, Attempt.Outcome)
    /// A last look stopped a run: withdrawn, or given up.
    case withheld(RunKey, reason: String, isGivenUp: Bool)
    /// A step's `if` did not hold, so that the next one came.
    case skipped(RunKey, reason: String)
    /// A person released, paused, resumed or ran a rule: what is remembered of it since.
    case steered(rule: String, Steering)
    /// A person has these episodes in hand; nil for all rules, or all subjects.
    case acknowledged(rule: String?, SubjectID?, by: String)

    package struct Steering: Hashable, Sendable {
        package var awaitsRelease: Bool
        package var pausedUntil: Timestamp?
        package var askedAt: Timestamp?
    }
}

extension RecordedAct.Steering {
    init(_ rule: RuleMemory) {
        self.init(awaitsRelease: rule.awaitsRelease, pausedUntil: rule.pausedUntil, askedAt: rule.askedAt)
    }
}

extension RecordedAct {
    /// A run that a last look ended.
    init(_ key: RunKey, _ state: Run.State) {
        switch state {
        case .gaveUp(let reason): self = .withheld(key, reason: reason, isGivenUp: true)
        case .withdrawn(let reason): self = .withheld(key, reason: reason, isGivenUp: false)
        default: self = .withheld(key, reason: "", isGivenUp: false)
        }
    }
}
