/// A rule that does what another one does already, whenever that one does it.
struct Shadowing {
    let rule: RuleFacts
    let other: RuleFacts
    private let isSame: Bool

    /// Whether `rule` says nothing that `other` does not say; the two have the same signature.
    init?(_ rule: RuleFacts, by other: RuleFacts) {
        guard rule.rule.mode == .live, other.rule.mode == .live, rule.implies(other) else { return nil }
        (self.rule, self.other) = (rule, other)
        isSame = other.implies(rule)
    }

    var warning: RuleAnalysis.Warning {
        let when = isSame ? "has the same condition" : "matches whatever this rule matches"
        return RuleAnalysis.Warning(
            rule: rule.rule,
            message: "'\(rule.rule.name)' does what '\(other.rule.name)' (\(other.rule.position)) does already, which "
                + "\(when): it is all done twice")
    }
}

extension RuleFacts {
    /// Whenever its condition holds, so does that of the other.
    fileprivate func implies(_ other: RuleFacts) -> Bool {
        !situations.isEmpty
            && situations.allSatisfy { mine in
                other.situations.contains { theirs in
                    theirs.domains.allSatisfy { term, domain in mine[term]?.isSubset(of: domain) ?? false }
                }
            }
    }
}
