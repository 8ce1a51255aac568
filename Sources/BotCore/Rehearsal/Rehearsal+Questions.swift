import CEL
import Rules

/// Steps with `confirm`, for which a person is asked first. The bot asks nobody yet, so only a rehearsal has such runs.
extension Rehearsal {
    struct Question: Sendable {
        /// That of the step which waits.
        var step: Int
        var until: Timestamp
        var answer: Bool?
    }

    /// Asks where the step at which a run stands wants that.
    ///
    /// - Returns: whether it may go on.
    mutating func hasConsent(_ run: Run, _ prepared: PreparedRule, at now: Timestamp) -> Bool {
        let steps = prepared.steps(of: run.key.part)
        guard run.step < steps.count, let confirmation = steps[run.step].confirmation else { return true }
        guard let question = questions[run.key], question.step == run.step else {
            let until = now + confirmation.within
            questions[run.key] = Question(step: run.step, until: until)
            let reason = "waits for confirmation in \(confirmation.channel) until \(until.wholeSeconds)"
            note(run, .held("confirm", reason: reason), at: now)
            return false
        }
        switch question.answer {
        case true?: return true
        case false?: withdraw(run, "a person said no", at: now)
        case nil where question.until <= now:
            withdraw(run, "nobody confirmed it within \(confirmation.within.humanized)", at: now)
        case nil: break
        }
        return false
    }

    private mutating func withdraw(_ run: Run, _ reason: String, at now: Timestamp) {
        change(at: now) { $0.withhold(run, as: .withdrawn(reason)) }
    }

    /// Takes a person's answer.
    ///
    /// - Returns: whether anything was asked there.
    mutating func answer(_ rule: String, _ subject: SubjectID?, isYes: Bool) -> Bool {
        let asked = questions.filter { key, question in
            key.rule == rule && (subject == nil || subject == key.subject) && question.answer == nil
        }
        for key in asked.keys { questions[key]?.answer = isYes }
        return !asked.isEmpty
    }

    /// Goes on with a post that was confirmed: there is no last look, as it changes nothing.
    mutating func post(_ run: Run, _ prepared: PreparedRule, _ subject: Subject?, _ world: World) {
        change(at: world.now) { $0.goOnAsConfirmed(run, of: prepared, subject: subject, in: world) }
    }
}
