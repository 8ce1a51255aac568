import CEL

extension Situation {
    /// Both at once, as far as that is certain: nil also where the two speak of things that hang together in ways that are
    /// not known here.
    func joined(
        _ other: Situation, where isKept: (String) -> Bool, _ terms: Terms, _ otherTerms: Terms
    ) -> Situation? {
        var both = Situation()
        guard both.add(kept(where: isKept)) == nil, both.add(other.kept(where: isKept)) == nil else { return nil }
        guard let topics = topics(of: { isKept($0) && other[$0] == nil }, terms),
            let otherTopics = other.topics(of: { isKept($0) && self[$0] == nil }, otherTerms)
        else { return nil }
        return topics.contains { topic in otherTopics.contains { topic.hangsTogether(with: $0) } } ? nil : both
    }

    /// What some of the terms read; nil where that is not known. Of times that only have to be long enough ago nothing is, as
    /// they can all be.
    private func topics(of isAsked: (String) -> Bool, _ terms: Terms) -> Set<String>? {
        var topics: Set<String> = []
        for (term, domain) in domains where isAsked(term) && !isOnTheWay(term) {
            guard let facts = terms.facts(term) else { return nil }
            if facts.readsClock, facts.type.withoutNull == .duration, domain.isOpenAbove { continue }
            topics.formUnion(facts.references.map(\.topic))
        }
        return topics
    }

    /// It only has to be there, for something in it to be read.
    private func isOnTheWay(_ term: String) -> Bool {
        domains[term] == .present && domains.keys.contains { $0.hasPrefix(term + ".") }
    }

    private func kept(where isKept: (String) -> Bool) -> Situation {
        var kept = Situation()
        for (term, domain) in domains where isKept(term) { _ = kept.add(term, domain, from: term) }
        return kept
    }
}

extension Reference {
    /// Fields that hang together, under one name.
    private static let related = [
        "prs": "pr", "waiting_reason": "status", "failure_reason": "status", "status_since": "status",
        "blocked_on_elicitation": "status", "archived_at": "status", "trash_after": "status",
        "visibility": "shown", "effective_visibility": "shown", "snoozed_until": "shown",
        "touched_at": "time", "idle": "time", "created_at": "time", "age": "time", "updated_at": "time",
        "title": "words", "slug": "words", "goal": "words", "prompt": "words", "url": "id",
        "git_root": "repo", "scheduling_class": "class", "priority_class": "class", "precedence": "class",
    ]

    private static let relatedOfPullRequest = [
        "authorized": "state", "authorized_at": "state", "authorization": "state", "ci_since": "ci",
    ]

    fileprivate var topic: String {
        if variable == "now" { return "time" }
        guard let field = path.first else { return variable }
        guard field == "pr", path.count > 1 else { return "\(variable).\(Self.related[field] ?? field)" }
        return "\(variable).pr.\(Self.relatedOfPullRequest[path[1]] ?? path[1])"
    }
}

extension String {
    /// The same topic, or a part of it.
    fileprivate func hangsTogether(with other: String) -> Bool {
        self == other || hasPrefix(other + ".") || other.hasPrefix(self + ".")
    }
}
