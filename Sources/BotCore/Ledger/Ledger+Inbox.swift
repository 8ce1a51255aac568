import AdapterKit
import CEL
import Rules

extension Ledger {
    /// Does what commands have asked for since the last call; true when there was anything.
    func takeInbox() throws -> Bool {
        let store = InboxStore(database)
        let requests = try store.waiting()
        for request in requests {
            switch request.command {
            case "release" where request.argument.hasPrefix("dlv_"): try sendAgain(request)
            case "release": try release(request)
            default:
                try database.transaction {
                    let answer = InboxStore.Answer(text: "this version knows no '\(request.command)'", isDone: false)
                    try store.answer(request, answer, now: instant())
                }
            }
        }
        return !requests.isEmpty
    }

    /// Puts a message that was given up into the outbox again, under its own id.
    private func sendAgain(_ request: InboxStore.Request) throws {
        try database.transaction {
            let answer = try sendAgain(DeliveryID(request.argument))
            try InboxStore(database).answer(request, answer, now: instant())
        }
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

    /// Lets a new rule write that matched much at first sight.
    private func release(_ request: InboxStore.Request) throws {
        let now = instant()
        let answer: String
        var next = memory
        let isWaiting = next.rules[request.argument]?.awaitsRelease == true
        if isWaiting {
            next.rules[request.argument]?.awaitsRelease = false
            answer = "released; writes go out at most \(rules.rule(request.argument)?.rule.limit.perPoll ?? 0) per poll"
        } else if rules.rule(request.argument) == nil {
            answer = "there is no rule '\(request.argument)'"
        } else {
            answer = "rule '\(request.argument)' does not wait for a release"
        }
        try database.transaction {
            if let rule = next.rules[request.argument], isWaiting {
                try MemoryStore(database).save(rule, named: request.argument, now: now)
                try AuditStore(database).append(at: now, kind: "released", rule: request.argument, detail: answer)
            }
            try InboxStore(database).answer(
                request, InboxStore.Answer(text: answer, isDone: isWaiting), now: now)
        }
        memory = next
    }
}
