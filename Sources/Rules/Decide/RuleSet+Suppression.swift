import CEL

extension RuleSet {
    /// Marks the posts of rules that another rule silences just now.
    package func suppress(_ draft: inout Draft) {
        for index in draft.decision.posts.indices {
            let post = draft.decision.posts[index]
            guard let own = rule(post.rule), own.rule.suppress != nil else { continue }
            draft.decision.posts[index].suppressedBy = suppressor(of: own, post.subject?.id, draft.memory)
        }
    }

    /// The rule that holds back what a rule says about a subject: the one that it names under `suppress`, while that is
    /// active. Where both watch the same kind of object, for the same object; else for any. A dry run silences nobody.
    ///
    /// - Parameter subject: nil for a message about several.
    package func suppressor(of prepared: PreparedRule, _ subject: SubjectID?, _ memory: Memory) -> String? {
        guard let name = prepared.rule.suppress, let other = rule(name), other.rule.mode == .live,
            let remembered = memory.rules[name]
        else { return nil }
        if let subject, other.watchable?.name == prepared.watchable?.name, other.watchable?.isCollection == true {
            return remembered.episodes[subject]?.isActive == true ? name : nil
        }
        return remembered.episodes.values.contains(where: \.isActive) ? name : nil
    }
}

extension Episode {
    /// As other rules see it; whether `do` could run does not matter.
    var isActive: Bool { phase == .active || phase == .keeping }
}
