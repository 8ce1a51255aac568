import CEL
import Testing

@testable import Rules

@Suite struct KeepTests {
    @Test func `a condition that comes back within 'keep' is the same episode`() throws {
        var scenario = Scenario(try .test(keep: .seconds(300)))
        #expect(scenario.poll(.init(id: 7)).said == ["ops: failed"])
        #expect(scenario.poll(.init(id: 7, status: "running")).said.isEmpty)
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7, status: "running"), after: .seconds(299)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7, status: "running"), after: .seconds(299)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7, status: "running"), after: .seconds(1)).said == ["ops: over"])
        #expect(scenario.poll(.init(id: 7)).said == ["ops: failed"])
    }

    @Test func `'keep' does not help a condition that never held for long enough`() throws {
        var scenario = Scenario(try .test(for: .seconds(60), keep: .seconds(300)))
        scenario.poll(.init(id: 7))
        scenario.poll(.init(id: 7, status: "running"))
        #expect(scenario.poll(.init(id: 7), after: .seconds(60)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(60)).said == ["ops: failed"])
    }

    @Test func `'keep' stands still while nothing can be told`() throws {
        var scenario = Scenario(try .test(keep: .seconds(60)))
        scenario.poll(.init(id: 7))
        scenario.poll(.init(id: 7, status: "running"))
        scenario.fail(after: .seconds(600))
        #expect(scenario.poll(.init(id: 7, status: "running")).said.isEmpty)
        #expect(scenario.poll(.init(id: 7, status: "running"), after: .seconds(60)).said == ["ops: over"])
    }

    @Test func `another key ends what is kept`() throws {
        var scenario = Scenario(try .test(keep: .seconds(300), key: "session.link"))
        scenario.poll(.init(id: 7, link: "a"))
        scenario.poll(.init(id: 7, status: "running", link: "a"))
        #expect(scenario.poll(.init(id: 7, link: "b")).said == ["ops: over", "ops: failed"])
    }

    @Test func `who leaves the board is not kept`() throws {
        var scenario = Scenario(try .test(keep: .seconds(300)))
        scenario.poll(.init(id: 7))
        scenario.poll(.init(id: 7, status: "running"))
        scenario.departed = [Scenario.id(7): .gone]
        #expect(scenario.poll([]).said == ["ops: over"])
    }

    @Test func `what a limit held back does not start while it is only kept`() throws {
        var limit = Rule.Limit()
        limit.perPoll = 1
        var scenario = Scenario(try .test(keep: .seconds(300), limit: limit, do: [.hide]))
        scenario.memory.rules["r"] = RuleMemory(scenario.rules.rules[0].rule)
        scenario.memory.rules["r"]?.isNew = false
        #expect(scenario.poll(.init(id: 7), .init(id: 8)).writing == ["7"])
        #expect(scenario.poll(.init(id: 7), .init(id: 8, status: "running")).writing.isEmpty)
        #expect(scenario.poll(.init(id: 7), .init(id: 8)).writing == ["8"])
    }

    @Test func `a shorter 'keep' counts at once, and resets nothing`() throws {
        var scenario = Scenario(try .test(keep: .seconds(300)))
        scenario.poll(.init(id: 7))
        scenario.poll(.init(id: 7, status: "running"))
        scenario.rules = RuleSet([try .test()])
        #expect(scenario.poll(.init(id: 7, status: "running")).said == ["ops: over"])
    }
}
