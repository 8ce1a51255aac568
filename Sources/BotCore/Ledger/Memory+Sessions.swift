import Rules

extension Memory {
    /// Sessions with an episode or an unfinished run that are not there: what became of them has to be read one by one.
    func sessions(missingFrom isPresent: (Int64) -> Bool) -> [Int64] {
        var missing: Set<Int64> = []
        func look(for subject: SubjectID) {
            guard subject.type == "session", let id = Int64(subject.id), !isPresent(id) else { return }
            missing.insert(id)
        }
        for rule in rules.values { rule.episodes.keys.forEach(look) }
        for run in runs.keys { look(for: run.subject) }
        return missing.sorted()
    }
}
