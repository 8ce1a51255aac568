import CEL
import Testing

@testable import Rules

@Suite struct PauseTests {
    @Test func `a paused rule decides nothing, and its timers stand still`() throws {
        var scenario = Scenario(try .test(for: .seconds(60)))
        scenario.poll(.init(id: 7))
        scenario.memory.rules["r"]?.pausedUntil = scenario.now + .seconds(600)
        #expect(scenario.poll(.init(id: 7), after: .seconds(300)).said.isEmpty)
        let back = scenario.poll(.init(id: 7), after: .seconds(300))
        #expect(back.said.isEmpty)
        #expect(back.events.map(\.kind) == [.resumed])
        #expect(scenario.poll(.init(id: 7), after: .seconds(60)).said == ["ops: failed"])
    }

    @Test func `the slots of a paused rule pass, with a trace`() throws {
        var scenario = Scenario(try .test(schedule: "0 9 * * *"))
        scenario.tick(after: .seconds(1))
        scenario.memory.rules["r"]?.pausedUntil = Memory.forGood
        let decision = scenario.tick(after: .seconds(3_600))
        #expect(decision.said.isEmpty)
        #expect(decision.events.map(\.kind) == [.skipped])
        scenario.memory.rules["r"]?.pausedUntil = nil
        #expect(scenario.tick(after: .seconds(86_400)).said == ["ops: slot"])
    }

    @Test func `a wait of a paused rule goes on when the pause is over`() throws {
        var scenario = Scenario(try .test(do: [.say("a"), .wait(.seconds(60)), .say("b")]))
        scenario.poll(.init(id: 7))
        scenario.memory.rules["r"]?.pausedUntil = scenario.now + .seconds(300)
        #expect(scenario.poll(.init(id: 7), after: .seconds(60)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(300)).said == ["ops: b"])
    }

    @Test func `jitter puts the slots of a rule off by the same time each day`() throws {
        var rule = try Rule.test(schedule: "0 9 * * *")
        rule.jitter = .seconds(600)
        let offset = RuleSet([rule]).rules[0].offset
        #expect(offset > .zero && offset < .seconds(600))
        var scenario = Scenario(rule)
        scenario.tick(after: .seconds(1))
        #expect(scenario.tick(after: .seconds(3_599)).said.isEmpty)
        #expect(scenario.tick(after: offset - .seconds(1)).said.isEmpty)
        #expect(scenario.tick(after: .seconds(1)).said == ["ops: slot"])
        #expect(scenario.tick(after: .seconds(86_399)).said.isEmpty)
        #expect(scenario.tick(after: .seconds(1)).said == ["ops: slot"])
    }
}
