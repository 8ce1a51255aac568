import FaultProxy

/// What a chaos came to, for people.
struct ChaosReport {
    private(set) var problems: [String] = []
    private var counts: [(name: String, count: Int)] = []
    private var faults: [ProxyFault: Int] = [:]
    private var steps: [String: Int] = [:]

    init(_ runs: [ChaosRun]) throws {
        var (polls, kills, requests, writes, actions, unknowns, posts) = (0, 0, 0, 0, 0, 0, 0)
        for run in runs {
            let check = try ChaosCheck(run.stage, kills: run.kills)
            problems += (run.problems + check.problems).map { "bot \(run.seed): \($0)" }
            polls += run.stage.polls
            kills += run.kills.count
            requests += run.stage.zimmerProxy.requests + run.stage.webhookProxy.requests
            writes += check.writes
            actions += check.actions
            unknowns += check.unknowns
            posts += check.posts
            steps.merge(check.callsByStep) { $0 + $1 }
            for strike in run.stage.zimmerProxy.strikes + run.stage.webhookProxy.strikes {
                faults[strike.fault, default: 0] += 1
            }
        }
        counts = [
            ("polls", polls), ("kills", kills), ("requests", requests), ("faults", faults.values.reduce(0, +)),
            ("writes in the ledger", actions), ("writes on the server", writes), ("unknown", unknowns),
            ("messages", posts), ("problems", problems.count),
        ]
    }

    func text(after duration: Duration) -> String {
        let lines = counts.map { "chaos: \($0.count) \($0.name)" }
        let kinds = faults.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
        let calls = steps.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return
            (lines + [
                "chaos: faults: \(kinds.joined(separator: ", "))", "chaos: calls: \(calls.joined(separator: ", "))",
                "chaos: took \(duration.components.seconds) s",
            ])
            .joined(separator: "\n")
    }
}
