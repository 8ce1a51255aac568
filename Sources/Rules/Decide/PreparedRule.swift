package import CEL

/// A rule with what follows from its text alone: what it reads, what a run of it costs. Shared by all that decide on it.
package final class PreparedRule: Sendable {
    package let rule: Rule
    /// Variables that `let`, `if`, `key` and `once` read, beside the subject.
    package let decidesOn: Set<String>
    /// Its outcome may change with time alone.
    let readsClock: Bool
    /// Variables that any of its expressions reads.
    package let reads: Set<String>
    /// Paths that its expressions read, for hosts that have to know which fields matter.
    package let references: Set<Reference>
    package let watchable: Vocabulary.Watchable?
    /// What one run of `do`, and of `resolved`, takes from `zimmer.limit`.
    package let cost: (steps: Int, resolved: Int)

    init(_ rule: Rule) {
        self.rule = rule
        let local = Set(rule.bindings.map(\.name))
        let deciding = rule.conditionPrograms.flatMap(\.references)
        let all = deciding + rule.stepPrograms.flatMap(\.references)
        references = Set(all.filter { !local.contains($0.variable) })
        if case .watch(let watchable) = rule.trigger { self.watchable = watchable } else { watchable = nil }
        let ownName = watchable?.name
        decidesOn = Set(deciding.map(\.variable)).subtracting(local).filter { $0 != ownName && $0 != "vars" }
        readsClock = decidesOn.contains("now")
        reads = Set(all.map(\.variable)).subtracting(local).filter { $0 != "vars" }
        cost = (Self.cost(of: rule.steps), Self.cost(of: rule.resolved))
    }

    private static func cost(of steps: [Step]) -> Int {
        steps.reduce(0) { sum, step in
            guard case .write(let write) = step.action else { return sum }
            return sum + write.cost
        }
    }

    package var name: String { rule.name }

    func cost(of part: Run.Part) -> Int {
        part == .steps ? cost.steps : cost.resolved
    }

    package func steps(of part: Run.Part) -> [Step] {
        part == .steps ? rule.steps : rule.resolved
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
