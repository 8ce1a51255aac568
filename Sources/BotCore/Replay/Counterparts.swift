import CEL
import Rules

/// Which run of the past is which run of a replay.
struct Counterparts {
    /// What makes two runs comparable: the numbers of episodes may differ.
    private struct Kind: Hashable {
        var rule: String
        var subject: SubjectID
        var part: Run.Part

        init(_ key: RunKey) {
            (rule, subject, part) = (key.rule, key.subject, key.part)
        }

        init(_ firing: Firing) {
            (rule, subject, part) = (firing.rule, firing.subject, firing.part)
        }
    }

    private let past: [PastRun]
    /// Positions in `past`, in order.
    private let byKind: [Kind: [Int]]
    /// So much earlier or later it is the same run.
    private let tolerance: Duration

    init(_ past: [PastRun], tolerance: Duration) {
        self.past = past
        self.tolerance = tolerance
        byKind = Dictionary(grouping: past.indices) { Kind(past[$0].key) }
    }

    /// The run of the past that a run here is.
    func past(of run: Run) -> PastRun? {
        let candidates = byKind[Kind(run.key)] ?? []
        let near = candidates.filter { isSame(past[$0], at: run.startedAt) }
        let nearest = near.min { distance(past[$0], run.startedAt) < distance(past[$1], run.startedAt) }
        return nearest.map { past[$0] }
    }

    /// The run here that a run of the past is.
    func key(of key: RunKey, among runs: some Collection<Run>) -> RunKey? {
        runs.first { Kind($0.key) == Kind(key) && past(of: $0)?.key == key }?.key
    }

    /// Pairs what happened here with what happened then, each once, in the order of time.
    ///
    /// - Parameter then: positions of runs to be paired.
    /// - Returns: positions in `past` by those in `firings`; a run that has no counterpart is missing.
    func pairs(_ firings: [Firing], _ then: Set<Int>) -> [Int: Int] {
        var pairs: [Int: Int] = [:]
        for (kind, here) in Dictionary(grouping: firings.indices, by: { Kind(firings[$0]) }) {
            var rest = (byKind[kind] ?? []).filter(then.contains)[...]
            for index in here {
                // What is too long ago has no counterpart any more.
                while let first = rest.first, past[first].startedAt < firings[index].at,
                    !isSame(past[first], at: firings[index].at)
                {
                    rest.removeFirst()
                }
                guard let first = rest.first, isSame(past[first], at: firings[index].at) else { continue }
                rest.removeFirst()
                pairs[index] = first
            }
        }
        return pairs
    }

    /// The run of the same kind before a time.
    func last(before firing: Firing) -> PastRun? {
        (byKind[Kind(firing)] ?? []).last { past[$0].startedAt < firing.at - tolerance }.map { past[$0] }
    }

    /// A slot is the same whenever it runs.
    private func isSame(_ run: PastRun, at time: Timestamp) -> Bool {
        run.key.subject.type == Slot.subjectType || distance(run, time) <= tolerance
    }

    private func distance(_ run: PastRun, _ time: Timestamp) -> Duration {
        let distance = run.startedAt - time
        return distance < .zero ? .zero - distance : distance
    }
}
