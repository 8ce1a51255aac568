import AdapterKit
package import CEL
package import Rules

/// What a person asks of one rule. What becomes of it is told by what is remembered alone, so that a rehearsal answers as
/// the bot does.
package enum RuleWish: Hashable, Sendable {
    /// A new rule that matches much may write.
    case release
    /// It decides nothing for a while; without a length until it is resumed.
    case pause(for: Duration?)
    case resume
    /// A schedule runs now; of a rule that watches, `do` once more for what is active.
    case run

    package struct Granted: Sendable {
        /// What is remembered of the rule from then on.
        package var memory: RuleMemory
        /// The word of the audit trail.
        package var kind: String
        package var text: String
    }

    /// The answer where it cannot be done.
    package struct Declined: Error {
        package var text: String
    }

    /// - Parameters:
    ///   - now: on Zimmer's clock, by which rules are decided.
    ///   - localNow: on this machine's clock, by which slots are.
    package func grant(
        on rule: String, _ rules: RuleSet, _ memory: Memory, now: Timestamp, localNow: Timestamp
    ) throws(Declined) -> Granted {
        guard let prepared = rules.rule(rule) else { throw .unknown(rule, rules) }
        // A rule that was not decided yet has nothing to remember but this.
        var own =
            memory.rules[rule] ?? RuleMemory(meaning: prepared.rule.meaning, isDryRun: prepared.rule.mode == .dryRun)
        if let reason = objection(prepared, memory, now: now) { throw Declined(text: "rule '\(rule)' \(reason)") }
        let (kind, text): (String, String)
        switch self {
        case .release:
            own.awaitsRelease = false
            (kind, text) = ("released", "released; writes go out at most \(prepared.rule.limit.perPoll) per poll")
        case .pause(let length):
            let until = length.map { now + $0 }
            own.pausedUntil = until ?? Memory.forGood
            (kind, text) = ("paused", "paused \(until.map { "until \($0.wholeSeconds)" } ?? "until it is resumed")")
        case .resume:
            own.pausedUntil = nil
            (kind, text) = ("resumed", "goes on")
        case .run:
            // Whole seconds: it is the time of a slot.
            own.askedAt = Timestamp(seconds: localNow.seconds)
            let active = memory.ready(of: rule)
            (kind, text) = (
                "asked",
                prepared.rule.schedule != nil
                    ? "runs now" : "runs again at the next reading, for what is active: \(active)"
            )
        }
        return Granted(memory: own, kind: kind, text: text)
    }

    /// Why it cannot be done.
    private func objection(_ prepared: PreparedRule, _ memory: Memory, now: Timestamp) -> String? {
        let isPaused = memory.pause(of: prepared.name, at: now) != nil
        switch self {
        case .release: return memory.rules[prepared.name]?.awaitsRelease == true ? nil : "does not wait for a release"
        case .resume: return isPaused ? nil : "is not paused"
        case .pause, .run:
            if prepared.rule.mode == .off { return "is off in the rules file" }
            guard case .run = self else { return nil }
            if isPaused { return "is paused: resume it first" }
            guard prepared.rule.schedule == nil, memory.ready(of: prepared.name) == 0 else { return nil }
            return memory.active(of: prepared.name).isEmpty
                ? "is active for nothing" : "is not done with what it does for all that it is active for"
        }
    }
}

extension RuleWish.Declined {
    static func unknown(_ rule: String, _ rules: RuleSet) -> Self {
        let hint = NearMiss.best(of: rules.rules.map(\.name), for: rule).map { ", did you mean '\($0)'?" } ?? ""
        return Self(text: "there is no rule '\(rule.printableLine)'\(hint)")
    }

    static let nothingActive = Self(text: "nothing is active there")
}

extension Memory {
    /// How many episodes of a rule can run again now.
    fileprivate func ready(of rule: String) -> Int {
        active(of: rule).count { !isUnderWay($0.value, of: rule, $0.key) }
    }

    /// Episodes of a rule that could run again.
    fileprivate func active(of rule: String) -> [(key: SubjectID, value: Episode)] {
        rules[rule]?.episodes.filter(\.value.canRunAgain) ?? []
    }
}
