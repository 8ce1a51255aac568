package import CEL
package import Rules

/// What people ask of the bot.
extension Rehearsal {
    private static let person = "a person"

    /// Does what is asked, and decides.
    package mutating func take(_ wishes: [ScenarioFile.Wish], at now: Timestamp) {
        guard !wishes.isEmpty else { return }
        pass(to: now)
        for wish in wishes { take(wish, at: now) }
        decide(at: now)
    }

    private mutating func take(_ wish: ScenarioFile.Wish, at now: Timestamp) {
        switch wish {
        case .release(let rule): grant(.release, on: rule, at: now)
        case .pause(let rule, let length): grant(.pause(for: length), on: rule, at: now)
        case .resume(let rule): grant(.resume, on: rule, at: now)
        case .run(let rule): grant(.run, on: rule, at: now)
        case .acknowledge(let rule, let subject): acknowledge(rule, subject, at: now)
        case .mute(let length): mute(for: length, at: now)
        case .answer(let rule, let subject, let isYes):
            if !answer(rule, subject, isYes: isYes) {
                decline("nothing waits for an answer there", rule, subject, at: now)
            }
        }
    }

    private mutating func grant(_ wish: RuleWish, on rule: String, at now: Timestamp) {
        do throws(RuleWish.Declined) {
            let granted = try wish.grant(on: rule, rules, memory, now: now, localNow: now)
            memory.rules[rule] = granted.memory
            note(Happening(at: now, rule: rule, what: .wish(granted.kind, granted.text)))
        } catch {
            decline(error.text, rule, nil, at: now)
        }
    }

    private mutating func acknowledge(_ rule: String?, _ subject: SubjectID?, at now: Timestamp) {
        var found: [RuleSubject] = []
        change(at: now) { found = $0.acknowledge(rule: rule, subject: subject, by: Self.person) }
        if found.isEmpty { decline(RuleWish.Declined.nothingActive.text, rule, subject, at: now) }
        for identity in found {
            note(Happening(at: now, rule: identity.rule, subject: identity.subject, what: .wish("acked", "")))
        }
    }

    private mutating func mute(for length: Duration, at now: Timestamp) {
        let until = now + length
        let text = length > .zero ? "until \(until.wholeSeconds)" : "not any more"
        note(Happening(at: now, what: .wish("muted", text)))
        for message in messages.mute(until: until, delivery, now: now) { note(message, at: now) }
    }

    private mutating func decline(_ text: String, _ rule: String?, _ subject: SubjectID?, at now: Timestamp) {
        note(Happening(at: now, rule: rule, subject: subject, what: .told(.declined, text)))
    }
}
