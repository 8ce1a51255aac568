import Rules
import Synchronization

/// Counts what was decided, rule by rule.
final class DemoTally: Sendable {
    struct Counts {
        var started = 0
        var ended = 0
        var held = 0
        var withdrawn = 0
        /// The first run of `do`, with the values that decided.
        var first: Event?
    }

    private let counts = Mutex<[String: Counts]>([:])

    func count(_ decision: Decision) {
        counts.withLock { counts in
            for event in decision.events {
                switch event.kind {
                case .started where event.detail == Run.Part.steps.word:
                    counts[event.rule, default: Counts()].started += 1
                    if counts[event.rule]?.first == nil { counts[event.rule]?.first = event }
                case .ended: counts[event.rule, default: Counts()].ended += 1
                case .held: counts[event.rule, default: Counts()].held += 1
                default: break
                }
            }
            for run in decision.runs {
                if case .withdrawn = run.state { counts[run.key.rule, default: Counts()].withdrawn += 1 }
            }
        }
    }

    subscript(rule: String) -> Counts {
        counts.withLock { $0[rule] ?? Counts() }
    }
}
