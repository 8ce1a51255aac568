import Foundation
import Testing

/// The real program under `kill -9` and a bad network, by `make chaos`.
///
/// A seed gives the same faults for the n-th request and the same plan of kills; when each strikes depends on the machine.
@Suite(.serialized) struct ChaosTests {
    /// Bots side by side: one that is killed every second polls about once a second, and several at once find more.
    private static let bots = 4

    @Test func `whatever the network does, and whenever it is killed, no write is wrong or made twice`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["CHAOS_SECONDS"].flatMap { Int($0) } ?? 40
        let seed = environment["CHAOS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999)
        let began = ContinuousClock.now
        print("chaos: seed \(seed), \(Self.bots) bots, \(seconds) s")
        let runs = try await withThrowingTaskGroup(of: ChaosRun.self) { group in
            for bot in 0..<Self.bots {
                group.addTask {
                    var run = try ChaosRun(seed: seed &* 100 &+ UInt64(bot))
                    try await run.run(for: .seconds(seconds))
                    return run
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let report = try ChaosReport(runs.sorted { $0.seed < $1.seed })
        print(report.text(after: ContinuousClock.now - began))
        for problem in report.problems { print("chaos: PROBLEM: \(problem)") }
        let command = "make chaos CHAOS_SECONDS=\(seconds) CHAOS_SEED=\(seed)"
        #expect(report.problems.isEmpty, "\(report.problems.count) problems; to see it again: \(command)")
    }
}
