import CEL

/// A rule as far as it can be compared with others.
struct RuleFacts {
    let rule: Rule
    let terms: Terms
    /// In which its condition holds; none where it never does, or where that is too much to list.
    let situations: [Situation]
    /// Why it never holds, where that is known.
    let conflict: Situation.Conflict?

    init(_ rule: Rule) {
        self.rule = rule
        terms = Terms(rule)
        var cases = Cases(terms)
        do throws(Cases.TooMany) {
            let condition = Expression.condition(of: rule)
            situations = if let condition { try cases.situations(in: condition) } else { [] }
            conflict = condition == nil || !situations.isEmpty ? nil : cases.conflicts.first
        } catch {
            situations = []
            conflict = nil
        }
    }

    /// What it watches, where that is a session that it may write to.
    var session: String? {
        guard case .watch(let watchable) = rule.trigger, watchable.name == "session" else { return nil }
        return watchable.name
    }
}
