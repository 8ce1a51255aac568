import CEL
import Rules

/// Whether the bot does its own work: what others do wrong, Zimmer apart, is no illness of the bot's.
package enum BotHealth: Hashable, Sendable {
    case well
    /// Nothing was read yet, and there was not much time for it.
    case starting
    /// What does not go on, each in words without a number that grows.
    case ill([String])
}

extension Ledger {
    /// Whether what the ledger sees of the bot's work goes on. Writes to the store, to see that it can.
    func health(reading readers: Set<Assembly.ReaderName>) -> BotHealth {
        let now = instant()
        var reasons: [String] = []
        if let problem = storeProblem { reasons.append("the last decision was not stored: \(problem)") }
        do {
            try StatusStore(database).save(heartbeat: clock.now())
        } catch {
            reasons.append("the store takes no writes: \(error)")
        }
        let patience = observation.boardPatience
        if readers.contains(.board) {
            let isYoung = now - observation.standing.startedAt < patience
            if let readAt = observation.standing.lastReadAt {
                if now - readAt > patience { reasons.append("the board was not read whole for \(patience.humanized)") }
            } else if isYoung, reasons.isEmpty {
                return .starting
            } else if !isYoung {
                reasons.append("the board was not read whole since the start")
            }
            if let decidedAt = memory.decidedAt, now - decidedAt > patience, !isYoung {
                reasons.append("nothing was decided for \(patience.humanized)")
            }
        } else if !readers.isEmpty, !self.readers.isEmpty, self.readers.values.allSatisfy({ $0.problem != nil }) {
            reasons.append("nothing that the rules need can be read")
        }
        return reasons.isEmpty ? .well : .ill(reasons)
    }

    /// Takes what keeps the heartbeat from arriving; nil when it does arrive.
    func note(heartbeat problem: String?) {
        heartbeatCause = problem.map {
            NoticeBook.Cause(
                id: "heartbeat", text: "The heartbeat does not arrive: \($0). Whoever waits for it will call")
        }
    }
}

extension ChannelWorker {
    /// Why it delivers nothing any more although nobody else is to blame; nil while it goes on. A channel that is down is
    /// at work: it tries again.
    ///
    /// - Parameter limit: for one delivery; adapters are bound to much less.
    func ailment(limit: Duration) -> String? {
        if hasEnded { return "channel \(channel) has ended" }
        if let since = deliveringSince, clock.elapsed() - since > limit {
            return "channel \(channel) hangs in a delivery"
        }
        return nil
    }
}
