import AdapterKit
import CEL
import Rules

// What people ask of the rules: each wish is one transaction with a line in the trail that says who.
extension Ledger {
    typealias Answer = InboxStore.Answer

    /// Does what is asked of one rule.
    func grant(_ wish: RuleWish, on rule: String, by person: String) throws -> Answer {
        let now = instant()
        let granted: RuleWish.Granted
        do throws(RuleWish.Declined) {
            granted = try wish.grant(on: rule, rules, memory, now: now, localNow: clock.now())
        } catch {
            return Answer(error)
        }
        try transaction { recording in
            if !granted.memory.isDryRun { try MemoryStore(database).save(granted.memory, named: rule, now: now) }
            try AuditStore(database).append(
                at: now, kind: granted.kind, rule: rule, detail: "\(granted.text), by \(person)")
            try recording?.record(
                .steered(rule: rule, RecordedAct.Steering(granted.memory)), at: now, in: database)
        }
        memory.rules[rule] = granted.memory
        if wish == .run { decideSoon() }
        return Answer(text: granted.text, isDone: true)
    }

    /// Says that a person has it in hand: nothing is waited for or repeated any more while these episodes last.
    ///
    /// - Parameters:
    ///   - rule: nil for all rules.
    ///   - subject: nil for all subjects.
    func acknowledge(_ rule: String?, _ subject: SubjectID?, by person: String) throws -> Answer {
        if let rule, rules.rule(rule) == nil { return Answer(.unknown(rule, rules)) }
        let now = instant()
        var draft = Draft(memory, at: now)
        let found = draft.acknowledge(rule: rule, subject: subject, by: person)
        guard !found.isEmpty else { return Answer(acknowledged(rule, subject) ?? .nothingActive) }
        try transaction { recording in
            let store = MemoryStore(database)
            for identity in found {
                try store.save(draft.memory.rules[identity.rule]?.episodes[identity.subject], of: identity)
                try AuditStore(database).append(
                    at: now, kind: "acked", rule: identity.rule, subject: identity.subject, detail: "by \(person)")
            }
            for run in draft.decision.runs { try store.save(run) }
            try commit(draft.decision, now: now)
            try recording?.record(.acknowledged(rule: rule, subject, by: person), at: now, in: database)
        }
        memory = draft.memory
        let shown = found.prefix(3).map { "\($0.rule) for \($0.subject)" }.joined(separator: ", ")
        let more = found.count > 3 ? " and \(found.count - 3) more" : ""
        return Answer(text: "acknowledged: \(shown)\(more)", isDone: true)
    }

    /// Who has it in hand already; nil where nothing is active.
    private func acknowledged(_ rule: String?, _ subject: SubjectID?) -> RuleWish.Declined? {
        let people = memory.rules.filter { rule == nil || $0.key == rule }.values.flatMap { own in
            own.episodes.filter { subject == nil || $0.key == subject }.compactMap(\.value.ackedBy)
        }
        guard !people.isEmpty else { return nil }
        return RuleWish.Declined(text: "acknowledged already, by \(Set(people).sorted().joined(separator: ", "))")
    }

    /// Lets no message go for a while that is not urgent; for no time: ends that.
    func mute(for length: Duration, by person: String) throws -> Answer {
        let (now, until) = (instant(), clock.now() + length)
        let words = length > .zero ? "muted until \(until.wholeSeconds)" : "not muted any more"
        try database.transaction {
            try MemoryStore(database).setMeta(Self.mutedName, String(until.microseconds))
            if let mutedUntil {
                try OutboxStore(database).endMute(of: mutedUntil, now: clock.now()) { rule in
                    rules.rule(rule)?.rule.group.map { ($0.wait, $0.interval) }
                }
            }
            if length > .zero { try OutboxStore(database).hold(until: until) }
            // What waits for a later end, as that of quiet hours, waits on; unless that was the end of a longer mute.
            if until < mutedUntil ?? until || length <= .zero {
                try OutboxStore(database).lookAgain(now: clock.now(), mutedUntil: until)
            }
            try AuditStore(database).append(at: now, kind: "muted", rule: nil, detail: "\(words), by \(person)")
        }
        mutedUntil = until
        return Answer(text: words, isDone: true)
    }

    static let mutedName = "muted_until"
}

extension InboxStore.Answer {
    fileprivate init(_ declined: RuleWish.Declined) {
        self.init(text: declined.text, isDone: false)
    }
}
