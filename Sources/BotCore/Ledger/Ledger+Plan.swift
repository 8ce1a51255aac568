import CEL
import Rules

extension Ledger {
    /// What these decisions would lead to: messages as they were composed, writes as a last look at the same reading has
    /// them.
    func plan(_ decisions: [Decision]) -> Plan {
        var plan = Plan()
        for decision in decisions {
            for post in decision.posts {
                let subject = post.run?.subject ?? SubjectID(type: "several", id: "several")
                plan.steps.append(
                    Plan.Step(rule: post.rule, subject: subject, what: "post \(post.channel): \(post.text.plain)"))
            }
        }
        for run in memory.runs.values.sorted(by: { ($0.startedAt, $0.key.subject) < ($1.startedAt, $1.key.subject) }) {
            switch run.state {
            case .writing: add(run, to: &plan)
            case .waiting(let until): plan.hold(run, "waits until \(until.wholeSeconds)")
            default: break
            }
        }
        for (rule, own) in memory.rules.sorted(by: { $0.key < $1.key }) {
            for (subject, episode) in own.episodes.sorted(by: { $0.key < $1.key }) {
                guard let reason = episode.holdReason else { continue }
                plan.held.append(Plan.Held(rule: rule, subject: subject, reason: reason))
            }
        }
        plan.problem = readingProblem
        return plan
    }

    /// Why something that the rules need was not read the last time, in words; nil when all of it was.
    var readingProblem: String? {
        let failed = readers.sorted { $0.key < $1.key }.first { $0.value.problem != nil }
        return failed.map { "\($0.key) was not read: \($0.value.problem ?? "")" }
    }

    private func add(_ run: Run, to plan: inout Plan) {
        guard let prepared = rules.rule(run.key.rule) else { return }
        let look = prepared.lastLook(
            at: run, subject: latest(run.key.subject, for: prepared), world: snapshot(), slot: run.key.slot)
        switch look {
        case .go(let request):
            plan.steps.append(Plan.Step(rule: run.key.rule, subject: run.key.subject, what: request.description))
        case .withdrawn(let reason), .wait(let reason), .gaveUp(let reason), .skip(let reason):
            plan.hold(run, reason)
        }
    }
}

extension Plan {
    fileprivate mutating func hold(_ run: Run, _ reason: String) {
        held.append(Held(rule: run.key.rule, subject: run.key.subject, reason: reason))
    }
}

extension Episode {
    /// Why nothing is done although the condition holds.
    fileprivate var holdReason: String? {
        switch phase {
        case .pending: "holds since \(since.wholeSeconds), 'for' is not up"
        case .keeping: "does not hold any more, 'keep' is not up"
        case .active, .baseline: hold?.explanation
        }
    }
}
