import AdapterKit
import BotCore
import CEL
import Rules

extension NearMissReport {
    private static let mostExamples = 3

    /// - Parameter now: the end of what was looked at is said where that is another time.
    func add(to page: inout Page, now: Timestamp) {
        page.section(heading(now: now)) { page in
            if let note { page.line("  \(note)".printableLine) }
            if rules.allSatisfy(\.near.isEmpty), to != nil { page.line("  none") }
            for misses in rules {
                for (clause, near) in misses.near.byClause {
                    page.line("  \(misses.rule): \(near.count) but for \(clause)\(since(misses))".printableLine)
                    page.add(near, atMost: Self.mostExamples)
                }
            }
        }
    }

    private func heading(now: Timestamp) -> String {
        guard let span, let to else { return "near misses" }
        // A bot that runs decides at least that often.
        let isOver = now - to > .seconds(3_600)
        var heading =
            "near misses over the " + (isOver ? "\(span.humanized) up to \(to.wholeSeconds)" : "last \(span.humanized)")
        if !isWhole, let recordedSince { heading += "; recorded since \(recordedSince.wholeSeconds)" }
        return heading
    }

    /// When the rule had something to look at, if that was not from the beginning.
    private func since(_ misses: NearMisses) -> String {
        guard let from, misses.since - from > .seconds(3_600) else { return "" }
        return " (since \(misses.since.wholeSeconds))"
    }

    var json: JSONOutput {
        [
            "from": .time(from), "to": .time(to), "recorded_since": .time(recordedSince), "note": .optional(note),
        ]
    }

    /// Of one rule; null where there was nothing to look at.
    func json(of rule: String) -> JSONOutput {
        guard let misses = rules.first(where: { $0.rule == rule }) else { return nil }
        return [
            "since": .time(misses.since), "count": .integer(Int64(misses.near.count)),
            "clauses": .array(
                misses.near.byClause.map { clause, near in
                    [
                        "clause": .string(clause), "count": .integer(Int64(near.count)),
                        "examples": .array(near.prefix(Self.mostExamples).map(\.json)),
                    ]
                }),
        ]
    }
}
