import CEL
import Testing

@testable import Rules

@Suite struct EpisodeTests {
    @Test func `a call under way is not withdrawn by the end of its episode`() throws {
        var scenario = Scenario(try .test(do: [.hide], resolved: []))
        let key = try #require(scenario.poll(.init(id: 7)).runs.first?.key)
        scenario.memory.runs[key]?.hasWritten = true
        scenario.memory.runs[key]?.isCalling = true
        #expect(scenario.poll(.init(id: 7, status: "running")).runs.isEmpty)
        #expect(scenario.memory.runs[key] != nil)
        #expect(scenario.memory.hasEnded(key))
    }

    @Test func `what a condition reads beside its subject and cannot have keeps it from deciding`() throws {
        let rule = try Rule.test(if: #"session.status == "failed" && !health.busy"#)
        var scenario = Scenario(rule)
        scenario.health = .error(EvaluationError(.unavailable, "'health' is stale"))
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
        #expect(scenario.memory.rules["r"]?.untold[Scenario.id(7)]?.reason == "'health' is stale")
        #expect(scenario.poll(.init(id: 7, status: "running")).said.isEmpty, "false, whatever health says")
        #expect(scenario.memory.rules["r"]?.untold.isEmpty == true)
    }

    @Test func `what is not there makes a condition false, not unknown`() throws {
        var scenario = Scenario(try .test(if: #"session.link.startsWith("https")"#))
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
        #expect(scenario.memory.rules["r"]?.untold.isEmpty == true)
        #expect(scenario.poll(.init(id: 7, link: "https://example.com")).said == ["ops: failed"])
    }

    @Test(arguments: [Departure.gone, .archived(Scenario.Session(id: 7, status: "archived").subject.value)])
    func `a subject that left ends its episode`(departure: Departure) throws {
        var scenario = Scenario(try .test())
        scenario.poll(.init(id: 7))
        scenario.departed = [Scenario.id(7): departure]
        #expect(scenario.poll([]).said == ["ops: over"])
        #expect(scenario.memory.rules["r"]?.episodes.isEmpty == true)
    }

    @Test func `a missing subject that could not be read is neither gone nor over`() throws {
        var scenario = Scenario(try .test())
        scenario.poll(.init(id: 7))
        scenario.departed = [Scenario.id(7): .unreadable("500")]
        #expect(scenario.poll([]).said.isEmpty)
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
    }

    @Test func `under 'existing: skip' what could not be told at first sight does not run when it can be`() throws {
        let rule = try Rule.test(
            if: #"session.status == "failed" && !health.busy"#, key: "session.link", existing: .skip)
        var scenario = Scenario(rule)
        let health = scenario.health
        scenario.health = .error(EvaluationError(.unavailable, "'health' has not been read yet"))
        scenario.poll(.init(id: 7, link: "a"), .init(id: 8, link: "a"))
        scenario.health = health
        #expect(scenario.poll(.init(id: 7, link: "a"), .init(id: 8, status: "running", link: "a")).said.isEmpty)
        #expect(scenario.poll(.init(id: 7, link: "a"), .init(id: 8, link: "a")).said == ["ops: failed"], "8 alone")
        #expect(scenario.poll(.init(id: 7, status: "running"), .init(id: 8, link: "a")).said.isEmpty)
        #expect(scenario.poll(.init(id: 7, link: "a"), .init(id: 8, link: "a")).said == ["ops: failed"])
    }

    @Test func `a rule under 'existing: skip' runs although much of it can never be told`() throws {
        let rule = try Rule.test(if: #"session.id < 100 ? session.status == "failed" : health.busy"#, existing: .skip)
        var scenario = Scenario(rule)
        scenario.health = .error(EvaluationError(.unavailable, "no health"))
        let hopeless = (101...130).map { Scenario.Session(id: $0) }
        scenario.poll(hopeless + [.init(id: 7, status: "running")])
        #expect(scenario.poll(hopeless + [.init(id: 7)]).said == ["ops: failed"])
    }

    @Test func `a dry run says what it would do, once, and uses nothing up`() throws {
        var scenario = Scenario(try .test(once: "session.touched_at", mode: .dryRun, do: [.say("failed"), .hide]))
        let decision = scenario.poll(.init(id: 7))
        #expect(decision.said.isEmpty)
        #expect(decision.runs.isEmpty)
        #expect(decision.events.filter { $0.kind == .would }.map(\.detail) == ["post ops: failed\nhide session 7"])
        #expect(scenario.poll(.init(id: 7)).events.isEmpty)
        #expect(scenario.memory.once.isEmpty)
        #expect(scenario.memory.recent.all.isEmpty)
    }

    @Test func `the number of an episode is used up where it begins and ends in one decision`() throws {
        var scenario = Scenario(try .test(if: #"session.status == "archived" || session.status == "failed""#))
        scenario.poll(.init(id: 7))
        scenario.poll(.init(id: 7, status: "running"))
        scenario.poll(.init(id: 7))
        scenario.departed = [Scenario.id(7): .archived(Scenario.Session(id: 7, status: "archived").subject.value)]
        scenario.poll([])
        let identity = RuleSubject(rule: "r", subject: Scenario.id(7))
        #expect(scenario.memory.numbers[identity] == 2)
        #expect(scenario.poll(.init(id: 7)).numbers == [identity: 3])
    }
}
