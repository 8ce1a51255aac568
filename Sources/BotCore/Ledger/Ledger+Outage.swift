import CEL
import Rules

// What the bot says of a Zimmer that it cannot read: once when that lasts, once when it is over.
extension Ledger {
    /// So long Zimmer may be away without a word: until what was read of it goes stale, so that rules cannot tell.
    private var outagePatience: Duration {
        min(noticeSettings?.cannotTellAfter ?? .seconds(900), observation.boardPatience)
    }

    /// What keeps Zimmer as a whole from being read now.
    var trouble: ZimmerTrouble? { observation.reach.trouble?.error.trouble }

    /// What there is to say of an outage that lasts.
    func outageCauses(now: Timestamp) -> [NoticeBook.Cause] {
        guard let outage = outages.current, now - outage.troubleSince >= outagePatience else { return [] }
        return [
            NoticeBook.Cause(
                id: "zimmer:\(outage.trouble.rawValue)", text: advice.sentence(for: outage.trouble, outage.reason))
        ]
    }

    /// What only follows from Zimmer's being away is not said besides; nor just after it, when not everything has been
    /// read again.
    func withoutConsequences(_ causes: [NoticeBook.Cause], now: Timestamp) -> [NoticeBook.Cause] {
        let patience = noticeSettings?.cannotTellAfter ?? .seconds(900)
        let isJustOver = outages.endedAt.map { now - $0 < patience } ?? false
        guard outages.current != nil || isJustOver else { return causes }
        return causes.filter { cause in
            !["cannot_tell:", "unreadable:", "slow:"].contains(where: cause.id.hasPrefix) || isGiven(cause.id)
        }
    }

    /// How an outage that has just ended is told, with what was missed meanwhile. Memory is as it was before this decision.
    ///
    /// - Parameter outages: with the slots that the decision found to be missed.
    func outageSummary(_ outages: Outages, now: Timestamp) -> String? {
        guard let outage = outages.ended else { return nil }
        let local = clock.now()
        let late = rules.dueSlots(memory, now: local).filter { local - $0.slot.time >= .seconds(60) }.count
        let held = memory.runs.values.filter { run in
            if case .writing = run.state { true } else { false }
        }.count
        let untold = rules.rules.filter { prepared in
            guard prepared.rule.mode == .live, let own = memory.rules[prepared.name] else { return false }
            return own.unreadable != nil || !own.untold.isEmpty
        }.map(\.name)
        let counts: [(Int, String, String)] = [
            (outage.failedReadings, "reading failed", "readings failed"),
            (outage.missedSlots, "slot of a schedule was missed", "slots of schedules were missed"),
            (late, "slot runs late", "slots run late"),
            (held, "write was held", "writes were held"),
        ]
        var parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
        if !untold.isEmpty {
            let more = untold.count > 3 ? ", and \(untold.count - 3) more" : ""
            parts.append(
                "\(untold.count) \(untold.count == 1 ? "rule" : "rules") could not tell"
                    + " (\(untold.prefix(3).joined(separator: ", "))\(more))")
        }
        let away = (now - outage.since).humanized
        let missed = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
        return "Zimmer can be read again. It was away for \(away), since \(outage.since.wholeSeconds)\(missed)"
    }
}
