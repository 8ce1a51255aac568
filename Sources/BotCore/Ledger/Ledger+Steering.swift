import AdapterKit
import CEL
import Rules

// What people ask of the rules: each wish is one transaction with a line in the trail that says who.
extension Ledger {
    typealias Answer = InboxStore.Answer

    /// Lets a new rule write that matched much at first sight.
    func release(_ rule: String, by person: String) throws -> Answer {
        guard let prepared = rules.rule(rule) else { return unknown(rule) }
        guard memory.rules[rule]?.awaitsRelease == true else {
            return Answer(text: "rule '\(rule)' does not wait for a release", isDone: false)
        }
        return try change(
            rule, "released", by: person,
            saying: "released; writes go out at most \(prepared.rule.limit.perPoll) per poll"
        ) { $0.awaitsRelease = false }
    }

    /// Lets a rule decide nothing for a while, or until it is resumed.
    func pause(_ rule: String, for length: Duration?, by person: String) throws -> Answer {
        guard let prepared = rules.rule(rule) else { return unknown(rule) }
        guard prepared.rule.mode != .off else {
            return Answer(text: "rule '\(rule)' is off in the rules file", isDone: false)
        }
        let until = length.map { instant() + $0 } ?? Memory.forGood
        let words = length == nil ? "until it is resumed" : "until \(until.wholeSeconds)"
        return try change(rule, "paused", by: person, saying: "paused \(words)") { $0.pausedUntil = until }
    }

    func resume(_ rule: String, by person: String) throws -> Answer {
        guard rules.rule(rule) != nil else { return unknown(rule) }
        guard memory.pause(of: rule, at: instant()) != nil else {
            return Answer(text: "rule '\(rule)' is not paused", isDone: false)
        }
        return try change(rule, "resumed", by: person, saying: "goes on") { $0.pausedUntil = nil }
    }

    /// Runs a schedule now; of a rule that watches, `do` once more for what is active.
    func run(_ rule: String, by person: String) throws -> Answer {
        guard let prepared = rules.rule(rule) else { return unknown(rule) }
        guard prepared.rule.mode != .off else {
            return Answer(text: "rule '\(rule)' is off in the rules file", isDone: false)
        }
        guard memory.pause(of: rule, at: instant()) == nil else {
            return Answer(text: "rule '\(rule)' is paused: resume it first", isDone: false)
        }
        let isSchedule = prepared.rule.schedule != nil
        let active = memory.rules[rule]?.episodes.values.count(where: \.canRunAgain) ?? 0
        guard isSchedule || active > 0 else {
            return Answer(text: "rule '\(rule)' is active for nothing", isDone: false)
        }
        // Whole seconds: it is the time of a slot.
        let asked = Timestamp(seconds: clock.now().seconds)
        let words = isSchedule ? "runs now" : "runs again at the next reading, for what is active: \(active)"
        let answer = try change(rule, "asked", by: person, saying: words) { $0.askedAt = asked }
        decideSoon()
        return answer
    }

    /// Says that a person has it in hand: nothing is waited for or repeated any more while these episodes last.
    ///
    /// - Parameters:
    ///   - rule: nil for all rules.
    ///   - subject: nil for all subjects.
    func acknowledge(_ rule: String?, _ subject: SubjectID?, by person: String) throws -> Answer {
        if let rule, rules.rule(rule) == nil { return unknown(rule) }
        let now = instant()
        var draft = Draft(memory, at: now)
        let found = draft.acknowledge(rule: rule, subject: subject, by: person)
        guard !found.isEmpty else { return Answer(text: "nothing is active there", isDone: false) }
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

    /// Lets no message go for a while that is not urgent; for no time: ends that.
    func mute(for length: Duration, by person: String) throws -> Answer {
        let (now, until) = (instant(), clock.now() + length)
        let words = length > .zero ? "muted until \(until.wholeSeconds)" : "not muted any more"
        try database.transaction {
            try MemoryStore(database).setMeta(Self.mutedName, String(until.microseconds))
            if let mutedUntil { try OutboxStore(database).endMute(of: mutedUntil, now: clock.now()) }
            if length > .zero { try OutboxStore(database).hold(until: until) }
            try OutboxStore(database).lookAgain(now: clock.now(), mutedUntil: until)
            try AuditStore(database).append(at: now, kind: "muted", rule: nil, detail: "\(words), by \(person)")
        }
        mutedUntil = until
        return Answer(text: words, isDone: true)
    }

    // MARK: - Steps

    /// Changes what is remembered of one rule.
    private func change(
        _ rule: String, _ kind: String, by person: String, saying text: String, _ body: (inout RuleMemory) -> Void
    ) throws -> Answer {
        guard let prepared = rules.rule(rule) else { return unknown(rule) }
        let now = instant()
        // A rule that was not decided yet has nothing to remember but this.
        var own =
            memory.rules[rule] ?? RuleMemory(meaning: prepared.rule.meaning, isDryRun: prepared.rule.mode == .dryRun)
        body(&own)
        try transaction { recording in
            if !own.isDryRun { try MemoryStore(database).save(own, named: rule, now: now) }
            try AuditStore(database).append(at: now, kind: kind, rule: rule, detail: "\(text), by \(person)")
            try recording?.record(.steered(rule: rule, RecordedAct.Steering(own)), at: now, in: database)
        }
        memory.rules[rule] = own
        return Answer(text: text, isDone: true)
    }

    private func unknown(_ rule: String) -> Answer {
        let names = rules.rules.map(\.name)
        let hint = NearMiss.best(of: names, for: rule).map { ", did you mean '\($0)'?" } ?? ""
        return Answer(text: "there is no rule '\(rule.printableLine)'\(hint)", isDone: false)
    }

    static let mutedName = "muted_until"
}
