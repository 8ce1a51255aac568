package import CEL

/// What a rule says of everything that it watches: what is going on, what is close to it, and what keeps the rest away.
package struct RuleOverview: Sendable {
    /// A subject with an episode.
    package struct Row: Hashable, Sendable {
        package var subject: SubjectID
        package var title: String?
        package var phase: Episode.Phase
        package var since: Timestamp
        package var number: Int
        /// A run would start now.
        package var wouldRun: Bool
        /// Why nothing runs, or what is waited for.
        package var note: String?
    }

    /// A subject for which all clauses hold but one.
    package struct Near: Hashable, Sendable {
        package var subject: SubjectID
        package var title: String?
        package var clause: Clause
    }

    /// A subject for which the condition holds.
    package struct Match: Hashable, Sendable {
        package var subject: SubjectID
        package var title: String?
    }

    /// How many subjects a clause keeps away.
    package struct Count: Hashable, Sendable {
        package var clause: String
        package var count: Int
    }

    package var rule: String
    package var mode: Rule.Mode
    package var trigger: String
    package var at: Timestamp
    /// How many subjects were looked at.
    package var total: Int
    package var rows: [Row] = []
    /// Of a schedule: those for which a slot would run now.
    package var matching: [Match] = []
    package var near: [Near] = []
    /// The first clause that fails, by how many subjects fail there.
    package var counts: [Count] = []
    package var untold: [(subject: SubjectID, reason: String)] = []
    /// What keeps the rule as a whole from running.
    package var blocks: [Explanation.Block] = []
    package var slots: Explanation.Slots?
}

extension RuleSet {
    /// Says what a rule says of all of these subjects. The arguments are those of `explain`.
    ///
    /// - Complexity: O(subjects × clauses): every clause is evaluated, also where the first one decides.
    package func overview(
        _ prepared: PreparedRule, _ subjects: [Subject], world: World, before: Memory, after: Memory
    ) -> RuleOverview {
        let whole = explain(prepared, nil, world: world, before: before, after: after)
        var overview = RuleOverview(
            rule: prepared.name, mode: prepared.rule.mode, trigger: prepared.rule.triggerText, at: world.now,
            total: subjects.count)
        overview.blocks = whole.blocks
        overview.slots = whole.slots
        let slot = prepared.rule.schedule == nil ? nil : Slot(time: world.localNow, missed: false)
        var evaluator = Evaluator(prepared, world: world, slot: slot)
        var counts: [String: Int] = [:]
        let own = after.rules[prepared.name]
        for subject in subjects {
            evaluator.bind(subject)
            let outcome = evaluator.outcome()
            if case .cannotTell(let reason) = outcome { overview.untold.append((subject.id, reason.onOneLine)) }
            if own?.episodes[subject.id] != nil {
                let one = explain(prepared, subject, world: world, before: before, after: after)
                if let row = RuleOverview.Row(one) { overview.rows.append(row) }
            }
            if case .yes = outcome, slot != nil {
                overview.matching.append(.init(subject: subject.id, title: subject.title))
            }
            guard outcome == .no else { continue }
            counts[evaluator.keptAwayBy, default: 0] += 1
            if let clause = evaluator.onlyFailure() {
                overview.near.append(.init(subject: subject.id, title: subject.title, clause: clause))
            }
        }
        overview.rows.sort { ($0.since, $0.subject) < ($1.since, $1.subject) }
        overview.counts = counts.map { .init(clause: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.clause) < ($0.count, $1.clause) }
        return overview
    }
}

extension Evaluator {
    /// The one clause that does not hold, where all others do; nil where more or none fail.
    package func onlyFailure() -> Clause? {
        let clauses = clausesAlone()
        let failing = clauses.filter { $0.outcome != .holds }
        return failing.count == 1 && clauses.count > 1 ? failing[0] : nil
    }
}

extension Evaluator {
    /// The text of what keeps the subject away: the first clause that fails, `key` where all hold.
    fileprivate var keptAwayBy: String {
        guard let clause = clause(), clause.outcome != .holds else { return "key" }
        return (clause.decisive ?? clause).text
    }
}

extension RuleOverview.Row {
    fileprivate init?(_ one: Explanation) {
        guard let subject = one.subject, let episode = one.episode else { return nil }
        self.init(
            subject: subject, title: one.title, phase: episode.phase, since: episode.since, number: episode.number,
            wouldRun: one.wouldRun, note: one.wouldRun ? nil : one.blocks.first { $0.kind != .mode }?.text)
    }
}
