import CEL
import Testing

@testable import Rules

@Suite struct RepeatTests {
    @Test func `a repetition has a run of its own, with its own number in the episode`() throws {
        let rule = try Rule.test(repeat: .init(every: .seconds(60))).withSteps { [try .say("episode.runs", in: $0)] }
        var scenario = Scenario(rule)
        #expect(scenario.poll(.init(id: 7)).said == ["ops: 1"])
        let decision = scenario.poll(.init(id: 7), after: .seconds(60))
        #expect(decision.said == ["ops: 2"])
        #expect(decision.runs.map(\.key.part) == [.again(1)])
        #expect(decision.runs.map(\.key.episode) == [1])
    }
}
