package import CEL
import Synchronization

/// A rule with what follows from its text alone: what it reads, what a run of it costs. Shared by all that decide on it.
package final class PreparedRule: Sendable {
    package let rule: Rule
    /// Variables that `let`, `if`, `key` and `once` read, beside the subject.
    package let decidesOn: Set<String>
    /// Its outcome may change with time alone.
    let readsClock: Bool
    /// Its outcome may change because the reading before was another one.
    let readsPrevious: Bool
    /// Which of a run's own variables its expressions read: `previous`, `episode`, `fired`, `result`.
    let context: Set<String>
    /// `jitter`: how much later than its slots it runs.
    package let offset: Duration
    /// Variables of the world that any of its expressions reads.
    package let reads: Set<String>
    /// Paths that its expressions read, for hosts that have to know which fields matter.
    package let references: Set<Reference>
    package let watchable: Vocabulary.Watchable?
    /// What one run of `do`, and of `resolved`, takes from `zimmer.limit`.
    package let cost: (steps: Int, resolved: Int)
    /// Made when something is to be explained for the first time.
    private let traced = Mutex<TracedCondition?>(nil)

    init(_ rule: Rule) {
        self.rule = rule
        let local = Set(rule.bindings.map(\.name))
        let deciding = rule.conditionPrograms.flatMap(\.references)
        let all = deciding + rule.stepPrograms.flatMap(\.references)
        references = Set(all.filter { !local.contains($0.variable) })
        watchable = rule.watchable
        let named = Set(all.map(\.variable)).subtracting(local).subtracting(["vars"])
        context = named.intersection(Self.contextNames)
        // A schedule goes over the whole board, which therefore has to be as young as anything else that it reads.
        let swept: Set<String> = if case .sweep = rule.trigger { ["board"] } else { [] }
        reads = named.subtracting(Self.contextNames).subtracting(["slot"]).union(swept)
        decidesOn = Set(deciding.map(\.variable)).intersection(reads).filter { $0 != rule.watchable?.name }
        readsClock = decidesOn.contains("now")
        readsPrevious = deciding.contains { $0.variable == "previous" }
        offset = Self.offset(of: rule)
        cost = (Self.cost(of: rule.steps), Self.cost(of: rule.resolved))
    }

    private static let contextNames: Set<String> = ["previous", "episode", "fired", "result"]

    /// The same for a rule of this name on every machine and day.
    private static func offset(of rule: Rule) -> Duration {
        let seconds = UInt64(max(rule.jitter.components.seconds, 0))
        guard seconds > 0 else { return .zero }
        var digest = StableDigest()
        digest.add("jitter", rule.name)
        return .seconds(Int64(digest.value % seconds))
    }

    private static func cost(of steps: [Step]) -> Int {
        steps.reduce(0) { sum, step in
            guard case .write(let write) = step.action else { return sum }
            return sum + write.cost
        }
    }

    package var name: String { rule.name }

    /// The condition, saying how it comes to its value; nil without one.
    var tracedCondition: TracedCondition? {
        guard let condition = rule.condition else { return nil }
        return traced.withLock { traced in
            if traced == nil { traced = TracedCondition(condition, in: rule.environment) }
            return traced
        }
    }

    func cost(of part: Run.Part) -> Int {
        part.isResolved ? cost.resolved : cost.steps
    }

    package func steps(of part: Run.Part) -> [Step] {
        part.isResolved ? rule.resolved : rule.steps
    }

    /// Every window of costs that it wants, those of its charts among them.
    package func costsRequests(slot: Timestamp?) -> Set<CostsRequest> {
        var requests = Set(charts.map { costsRequest(of: $0, slot: slot) })
        if let own = costsRequest(slot: slot) { requests.insert(own) }
        return requests
    }

    /// The charts of its posts.
    var charts: Set<ChartRequest> {
        Set(
            (rule.steps + rule.resolved).compactMap { step in
                if case .post(let post) = step.action { post.chart } else { nil }
            })
    }

    func costsRequest(of chart: ChartRequest, slot: Timestamp?) -> CostsRequest {
        let window = chart.window ?? rule.costs ?? ownWindow
        return CostsRequest(window: window, timeZone: rule.timeZone, slot: slot)
    }

    private var ownWindow: CostsWindow {
        watchable?.name == "costs" ? CostsWindow(.today) : CostsWindow(.back(.seconds(7 * 86_400)))
    }

    /// The window of costs that its expressions read, nil when they read none.
    package func costsRequest(slot: Timestamp?) -> CostsRequest? {
        guard reads.contains("costs") || watchable?.name == "costs" || rule.costs != nil else { return nil }
        return CostsRequest(window: rule.costs ?? ownWindow, timeZone: rule.timeZone, slot: slot)
    }
}
