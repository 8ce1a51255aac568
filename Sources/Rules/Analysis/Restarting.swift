import CEL

/// A rule whose own write makes its condition begin to hold again, so that it runs for as long as nobody acts.
struct Restarting {
    let facts: RuleFacts
    private let reason: String

    /// Nil where that is not certain.
    init?(_ facts: RuleFacts) {
        guard facts.acts, facts.repeats, let session = facts.session, let effects = facts.effects,
            !effects.writes.isEmpty,
            // Who sets how often it may be expects it to be often.
            facts.rule.limit.perSubjectPerDay >= Rule.Limit().perSubjectPerDay
        else { return nil }
        self.facts = facts
        let finders = [Self.promptedAgain, Self.movedKey, Self.movedTime]
        let reason = finders.lazy.compactMap { $0(facts, effects, session) }.first
        guard let reason else { return nil }
        self.reason = reason
    }

    var warning: RuleAnalysis.Warning {
        RuleAnalysis.Warning(rule: facts.rule, message: "'\(facts.rule.name)' makes itself run again: \(reason)")
    }

    // MARK: - Follow-ups

    /// What a prompt does not change of a session.
    private static let lasting: Set<String> = [
        "id", "slug", "agent_runtime", "agent_root", "model", "genesis", "scheduling_class", "priority_class",
        "precedence", "git_root", "repo", "is_autonomous", "favorited", "visibility", "effective_visibility",
        "touched_at",
        "created_at", "idle", "age",
    ]

    /// The session runs, and rests again: nothing else is asked of it.
    private static func promptedAgain(_ facts: RuleFacts, _ effects: Effects, _ session: String) -> String? {
        guard effects.prompts, !effects.writes.contains("archive") else { return nil }
        let status = "\(session).status"
        let resting = Constant.text(Array("needs_input".utf8))
        let running = Constant.text(Array("running".utf8))
        let isEndless = facts.situations.contains { situation in
            guard let domain = situation[status], domain.contains(resting), !domain.contains(running) else {
                return false
            }
            return situation.domains.allSatisfy { term, domain in
                term == status || facts.stays(term, domain, lasting, effects)
            }
        }
        guard isEndless else { return nil }
        return "after each prompt the session comes to rest again, which is all that its condition asks for; leave out "
            + "'once', or ask for something that the prompt changes"
    }

    // MARK: - Values that a write moves

    /// Its write moves its `key`: another episode begins.
    private static func movedKey(_ facts: RuleFacts, _ effects: Effects, _ session: String) -> String? {
        guard !effects.isOpen, let key = facts.rule.key else { return nil }
        let moved = key.references.map(\.text).first { effects.moves($0, session) }
        guard let moved, facts.situations.contains(where: { $0.isMet(by: effects, facts.terms) }) else { return nil }
        return
            "'\(effects.writes.last ?? "")' moves \(moved), which its 'key' reads, and each value of the key is another "
            + "episode"
    }

    /// Its condition waits until `updated_at` is long ago, and its write makes that now.
    private static func movedTime(_ facts: RuleFacts, _ effects: Effects, _ session: String) -> String? {
        guard !effects.isOpen else { return nil }
        let term = "now - \(session).updated_at"
        for situation in facts.situations {
            guard let domain = situation[term], case .duration(let length) = domain.lower?.value, length > .zero,
                domain.isOpenAbove
            else { continue }
            let others = situation.domains.filter { $0.key != term && $0.key != "\(session).updated_at" }
            guard others.allSatisfy({ facts.holdsAfterwards($0.key, $0.value, effects) }) else { continue }
            return "'\(effects.writes.last ?? "")' moves \(session).updated_at, and its condition holds again "
                + "\(length.humanized) later; \(session).idle counts from when a person acted"
        }
        return nil
    }
}

extension Effects {
    /// Each time to another value.
    fileprivate func moves(_ path: String, _ session: String) -> Bool {
        path == "\(session).updated_at"
            || (path == "\(session).session_notes" && writes.contains("note") && changed.contains(path))
    }
}

extension RuleFacts {
    /// A term that a prompt leaves as it is, or that only gets older.
    fileprivate func stays(_ term: String, _ domain: Domain, _ lasting: Set<String>, _ effects: Effects) -> Bool {
        guard let facts = terms.facts(term), let session else { return false }
        if facts.readsClock {
            let times = lasting.union(["updated_at", "status_since"])
            return facts.isElapsed && domain.isOpenAbove && facts.references.areFields(of: session, among: times)
        }
        if case .becomes(let outcome) = effects.outcome(of: term, terms) { return outcome.isSubset(of: domain) }
        return facts.references.areFields(of: session, among: lasting)
    }

    /// A term that holds after the write, and later.
    fileprivate func holdsAfterwards(_ term: String, _ domain: Domain, _ effects: Effects) -> Bool {
        guard let facts = terms.facts(term), !facts.readsClock || (facts.isElapsed && domain.isOpenAbove) else {
            return false
        }
        switch effects.outcome(of: term, terms) {
        case .untouched: return true
        case .becomes(let outcome): return outcome.isSubset(of: domain)
        case .unknown: return false
        }
    }
}

extension Terms.Facts {
    fileprivate var isElapsed: Bool { type.withoutNull == .duration }
}

extension Set<Reference> {
    fileprivate func areFields(of session: String, among names: Set<String>) -> Bool {
        allSatisfy { reference in
            reference.variable == "now" || reference.variable == "vars"
                || (reference.variable == session && reference.path.first.map(names.contains) == true)
        }
    }
}
