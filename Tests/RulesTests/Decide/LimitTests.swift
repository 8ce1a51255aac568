import CEL
import Testing

@testable import Rules

@Suite struct LimitTests {
    private func sessions(_ numbers: ClosedRange<Int>, status: String = "failed") -> [Scenario.Session] {
        numbers.map { Scenario.Session(id: $0, status: status) }
    }

    /// Past first sight, so that limits show and not the release.
    private func settled(_ rule: Rule) -> Scenario {
        var scenario = Scenario(rule)
        scenario.poll(.init(id: 0, status: "running"))
        return scenario
    }

    @Test func `posts beyond per_poll go out as one message that lists them`() throws {
        var scenario = Scenario(try .test())
        let decision = scenario.poll(sessions(1...15))
        #expect(decision.posts.count == 11)
        #expect(decision.posts.last?.title?.plain == "5 more from r")
        #expect(decision.posts.last?.kind == .digest)
        #expect(scenario.poll(sessions(1...15)).said.isEmpty)
    }

    @Test func `per_poll counts what runs for subjects that left, too`() throws {
        let rule = try Rule.test(
            if: #"session.status in ["failed", "archived"]"#, for: .seconds(60), do: [.say("failed")], resolved: [])
        var scenario = Scenario(rule)
        scenario.poll(sessions(1...15))
        for id in 1...15 {
            scenario.departed[Scenario.id(id)] = .archived(Scenario.Session(id: id, status: "archived").subject.value)
        }
        #expect(scenario.poll([], after: .seconds(60)).posts.count == 11)
    }

    @Test func `writes beyond per_poll are worked off in later polls, the lowest id first`() throws {
        var scenario = settled(try .test(do: [.hide]))
        #expect(scenario.poll(sessions(1...25)).writing == (1...10).map(String.init))
        #expect(scenario.poll(sessions(1...25)).writing == (11...20).map(String.init))
        #expect(scenario.poll(sessions(1...25)).writing == (21...25).map(String.init))
        #expect(scenario.poll(sessions(1...25)).writing.isEmpty)
    }

    @Test func `what held longest goes first`() throws {
        var limit = Rule.Limit()
        limit.perPoll = 1
        var scenario = settled(try .test(limit: limit, do: [.hide]))
        #expect(scenario.poll(.init(id: 9)).writing == ["9"])
        scenario.poll(.init(id: 9), .init(id: 8), .init(id: 7, status: "running"))
        #expect(scenario.poll(sessions(3...8)).writing != ["8"], "8 ran when it was alone")
    }

    @Test func `a new rule that writes and matches more than per_poll writes nothing until it is released`() throws {
        var scenario = Scenario(try .test(do: [.hide]))
        #expect(scenario.poll(sessions(1...300)).runs.isEmpty)
        #expect(scenario.poll(sessions(1...300)).runs.isEmpty)
        #expect(scenario.memory.rules["r"]?.awaitsRelease == true)
        scenario.memory.rules["r"]?.awaitsRelease = false
        #expect(scenario.poll(sessions(1...300)).writing == (1...10).map(String.init))
    }

    @Test func `a new rule whose subjects cannot be told yet does not slip through first sight`() throws {
        var scenario = Scenario(try .test(if: #"session.status == "failed" && !health.busy"#, do: [.hide]))
        let health = scenario.health
        scenario.health = .error(EvaluationError(.unavailable, "'health' has not been read yet"))
        scenario.poll(sessions(1...300))
        scenario.health = health
        #expect(scenario.poll(sessions(1...300)).runs.isEmpty)
        #expect(scenario.memory.rules["r"]?.awaitsRelease == true)
    }

    @Test func `the server's limit holds for all rules together`() throws {
        var limit = ServerLimit()
        limit.perHour = 15
        var scenario = Scenario()
        scenario.rules = RuleSet([try .test("a", do: [.hide]), try .test("b", do: [.hide])], limit: limit)
        scenario.poll(.init(id: 0, status: "running"))
        #expect(scenario.poll(sessions(1...10)).writing.count == 15)
    }

    @Test func `once is used up by the first write, not by a run that wrote nothing`() throws {
        var scenario = settled(try .test(once: "session.touched_at", do: [.hide]))
        scenario.poll(.init(id: 7))
        #expect(scenario.memory.once.isEmpty)
    }
}
