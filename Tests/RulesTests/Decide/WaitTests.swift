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

    @Test func `a wait whose episode ended says nothing more`() throws {
        var scenario = Scenario(try .test(do: escalation))
        scenario.poll(.init(id: 7))
        #expect(scenario.poll(.init(id: 7, status: "running")).said == ["ops: over"])
        #expect(scenario.tick(after: .seconds(900)).said.isEmpty)
        #expect(scenario.memory.runs.isEmpty)
    }

    @Test func `a wait does not go on while it cannot be told whether the condition holds`() throws {
        var scenario = Scenario(try .test(do: escalation))
        scenario.poll(.init(id: 7))
        #expect(scenario.fail(after: .seconds(900)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7)).said == ["ops: still failed"])
    }

    @Test func `time while the bot was down counts for a wait`() throws {
        var scenario = Scenario(try .test(do: escalation))
        scenario.poll(.init(id: 7))
        scenario.memory.resume()
        #expect(scenario.poll(.init(id: 7), after: .seconds(900)).said == ["ops: still failed"])
    }

    @Test func `what goes on after a wait is folded as what began it`() throws {
        var scenario = Scenario(try .test(do: escalation))
        let sessions = (1...15).map { Scenario.Session(id: $0) }
        #expect(scenario.poll(sessions).posts.count == 11)
        #expect(scenario.tick(after: .seconds(900)).posts.map(\.kind).filter { $0 == .digest }.count == 1)
    }

    @Test func `a wait whose place in the rule is taken by something else does not go on`() throws {
        var scenario = Scenario(try .test(do: escalation))
        scenario.poll(.init(id: 7))
        scenario.rules = RuleSet([try .test(do: [.say("failed"), .hide, .say("hidden")])])
        #expect(scenario.tick(after: .seconds(900)).said.isEmpty)
        #expect(scenario.memory.runs.isEmpty)
    }
}
