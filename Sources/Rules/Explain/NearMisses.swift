package import CEL

/// The subjects that a rule missed by one clause, by the same one whenever it looked.
package struct NearMisses: Sendable {
    package var rule: String
    /// When it looked first.
    package var since: Timestamp
    /// In the order of the last reading, each with the clause as it was then.
    package var near: [RuleOverview.Near]
}

/// Finds near misses: takes readings in their order, and remembers which subjects may still be some.
///
/// A near miss is there in every whole reading, from the rule's first to its last. Whenever it can be told, all clauses
/// that `&&` joins at the top hold but one, and that is always the same one. At the last reading it can be told.
package struct NearMissSearch: Sendable {
    private var rules: [RuleSearch]

    /// Of rules without a watch, and of conditions of one clause, there are no near misses.
    package init(_ rules: RuleSet) {
        self.rules = rules.rules.compactMap(RuleSearch.init)
    }

    /// Takes what there is news of in this world.
    ///
    /// - Complexity: O(changed subjects × rules), and only those count that may still be near misses. For rules that read
    ///   the clock or another variable that changed, all of these.
    package mutating func look(at world: World) {
        for index in rules.indices { rules[index].look(at: world) }
    }

    /// Readings are numbered anew from here on.
    package mutating func restart() {
        for index in rules.indices { rules[index].restart() }
    }

    /// The near misses so far, of every rule that has looked.
    package func nearMisses() -> [NearMisses] {
        rules.compactMap { $0.nearMisses() }
    }
}

/// The search for one rule.
private struct RuleSearch: Sendable {
    private let prepared: PreparedRule
    private let condition: TracedCondition
    /// What was evaluated already, as a decision remembers it.
    private var own: RuleMemory
    /// By subject, the clause that failed at every look; nil where it could not be told yet. Nobody joins later.
    private var candidates: [SubjectID: Int?] = [:]
    /// Candidates for which the clock may change anything at any time. Sampled: all of them at every look would take as
    /// long as a week of deciding does.
    private var restless: Set<SubjectID> = []
    private var sampledAt: Timestamp?
    private var since: Timestamp?
    private var last: (subjects: Subjects, world: World)?

    private static let sampling: Duration = .seconds(300)

    init?(_ prepared: PreparedRule) {
        guard case .watch = prepared.rule.trigger, prepared.rule.mode != .off,
            let condition = prepared.tracedCondition, condition.hasParts
        else { return nil }
        self.prepared = prepared
        self.condition = condition
        own = RuleMemory(prepared.rule)
    }

    mutating func restart() {
        own.forgetSeen()
    }

    mutating func look(at world: World) {
        guard let name = prepared.watchable?.name, let watched = world.watched[name] else { return }
        guard case .whole(let subjects) = world.reading(watched, for: prepared) else { return own.forgetSeen() }
        if since == nil {
            since = world.now
            candidates = Dictionary(subjects.all.map { ($0.id, nil) }) { first, _ in first }
        }
        if !candidates.isEmpty { sift(subjects, world) }
        last = (subjects, world)
    }

    /// Drops whoever is gone, or is not one clause away any more.
    private mutating func sift(_ subjects: Subjects, _ world: World) {
        var due = own.toEvaluate(subjects, prepared, world)
        if isSample(at: world.now) {
            sampledAt = world.now
            due = due.map { $0 + restless.compactMap(subjects.position) }
        }
        if due == nil, prepared.readsClock { own.seen.flips.begin(at: world.now) }
        // One that nothing changed in has the same subjects as long as it has as many.
        if due != [] || subjects.all.count != last?.subjects.all.count {
            for id in candidates.keys where subjects.position(of: id) == nil { candidates[id] = nil }
        }
        if due != [] { evaluate(due ?? Array(subjects.all.indices), of: subjects, world) }
        own.see(subjects.revision, prepared, world)
        if prepared.readsPrevious { own.see(moved: subjects) }
    }

    /// A clock that went back is no reason to wait.
    private func isSample(at now: Timestamp) -> Bool {
        guard !restless.isEmpty, let sampledAt, now >= sampledAt else { return true }
        return now - sampledAt >= Self.sampling
    }

    private mutating func evaluate(_ indices: [Int], of subjects: Subjects, _ world: World) {
        var evaluator = Evaluator(prepared, world: world)
        for index in indices {
            let subject = subjects.all[index]
            guard let clause = candidates[subject.id] else { continue }
            evaluator.bind(subject)
            var (distance, horizon) = condition.distance(evaluator.activation)
            switch distance {
            case .one(let other) where clause == nil || clause == other: candidates[subject.id] = .some(other)
            case .cannotTell: break
            default: candidates[subject.id] = nil
            }
            horizon.lower(to: evaluator.horizon)
            if prepared.readsClock { note(horizon, of: subject.id, now: world.now) }
        }
    }

    private mutating func note(_ horizon: Horizon, of subject: SubjectID, now: Timestamp) {
        let isCandidate = candidates[subject] != nil
        if isCandidate, let end = horizon.end, end <= now {
            restless.insert(subject)
        } else {
            restless.remove(subject)
            own.seen.flips.note(isCandidate ? horizon : Horizon(), of: subject)
        }
    }

    func nearMisses() -> NearMisses? {
        guard let since, let (subjects, world) = last else { return nil }
        var evaluator = Evaluator(prepared, world: world)
        let near = subjects.all.compactMap { subject -> RuleOverview.Near? in
            guard let clause = candidates[subject.id] ?? nil else { return nil }
            evaluator.bind(subject)
            guard condition.distance(evaluator.activation).distance == .one(clause) else { return nil }
            return .init(subject: subject.id, title: subject.title, clause: evaluator.clausesAlone()[clause])
        }
        return NearMisses(rule: prepared.name, since: since, near: near)
    }
}
