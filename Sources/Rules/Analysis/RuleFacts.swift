import CEL

/// A rule as far as it can be compared with others.
struct RuleFacts {
    let rule: Rule
    let terms: Terms
    /// In which its condition holds; none where it never does, or where that is too much to list.
    let situations: [Situation]
    /// Why it never holds, where that is known.
    let conflict: Situation.Conflict?
    /// What it watches, where that is a session.
    let session: String?
    /// What it makes of that session.
    let effects: Effects?

    init(_ rule: Rule) {
        self.rule = rule
        let watched: String? = if case .watch(let watchable) = rule.trigger { watchable.name } else { nil }
        session = watched == "session" ? watched : nil
        effects = session.map { Effects(of: rule, session: $0) }
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

    /// Does something by itself, and again when its condition holds once more.
    var acts: Bool { rule.mode == .live && rule.keep == .zero }
}
