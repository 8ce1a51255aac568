import CEL
import Testing

@testable import Rules

@Suite struct WaitTests {
    private let escalation: [Step] = [.say("failed"), .wait(.seconds(900)), .say("still failed")]

    @Test func `a wait goes on when it is over and the episode is still active`() throws {
        var scenario = Scenario(try .test(do: escalation))
        let first = scenario.poll(.init(id: 7))
        #expect(first.said == ["ops: failed"])
        #expect(first.pause == .seconds(900))
        #expect(scenario.tick(after: .seconds(899)).said.isEmpty)
        #expect(scenario.tick(after: .seconds(1)).said == ["ops: still failed"])
        #expect(scenario.tick(after: .seconds(900)).said.isEmpty)
    }
}
