import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct ReplayLawTests {
    private func report(_ world: borrowing RandomWorld, since: Timestamp = Timestamp(seconds: 0)) throws -> ReplayReport
    {
        let span = Replay.Span(since: since, until: world.stage.clock.now())
        var replay = try Replay(world.stage.file, over: try Recording(world.stage.directory), span)
        return try replay.run()
    }

    @Test(arguments: UInt64(1)...12)
    func `the same rules do again what they did, whatever happened meanwhile`(seed: UInt64) async throws {
        var world = try RandomWorld(seed: seed)
        try await world.live(rounds: 250)
        let report = try report(world)
        #expect(report.differences == [])
        #expect(report.notReplayable.isEmpty)
        #expect(report.unchanged > 20)
        let lists = report.rules.filter { RandomLists.names.contains($0.rule) && $0.now.firings > 0 }
        #expect(lists.count > 3)
        for rule in report.rules { #expect(rule.then == rule.now, "\(rule.rule)") }
    }

    @Test(arguments: UInt64(40)...47)
    func `they do so when the store failed in between, and the process went on or was killed`(seed: UInt64) async throws
    {
        var world = try RandomWorld(seed: seed)
        try await world.live(rounds: 200, isStruck: true)
        let report = try report(world)
        #expect(report.differences == [])
        #expect(report.notReplayable.isEmpty)
        #expect(report.unchanged > 15)
        for rule in report.rules { #expect(rule.then == rule.now, "\(rule.rule)") }
        #expect(try await world.stage.ledger.remembersWhatIsStored)
    }

    @Test(arguments: UInt64(20)...25)
    func `a replay that begins in the middle goes on from what was remembered then`(seed: UInt64) async throws {
        var world = try RandomWorld(seed: seed)
        try await world.live(rounds: 120)
        let begin = world.stage.clock.now()
        try await world.stage.ledger.beginAnew()
        try await world.live(rounds: 120)
        let report = try report(world, since: begin + .microseconds(1))
        #expect(report.differences == [])
        #expect(report.unchanged > 5)
    }
}

extension ReplayReport {
    /// Each as a line.
    var differences: [String] {
        added.map { "added \($0.rule) \($0.subject) \($0.part) \($0.at)" }
            + removed.map { "removed \($0.rule) \($0.subject) \($0.part) \($0.at)" }
            + changed.map { "changed \($0.then) to \($0.now)" }
    }
}
