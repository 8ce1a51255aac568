import AdapterKit
import CEL
import Rules

extension Ledger {
    /// Does what commands have asked for since the last call; true when there was anything.
    func takeInbox() throws -> Bool {
        let store = InboxStore(database)
        let requests = try store.waiting()
        for request in requests {
            let answer = try answer(request)
            try store.answer(request, answer, now: instant())
        }
        return !requests.isEmpty
    }

    /// A wish is answered after it was done: one that is asked for twice because the bot was killed between does no harm.
    private func answer(_ request: InboxStore.Request) throws -> InboxStore.Answer {
        let words = request.argument.split(separator: " ").map(String.init)
        let person = request.person.printableLine
        switch (request.command, words.first) {
        case ("release", let id?) where id.hasPrefix("dlv_"):
            return try database.transaction { try sendAgain(DeliveryID(id)) }
        case ("release", let rule?): return try grant(.release, on: rule, by: person)
        case ("pause", let rule?):
            let length = words.count > 1 ? Duration(ruleText: words[1]) : nil
            if words.count > 1, length == nil { return Answer(text: "'\(words[1])' is no duration", isDone: false) }
            return try grant(.pause(for: length), on: rule, by: person)
        case ("resume", let rule?): return try grant(.resume, on: rule, by: person)
        case ("run-rule", let rule?): return try grant(.run, on: rule, by: person)
        case ("mute", let text?):
            guard let length = Duration(ruleText: text) else { break }
            return try mute(for: length, by: person)
        case ("ack", let rule?):
            let subject = words.dropFirst().first.flatMap(SubjectID.init(spelled:))
            if words.count > 1, subject == nil { break }
            return try acknowledge(rule, subject, by: person)
        case ("ack", nil): return try acknowledge(nil, nil, by: person)
        default: break
        }
        return Answer(text: "this version does not understand '\(request.command) \(request.argument)'", isDone: false)
    }

    private func sendAgain(_ id: DeliveryID) throws -> InboxStore.Answer {
        let store = OutboxStore(database)
        guard let channel = try store.channel(ofDead: id) else {
            return InboxStore.Answer(text: "no message \(id.text.printableLine) was given up", isDone: false)
        }
        guard delivery.channels[channel] != nil else {
            return InboxStore.Answer(text: "there is no channel '\(channel)' any more", isDone: false)
        }
        try store.revive(id, now: clock.now())
        try AuditStore(database).append(at: instant(), kind: "released", rule: nil, detail: "\(channel) \(id)")
        return InboxStore.Answer(text: "it goes to \(channel) again", isDone: true)
    }
}
