import CEL
import Testing

@testable import Rules

@Suite struct EpisodeTests {
    @Test func `a condition that holds runs once, however often it is read`() throws {
        var scenario = Scenario(try .test())
        #expect(scenario.poll(.init(id: 7)).said == ["ops: failed"])
        for _ in 1...5 { #expect(scenario.poll(.init(id: 7)).said.isEmpty) }
    }

    @Test func `the end of an episode is said once`() throws {
        var scenario = Scenario(try .test())
        scenario.poll(.init(id: 7))
        #expect(scenario.poll(.init(id: 7, status: "running")).said == ["ops: over"])
        #expect(scenario.poll(.init(id: 7, status: "running")).said.isEmpty)
        #expect(scenario.poll(.init(id: 7)).said == ["ops: failed"], "a new episode")
    }

    @Test func `a call under way is not withdrawn by the end of its episode`() throws {
        var scenario = Scenario(try .test(do: [.hide], resolved: []))
        let key = try #require(scenario.poll(.init(id: 7)).runs.first?.key)
        scenario.memory.runs[key]?.hasWritten = true
        scenario.memory.runs[key]?.isCalling = true
        #expect(scenario.poll(.init(id: 7, status: "running")).runs.isEmpty)
        #expect(scenario.memory.runs[key] != nil)
        #expect(scenario.memory.hasEnded(key))
    }

    @Test func `'for' is the time that a condition holds without a break`() throws {
        var scenario = Scenario(try .test(for: .seconds(120)))
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(119)).said.isEmpty)
        scenario.poll(.init(id: 7, status: "running"))
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(119)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(1)).said == ["ops: failed"])
    }

    @Test func `a pending subject that flaps is never resolved, as nothing ran`() throws {
        var scenario = Scenario(try .test(for: .seconds(120)))
        scenario.poll(.init(id: 7))
        #expect(scenario.poll(.init(id: 7, status: "running")).said.isEmpty)
    }

    @Test func `a failed reading decides nothing and lets no time pass`() throws {
        var scenario = Scenario(try .test(for: .seconds(120)))
        scenario.poll(.init(id: 7))
        #expect(scenario.fail(after: .seconds(3_600)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(3_600)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(119)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(1)).said == ["ops: failed"])
        #expect(scenario.fail().said.isEmpty, "a failed reading is no empty board")
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
    }

    @Test func `time while the bot was down does not count`() throws {
        var scenario = Scenario(try .test(for: .seconds(120)))
        scenario.poll(.init(id: 7))
        scenario.memory.resume()
        #expect(scenario.poll(.init(id: 7), after: .seconds(86_400)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(119)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), after: .seconds(1)).said == ["ops: failed"])
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

    @Test func `another key ends the episode and begins the next, 'for' included`() throws {
        var scenario = Scenario(try .test(for: .seconds(60), key: "session.link"))
        scenario.poll(.init(id: 7, link: "a"))
        #expect(scenario.poll(.init(id: 7, link: "a"), after: .seconds(60)).said == ["ops: failed"])
        #expect(scenario.poll(.init(id: 7, link: "b")).said == ["ops: over"])
        #expect(scenario.poll(.init(id: 7, link: "b"), after: .seconds(60)).said == ["ops: failed"])
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

    @Test func `under 'existing: skip' only what begins to hold later runs`() throws {
        var scenario = Scenario(try .test(existing: .skip))
        #expect(scenario.poll(.init(id: 7), .init(id: 8, status: "running")).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), .init(id: 8)).said == ["ops: failed"])
        #expect(scenario.poll(.init(id: 7, status: "running"), .init(id: 8)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), .init(id: 8)).said == ["ops: failed"])
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

    @Test func `a rule of another meaning starts pending subjects over and runs active ones no second time`() throws {
        var scenario = Scenario(try .test(for: .seconds(60)))
        scenario.poll(.init(id: 7))
        scenario.poll(.init(id: 7), .init(id: 8), after: .seconds(60))
        scenario.rules = RuleSet([try .test(for: .seconds(60), meaning: "2")])
        #expect(scenario.poll(.init(id: 7), .init(id: 8), after: .seconds(59)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7), .init(id: 8), after: .seconds(60)).said == ["ops: failed"], "8 alone")
        #expect(scenario.poll(.init(id: 7, status: "running"), .init(id: 8)).said == ["ops: over"])
    }

    @Test func `active subjects that a changed rule no longer matches end in silence`() throws {
        var scenario = Scenario(try .test())
        scenario.poll(.init(id: 7))
        scenario.rules = RuleSet([try .test(if: #"session.status == "lost""#, meaning: "2")])
        #expect(scenario.poll(.init(id: 7)).said.isEmpty)
        #expect(scenario.memory.rules["r"]?.episodes.isEmpty == true)
    }

    @Test func `a rule that is gone ends its episodes in silence`() throws {
        var scenario = Scenario(try .test())
        scenario.poll(.init(id: 7))
        scenario.rules = RuleSet([])
        let decision = scenario.poll(.init(id: 7))
        #expect(decision.said.isEmpty)
        #expect(decision.forgotten == ["r"])
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
