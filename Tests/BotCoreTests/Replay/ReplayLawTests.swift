import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct ReplayLawTests {
    private static func differences(_ report: ReplayReport) -> [String] {
        report.added.map { "added \($0.rule) \($0.subject) \($0.part) \($0.at)" }
            + report.removed.map { "removed \($0.rule) \($0.subject) \($0.part) \($0.at)" }
            + report.notReplayable.map { "unclear \($0.firing.rule) \($0.firing.subject) \($0.reason)" }
    }

    @Test(arguments: UInt64(1)...12)
    func `the same rules do again what they did, whatever happened meanwhile`(seed: UInt64) async throws {
        var world = try RandomWorld(seed: seed)
        try await world.live(rounds: 250)
        let recording = try Recording(world.stage.directory)
        let span = Replay.Span(since: Timestamp(seconds: 0), until: world.stage.clock.now())
        var replay = try Replay(world.stage.file, over: recording, span)
        let report = try replay.run()
        #expect(Self.differences(report) == [])
        #expect(report.unchanged > 20)
        for rule in report.rules { #expect(rule.then == rule.now, "\(rule.rule)") }
    }
}
