import CEL

// Start here.
//
// A rules file is read by `RuleFile` (YAML with positions, typed loading, expressions compiled). Its rules make a
// `RuleSet`, and `decide` says what they want done: a pure function of the world as it was read and of what is remembered.

/// The rules in force.
package struct RuleSet: Sendable {
    package let rules: [PreparedRule]
    /// `zimmer.limit`: what all rules together may write.
    package let limit: ServerLimit
    private let byName: [String: Int]

    package init(_ rules: [Rule], limit: ServerLimit = ServerLimit()) {
        self.rules = rules.map(PreparedRule.init)
        self.limit = limit
        byName = Dictionary(rules.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func rule(_ name: String) -> PreparedRule? {
        byName[name].map { rules[$0] }
    }

    /// Decides what the world, as it was read, asks for.
    ///
    /// Pure: the same arguments give the same answer. `run`, `plan` and the tests call this one function.
    ///
    /// - Complexity: O(changed subjects × rules), plus all subjects for rules that read `now` or another variable that
    ///   changed.
    package func decide(_ world: World, _ memory: inout Memory) -> Decision {
        var draft = Draft(exchange(&memory, with: Memory()), at: world.now)
        forgetRules(&draft)
        draft.memory.recent.advance(to: world.now)
        draft.endPauses()
        for prepared in rules where prepared.rule.mode != .off {
            switch prepared.rule.trigger {
            case .watch(let watchable):
                guard let watched = world.watched[watchable.name] else { continue }
                let decider = WatchDecider(prepared, limit: limit, world: world, consume draft)
                draft = decider.isPaused ? decider.pause() : decider.decide(watched)
            case .schedule(let schedule):
                decideSlots(prepared, schedule, world, &draft)
            case .sweep(let schedule, let watchable):
                let slot = draft.memory.rules[prepared.name]?.nextSlot
                decideSlots(prepared, schedule, world, &draft)
                // What a slot held back is for the readings after the one that it ran on.
                guard slot == draft.memory.rules[prepared.name]?.nextSlot else { continue }
                goOnSweeping(prepared, watchable, world, &draft)
            // Nothing that is read calls it.
            case .command: continue
            }
        }
        continueWaits(world, &draft)
        suppress(&draft)
        draft.decision.fold()
        draft.memory.decidedAt = world.now
        memory = draft.memory
        return draft.decision
    }

    /// Ends the episodes of rules that are gone or switched off, without `resolved`, and their runs.
    private func forgetRules(_ draft: inout Draft) {
        for (name, remembered) in draft.memory.rules {
            let mode = rule(name)?.rule.mode ?? .off
            guard mode == .off || remembered.isDryRun != (mode == .dryRun) else { continue }
            for subject in remembered.episodes.keys {
                draft.decision.episodes.insert(RuleSubject(rule: name, subject: subject))
            }
            draft.memory.rules[name] = nil
            draft.decision.forgotten.append(name)
        }
        for (key, run) in draft.memory.runs
        where draft.memory.rules[key.rule] == nil && rule(key.rule)?.rule.mode != .live {
            if run.isCalling { continue }
            draft.finish(run, as: .withdrawn("the rule was removed or switched off"))
        }
    }
}

/// `zimmer.limit`.
package struct ServerLimit: Hashable, Sendable {
    package var perHour = 120
    package var perDay = 600

    package init() {}
}
