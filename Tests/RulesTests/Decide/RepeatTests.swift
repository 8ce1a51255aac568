import CEL
import Testing

@testable import Rules

@Suite struct RepeatTests {
    private static let hourly = Rule.Repetition(every: .seconds(3_600))

    @Test func `'do' runs again as long as the episode lasts`() throws {
        var scenario = Scenario(try .test(repeat: Self.hourly))
        #expect(scenario.poll(.init(id: 7)).posts.map(\.kind) == [.firing])
        #expect(scenario.poll(.init(id: 7), after: .seconds(3_599)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(1)).posts.map(\.kind) == [.repeat])
        #expect(scenario.poll(.init(id: 7), after: .seconds(3_600)).posts.map(\.kind) == [.repeat])
        #expect(scenario.poll(.init(id: 7, status: "running")).said == ["ops: over"])
        #expect(scenario.poll(.init(id: 7, status: "running"), after: .seconds(7_200)).said.isEmpty)
    }

    @Test func `'times' is how often it runs again`() throws {
        var scenario = Scenario(try .test(repeat: .init(every: .seconds(60), times: 2)))
        let said = (0..<6).flatMap { _ in scenario.poll(.init(id: 7), after: .seconds(60)).said }
        #expect(said.count == 3)
    }

    @Test func `a repetition has a run of its own, with its own number in the episode`() throws {
        let rule = try Rule.test(repeat: .init(every: .seconds(60))).withSteps { [try .say("episode.runs", in: $0)] }
        var scenario = Scenario(rule)
        #expect(scenario.poll(.init(id: 7)).said == ["ops: 1"])
        let decision = scenario.poll(.init(id: 7), after: .seconds(60))
        #expect(decision.said == ["ops: 2"])
        #expect(decision.runs.map(\.key.part) == [.again(1)])
        #expect(decision.runs.map(\.key.episode) == [1])
    }

    @Test func `a repetition waits until the run before has come to its end`() throws {
        let rule = try Rule.test(repeat: .init(every: .seconds(60)), do: [.say("a"), .wait(.seconds(90)), .say("b")])
        var scenario = Scenario(rule)
        #expect(scenario.poll(.init(id: 7)).said == ["ops: a"])
        #expect(scenario.poll(.init(id: 7), after: .seconds(60)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(30)).said == ["ops: b"])
        #expect(scenario.poll(.init(id: 7)).said == ["ops: a"])
    }

    @Test func `the end of an episode withdraws its repetition`() throws {
        let rule = try Rule.test(repeat: .init(every: .seconds(60)), do: [.say("a"), .wait(.seconds(30)), .say("b")])
        var scenario = Scenario(rule)
        scenario.poll(.init(id: 7))
        scenario.poll(.init(id: 7), after: .seconds(30))
        #expect(scenario.poll(.init(id: 7), after: .seconds(60)).said == ["ops: a"])
        #expect(scenario.poll(.init(id: 7, status: "running")).said == ["ops: over"])
        #expect(scenario.memory.runs.isEmpty)
        #expect(scenario.poll(.init(id: 7, status: "running"), after: .seconds(60)).said.isEmpty)
    }

    @Test func `repetitions count for the limits of their rule`() throws {
        var limit = Rule.Limit()
        limit.perSubjectPerDay = 2
        var scenario = Scenario(try .test(repeat: .init(every: .seconds(60)), limit: limit))
        let said = (0..<5).flatMap { _ in scenario.poll(.init(id: 7), after: .seconds(60)).said }
        #expect(said.count == 2)
        #expect(scenario.memory.rules["r"]?.episodes[Scenario.id(7)]?.hold == .perSubject)
    }

    @Test func `that its 'once' is used up does not stop a repetition`() throws {
        let rule = try Rule.test(repeat: .init(every: .seconds(60)), once: "session.touched_at")
        var scenario = Scenario(rule)
        #expect(scenario.poll(.init(id: 7)).said.count == 1)
        #expect(scenario.poll(.init(id: 7), after: .seconds(60)).said.count == 1)
    }

    @Test func `the time in which nothing could be told does not count`() throws {
        var scenario = Scenario(try .test(repeat: Self.hourly))
        scenario.poll(.init(id: 7))
        scenario.poll(.init(id: 7), after: .seconds(1_800))
        scenario.fail(after: .seconds(7_200))
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(1_800)).said.count == 1)
    }

    @Test func `nothing is repeated of what is only kept, or was acknowledged`() throws {
        var scenario = Scenario(try .test(keep: .seconds(600), repeat: .init(every: .seconds(60))))
        scenario.poll(.init(id: 7), .init(id: 8))
        scenario.memory.rules["r"]?.episodes[Scenario.id(8)]?.ackedBy = "ann"
        #expect(scenario.poll(.init(id: 7, status: "running"), .init(id: 8), after: .seconds(120)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), .init(id: 8)).said.count == 1, "7 alone")
    }
}
