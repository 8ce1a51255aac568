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
        let id = DeliveryID(request.argument)
        try database.transaction {
            var answer = InboxStore.Answer(text: "no message \(id.text.printableLine) was given up", isDone: false)
            if let channel = try OutboxStore(database).revive(id, now: clock.now()) {
                answer = InboxStore.Answer(text: "it goes to \(channel) again", isDone: true)
                try AuditStore(database).append(at: instant(), kind: "released", rule: nil, detail: "\(channel) \(id)")
            }
            try InboxStore(database).answer(request, answer, now: instant())
        }
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
