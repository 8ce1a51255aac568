package import CEL

/// What a rule says of one subject at one instant, and why: each clause of its condition, since when, what keeps it from
/// running, and what it would do.
package struct Explanation: Sendable {
    /// A named expression with its value.
    package struct Named: Hashable, Sendable {
        package var name: String
        package var source: String
        /// Printed.
        package var value: String
        package var isError: Bool
    }

    /// The stretch of time in which the condition holds, as it is remembered.
    package struct EpisodeState: Hashable, Sendable {
        package var phase: Episode.Phase
        /// 0 before its first run.
        package var number: Int
        package var since: Timestamp
        package var activeSince: Timestamp?
        package var ranAt: Timestamp?
        /// How often `do` ran in it.
        package var runs: Int
        package var ackedBy: String?
        /// Timers stand still since then.
        package var frozenSince: Timestamp?
    }

    /// `for`, `keep`, `repeat` or a step `wait` that runs.
    package struct Timer: Hashable, Sendable {
        package var name: String
        package var length: Duration
        package var end: Timestamp
    }

    /// How much of a limit is used up.
    package struct Use: Hashable, Sendable {
        /// `per_hour`, `zimmer.limit per_day`
        package var name: String
        package var used: Int
        package var bound: Int
        /// When there is room again for a run; nil where there is room now.
        package var freeAt: Timestamp?
    }

    /// Something that keeps the rule from running, or its messages from going.
    package struct Block: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            case mode, pause, reading, timer, limit, release, once, baseline, reset, frozen, withdrawn, ran, acked
            case wait, suppress, quiet, group, slot, channel, mute, key
            case cannotTell = "cannot_tell"
            case lastLook = "last_look"
            case pullRequests = "pull_requests"
            case notRun = "not_run"
        }

        package var kind: Kind
        package var text: String
        package var until: Timestamp?

        package init(_ kind: Kind, _ text: String, until: Timestamp? = nil) {
            self.kind = kind
            self.text = text
            self.until = until
        }
    }

    /// When a schedule runs.
    package struct Slots: Hashable, Sendable {
        /// By the clock of this machine, `jitter` included; those that pass in a pause left out.
        package var next: [Timestamp]
        package var jitter: Duration
        /// A slot that is due and has not run: why.
        package var missing: String?
    }

    package var rule: String
    package var mode: Rule.Mode
    /// `watch: session`
    package var trigger: String
    package var at: Timestamp
    /// Nil for a schedule by itself.
    package var subject: SubjectID?
    /// What the subject is called, if it has a title.
    package var title: String?
    package var outcome: Evaluator.Outcome
    package var condition: Clause?
    package var bindings: [Named] = []
    package var key: Named?
    package var once: Named?
    package var onceIsUsed = false
    package var episode: EpisodeState?
    package var timers: [Timer] = []
    package var limits: [Use] = []
    package var blocks: [Block] = []
    /// A decision on what was read just now starts a run.
    package var wouldRun = false
    package var steps: [StepPreview] = []
    package var slots: Slots?
}

extension Explanation {
    /// The matter in one sentence.
    package var summary: String {
        switch outcome {
        case _ where mode == .off: return "the rule is off"
        case .cannotTell(let reason): return "cannot tell: \(reason)"
        case .no:
            if let end = timers.first(where: { $0.name == "keep" })?.end {
                return "does not hold any more; kept active until \(end.wholeSeconds)"
            }
            return "does not hold\(decisiveText)"
        case .yes: break
        }
        if let unsupported = block(.notRun) { return "holds, but does not run: \(unsupported.text)" }
        if wouldRun { return mode == .dryRun ? "holds: would run now, in a dry run" : "holds: runs at the next poll" }
        if let slots { return slots.summary(paused: block(.pause), isDry: mode == .dryRun) }
        guard let block = blocks.first(where: { $0.kind.isAboutRuns }) else { return "holds" }
        return "holds, but does not run: \(block.sentence)"
    }

    private func block(_ kind: Block.Kind) -> Block? { blocks.first { $0.kind == kind } }

    private var decisiveText: String {
        if let key = block(.key) { return ": \(key.text)" }
        guard let clause = condition?.decisive else { return "" }
        let reason = clause.reason.map { ": \($0)" } ?? ""
        return " (\(clause.text)\(clause.outcome == .absent ? " does not apply" : " is false")\(reason))"
    }
}

extension Explanation.Block {
    /// With the end of a pause, which the text by itself does not have.
    fileprivate var sentence: String {
        guard kind == .pause, let until else { return text }
        return "\(text) until \(until.wholeSeconds)"
    }
}

extension Explanation.Slots {
    fileprivate func summary(paused pause: Explanation.Block?, isDry: Bool) -> String {
        let runs = isDry ? "would run in a dry run" : "runs"
        guard let slot = next.first?.wholeSeconds else {
            return pause.map { "holds, but does not run: \($0.sentence)" } ?? "holds, but has no slot ahead"
        }
        guard let pause else { return "holds: \(runs) at \(slot), the next slot" }
        return "holds, but \(pause.sentence): \(runs) at \(slot), the first slot after that"
    }
}

extension Explanation.Block.Kind {
    /// It keeps `do` from starting, not only what it says from going.
    package var isAboutRuns: Bool {
        switch self {
        case .suppress, .quiet, .group, .wait, .lastLook, .pullRequests, .slot, .channel, .mute: false
        default: true
        }
    }
}

/// One step of `do`, and what it would do now.
package struct StepPreview: Hashable, Sendable {
    /// Its `if`, as written.
    package var condition: String?
    /// Nil: it would be done.
    package var skipped: String?
    package var text: String
}
