import AdapterKit
import CEL
import Rules

extension Ledger {
    /// Writes posts and audit lines; inside a transaction. Messages are dated by this machine's clock, by which channels go.
    ///
    /// - Parameter evidence: what the ends of runs rested on, beside what the decision's own events say.
    func commit(_ decision: Decision, evidence: Evidence = Evidence(), now: Timestamp) throws {
        let audit = AuditStore(database)
        let untold = try dropSuppressed(decision)
        for post in decision.posts where !post.isUntold(in: untold) {
            let isKnown = delivery.channels[post.channel] != nil
            try OutboxStore(database).append(
                try entry(post), store: storeName, now: clock.now(),
                deadBecause: isKnown ? nil : "there is no such channel")
            var problems = post.text.errors + (post.title?.errors ?? [])
            if !isKnown { problems.append("there is no channel '\(post.channel)', so this message goes nowhere") }
            if let rule = post.suppressedBy {
                try audit.append(
                    at: now, kind: "held", rule: post.rule, subject: post.run?.subject, episode: post.run?.episode,
                    detail: "message to \(post.channel): \(rule) is active")
            }
            for problem in problems {
                try audit.append(
                    at: now, kind: "message_problem", rule: post.rule, subject: post.run?.subject,
                    episode: post.run?.episode, detail: problem)
            }
        }
        for event in decision.events { try audit.append(event) }
        for run in decision.runs where run.state.isFinished {
            if let id = try MemoryStore(database).id(of: run.key) {
                try ActionStore(database).withdraw(run: id, now: now)
            }
            guard let line = run.auditLine else { continue }
            try audit.append(
                at: now, kind: line.kind, rule: run.key.rule, subject: run.key.subject, episode: run.key.episode,
                detail: line.detail, evidence: evidence)
        }
    }

    /// A rule's post with where it belongs and what it waits for. Its group comes first: what becomes of that waits for the
    /// end of the quiet by itself.
    private func entry(_ post: PostDraft) throws -> OutboxStore.Entry {
        let message = Message(post)
        var hold = quiet(message)
        if post.suppressedBy != nil {
            hold = (.suppressed, OutboxStore.never)
        } else if let group = post.group {
            let reason = OutboxEntry.Hold.group(rule: post.rule, value: group.value)
            let release = try OutboxStore(database).release(
                of: reason, in: post.channel, wait: group.wait, interval: group.interval, now: clock.now())
            hold = (reason, max(release, muted(message) ?? release))
        }
        return OutboxStore.Entry(
            run: try post.run.flatMap { try MemoryStore(database).id(of: $0) },
            step: post.run == nil ? nil : post.step, message: message, thread: post.thread, isUpdate: post.updates,
            callsPeople: post.mentions, hold: hold, suppressedBy: post.suppressedBy)
    }

    /// The end of quiet hours and of a mute, also where one begins before the other ends.
    private func quiet(_ message: Message) -> (OutboxEntry.Hold, Timestamp)? {
        let ends = [delivery.quietEnd(of: message, at: clock.now()), muted(message)]
        return ends.compactMap { $0 }.max().map { (.quiet, delivery.quietEnd(of: message, at: $0) ?? $0) }
    }

    /// Until when a person lets a message not go.
    private func muted(_ message: Message) -> Timestamp? {
        mutedUntil.flatMap { $0 > clock.now() && message.urgency != .high ? $0 : nil }
    }

    /// Writes down what the bot says of itself; inside a transaction.
    func commit(_ notices: [NoticeBook.Notice], _ book: NoticeBook, now: Timestamp) throws {
        guard !notices.isEmpty else { return }
        try NoticeStore(database).save(book)
        for notice in notices {
            try AuditStore(database).append(at: now, kind: "notice", rule: nil, detail: notice.text)
            for channel in noticeSettings?.channels ?? [] where channel != notice.channel {
                let message = Message(notice: notice.text, channel: channel, at: now)
                let entry = OutboxStore.Entry(message: message, hold: quiet(message))
                try OutboxStore(database).append(entry, store: storeName, now: clock.now())
            }
        }
    }
}

extension Run {
    /// What the trail says of a run that came to an end; nothing while it goes on.
    fileprivate var auditLine: (kind: String, detail: String)? {
        switch state {
        case .waiting, .writing: nil
        case .done: ("finished", key.part.word)
        case .withdrawn(let reason): ("withdrawn", reason)
        // Said with the call itself.
        case .refused, .unknown: nil
        case .gaveUp(let reason): ("gave_up", reason)
        }
    }
}
