import CEL

extension Draft {
    /// Notes who has active episodes in hand, and ends what waits in them.
    ///
    /// - Returns: the episodes, in order.
    package mutating func acknowledge(rule: String?, subject: SubjectID?, by person: String) -> [RuleSubject] {
        var found: [RuleSubject] = []
        for (name, own) in memory.rules where rule == nil || rule == name {
            for (id, episode) in own.episodes
            where episode.isActive && episode.ackedBy == nil && (subject == nil || subject == id) {
                found.append(RuleSubject(rule: name, subject: id))
            }
        }
        for identity in found { memory.rules[identity.rule]?.episodes[identity.subject]?.ackedBy = person }
        let episodes = Set(found)
        for run in memory.runs.values.filter({ !$0.key.part.isResolved && $0.key.slot == nil }) {
            guard case .waiting = run.state,
                episodes.contains(RuleSubject(rule: run.key.rule, subject: run.key.subject))
            else { continue }
            finish(run, as: .withdrawn("acknowledged by \(person)"))
        }
        return found.sorted { ($0.rule, $0.subject) < ($1.rule, $1.subject) }
    }
}
