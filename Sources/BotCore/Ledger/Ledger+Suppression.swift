import CEL
import Rules

// What a rule posts while another one silences it waits in the outbox. It goes when that one is over, and is dropped, its
// ending too, when what it tells is over first, or its rule is no longer there to tell it.
extension Ledger {
    /// Where an episode's messages were dropped, so that nobody is told of its end.
    struct Untold: Hashable {
        var episode: EpisodeID
        var channel: String
    }

    struct EpisodeID: Hashable {
        var rule: String
        var subject: SubjectID
        var number: Int
    }

    /// Drops what was held back of episodes that ended, and of rules that are gone. Inside the transaction of the decision.
    func dropSuppressed(_ decision: Decision) throws -> Set<Untold> {
        let ended = decision.endedEpisodes
        let canHold = !ended.isEmpty && rules.rules.contains { $0.rule.suppress != nil }
        guard canHold || !decision.forgotten.isEmpty else { return [] }
        var untold: Set<Untold> = []
        for message in try OutboxStore(database).suppressed() {
            if decision.forgotten.contains(message.rule) {
                try end(message.id, as: .folded, detail: "its rule was removed or switched off")
                continue
            }
            guard let subject = message.subject, let number = message.episode else { continue }
            let episode = EpisodeID(rule: message.rule, subject: subject, number: number)
            guard ended.contains(episode) else { continue }
            untold.insert(Untold(episode: episode, channel: message.channel))
            try end(message.id, as: .folded, detail: "over before what held it back")
        }
        return untold
    }

    /// Lets go what nothing holds back any more. Inside the transaction of the decision that led to `memory`.
    func releaseSuppressed(_ memory: Memory) throws {
        for message in try OutboxStore(database).suppressed() {
            if let prepared = rules.rule(message.rule), rules.suppressor(of: prepared, message.subject, memory) != nil {
                continue
            }
            try OutboxStore(database).release(message.id, now: clock.now(), mutedUntil: mutedUntil)
        }
    }
}

extension Decision {
    var endedEpisodes: Set<Ledger.EpisodeID> {
        Set(
            events.compactMap { event -> Ledger.EpisodeID? in
                guard event.kind == .ended, let subject = event.subject, let number = event.episode else { return nil }
                return Ledger.EpisodeID(rule: event.rule, subject: subject, number: number)
            })
    }
}

extension PostDraft {
    /// The episode whose end this message tells.
    fileprivate var endedEpisode: Ledger.EpisodeID? {
        guard kind == .resolved, let run else { return nil }
        return Ledger.EpisodeID(rule: run.rule, subject: run.subject, number: run.episode)
    }

    func isUntold(in untold: Set<Ledger.Untold>) -> Bool {
        endedEpisode.map { untold.contains(Ledger.Untold(episode: $0, channel: channel)) } ?? false
    }
}
