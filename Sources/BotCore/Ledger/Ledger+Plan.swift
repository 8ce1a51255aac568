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
            for run in decision.runs where run.state == .writing {
                add(run, to: &plan)
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
            plan.held.append(Plan.Held(rule: run.key.rule, subject: run.key.subject, reason: reason))
        }
    }
}

extension Episode {
    /// Why nothing is done although the condition holds.
    fileprivate var holdReason: String? {
        if phase == .pending { return "holds since \(since.wholeSeconds), 'for' is not up" }
        return hold?.explanation
    }
}
