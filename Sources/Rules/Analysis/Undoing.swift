/// Two rules each of which brings about what the other one waits for, and undoes it again.
struct Undoing {
    let first: RuleFacts
    let second: RuleFacts
    /// In which both take turns, what the two do left aside.
    private let example: Situation

    /// Nil where that is not certain.
    init?(_ first: RuleFacts, _ second: RuleFacts) {
        guard first.acts, second.acts, let one = first.effects, let other = second.effects, !one.isOpen, !other.isOpen
        else { return nil }
        guard first.situations.allSatisfy({ $0.isBroken(by: one) }),
            second.situations.allSatisfy({ $0.isBroken(by: other) })
        else { return nil }
        for mine in first.situations where mine.isMet(by: one.followed(by: other), first.terms) {
            for theirs in second.situations where theirs.isMet(by: one, second.terms) {
                guard theirs.isMet(by: other.followed(by: one), second.terms) else { continue }
                let isKept = { one.assigned[$0] == nil && other.assigned[$0] == nil }
                guard let both = mine.joined(theirs, where: isKept, first.terms, second.terms) else { continue }
                var example = both
                for (term, domain) in mine.domains where !isKept(term) { _ = example.add(term, domain, from: term) }
                (self.first, self.second, self.example) = (first, second, example)
                return
            }
        }
        return nil
    }

    var warning: RuleAnalysis.Warning {
        let turns =
            first.repeats && second.repeats
            ? "in turn, without an end" : "once each, until a person acts on it"
        return RuleAnalysis.Warning(
            rule: second.rule,
            message: "'\(second.rule.name)' and '\(first.rule.name)' (\(first.rule.position)) undo each other, as for "
                + "\(Example(example, of: "session").text): \(turns)")
    }
}

extension Situation {
    /// What is done ends it.
    func isBroken(by effects: Effects) -> Bool {
        effects.assigned.contains { path, domain in self[path].map { $0.intersection(domain).isEmpty } ?? false }
    }

    /// What is done leaves nothing of it open: it holds as far as that goes.
    func isMet(by effects: Effects, _ terms: Terms) -> Bool {
        domains.allSatisfy { term, domain in
            switch effects.outcome(of: term, terms) {
            case .untouched: true
            case .becomes(let outcome): outcome.isSubset(of: domain)
            case .unknown: false
            }
        }
    }
}
