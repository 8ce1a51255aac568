import CEL

/// What the steps of a rule make of the session that it watches, as far as its next reading will show that.
struct Effects {
    /// What a field is afterwards, by its path.
    private(set) var assigned: [String: Domain] = [:]
    /// Fields of which only that they change is known.
    private(set) var changed: Set<String> = []
    /// The words of the steps, in order.
    private(set) var writes: [String] = []
    /// What else becomes of the session is not known: it leaves the board, or goes on by itself.
    private(set) var isOpen = false
    /// A prompt was sent: the session runs, and comes to rest again.
    private(set) var prompts = false

    /// - Parameter session: the variable that it watches.
    init(of rule: Rule, session: String) {
        for step in rule.steps {
            switch step.action {
            case .post, .reply: continue
            // What follows depends on what happens meanwhile.
            case .wait: return
            case .write(let write):
                guard write.isToSubject, write.addressee == .session else { continue }
                // It may be passed over.
                guard step.condition == nil, step.confirmation == nil else {
                    isOpen = true
                    continue
                }
                add(write, session)
            }
        }
    }

    private mutating func add(_ write: Write, _ session: String) {
        writes.append(write.name)
        changed.insert("\(session).updated_at")
        switch write.kind {
        case .hide: show("hidden", session)
        case .show: show("visible", session)
        case .snooze: show("snoozed", session)
        case .favorite(.constant(let value)): assign("\(session).favorited", Domain([.bool(value)]))
        case .favorite(.expression): change("\(session).favorited")
        case .replaceNote(let text):
            if let text = text.constant, !text.isEmpty {
                assign("\(session).session_notes", Domain([.text(Array(text.utf8))]))
            } else {
                change("\(session).session_notes")
            }
        case .appendNote: change("\(session).session_notes")
        case .set(let members): for member in members { change("\(session).\(member.name)") }
        case .heartbeat(let members): for member in members { change("\(session).heartbeat_\(member.name)") }
        case .model: change("\(session).model")
        case .log, .push: break
        case .archive, .unarchive, .restart, .pause, .sleep, .startNow, .refresh, .authorizeMerge, .retryFailed:
            isOpen = true
        case .followUp:
            isOpen = true
            prompts = true
        // Not to a session.
        case .start, .markRead, .dismiss, .markAllRead, .trigger, .invoke, .answer, .cleanUpProcesses,
            .enterRecovery, .exitRecovery, .backfillCosts:
            break
        }
    }

    private mutating func show(_ visibility: String, _ session: String) {
        assign("\(session).visibility", Domain([.text(Array(visibility.utf8))]))
        assign("\(session).effective_visibility", Domain([.text(Array(visibility.utf8))]))
        change("\(session).snoozed_until")
    }

    private mutating func assign(_ path: String, _ domain: Domain) {
        assigned[path] = domain
        changed.remove(path)
    }

    private mutating func change(_ path: String) {
        assigned[path] = nil
        changed.insert(path)
    }

    func followed(by other: Effects) -> Effects {
        var both = self
        for (path, domain) in other.assigned { both.assign(path, domain) }
        for path in other.changed { both.change(path) }
        return both
    }

    /// What becomes of a term: of one that is not touched, nothing.
    enum Outcome {
        case untouched
        case becomes(Domain)
        case unknown
    }

    func outcome(of term: String, _ terms: Terms) -> Outcome {
        if let domain = assigned[term] { return .becomes(domain) }
        guard let facts = terms.facts(term) else { return .unknown }
        let touched = Set(assigned.keys).union(changed)
        return facts.references.contains { $0.touches(touched) } ? .unknown : .untouched
    }
}

extension Template {
    /// The text, if it is the same at every run.
    fileprivate var constant: String? {
        var text = ""
        for part in parts {
            guard case .markup(let markup) = part else { return nil }
            text += markup
        }
        return text.trimmed
    }
}

extension Reference {
    /// `session.pr.ci`
    var text: String { ([variable] + path).joined(separator: ".") }

    /// It reads one of these fields of the session, or something that they are a part of.
    fileprivate func touches(_ paths: Set<String>) -> Bool {
        // All sessions, this one among them; and this one as it was.
        if variable == "board" || variable == "previous" { return !paths.isEmpty }
        return paths.contains { $0 == text || $0.hasPrefix(text + ".") || text.hasPrefix($0 + ".") }
    }
}
