import CEL
import Testing

@testable import Rules

@Suite struct PreviousTests {
    private static let finished = #"previous.status == "running" && session.status == "failed""#

    @Test func `what is there at first sight has no previous reading`() throws {
        var scenario = Scenario(try .test(if: #"previous.status != session.status"#))
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7, status: "running")).said == ["ops: failed"])
    }

    @Test func `a last look has the reading before that the decision had`() throws {
        var scenario = Scenario(try .test(if: Self.finished, do: [.hide]))
        scenario.memory.rules["r"] = RuleMemory(scenario.rules.rules[0].rule)
        scenario.memory.rules["r"]?.isNew = false
        scenario.poll(.init(id: 7, status: "running"))
        let run = try #require(scenario.poll(.init(id: 7)).runs.first)
        let prepared = scenario.rules.rules[0]
        let now = Scenario.Session(id: 7).subject
        guard case .go = prepared.lastLook(at: run, subject: now, world: scenario.world()) else {
            Issue.record("it still holds")
            return
        }
    }
}
