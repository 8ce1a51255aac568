import CEL
import Testing

@testable import Rules

@Suite struct StepConditionTests {
    @Test func `a step is done where its 'if' holds, and passed over with a trace where not`() throws {
        let rule = try Rule.test().withSteps { environment in
            [
                try .say("1", if: "session.id == 7", in: environment),
                try .say("2", if: "session.id == 8", in: environment), try .say("3", in: environment),
            ]
        }
        var scenario = Scenario(rule)
        let decision = scenario.poll(.init(id: 7))
        #expect(decision.said == ["ops: 1", "ops: 3"])
        #expect(decision.events.filter { $0.kind == .skipped }.map(\.detail) == ["step 2: its 'if' does not hold"])
    }

    @Test func `an 'if' that cannot be told is not done`() throws {
        let rule = try Rule.test().withSteps { [try .say("1", if: "health.busy", in: $0), try .say("2", in: $0)] }
        var scenario = Scenario(rule)
        scenario.health = .error(EvaluationError(.unavailable, "no health"))
        #expect(scenario.poll(.init(id: 7)).said == ["ops: 2"])
    }

    @Test func `the 'if' of a step is looked at when its turn comes`() throws {
        let rule = try Rule.test().withSteps {
            [.wait(.seconds(60)), try .say("session.link", if: "session.link != fired.link", in: $0)]
        }
        var scenario = Scenario(rule)
        scenario.poll(.init(id: 7, link: "a"), .init(id: 8, link: "a"))
        #expect(scenario.poll(.init(id: 7, link: "b"), .init(id: 8, link: "a"), after: .seconds(60)).said == ["ops: b"])
    }

    @Test func `a dry run shows only the steps that it would do`() throws {
        let rule = try Rule.test(mode: .dryRun).withSteps {
            [try .say("1", if: "session.id == 8", in: $0), try .say("2", in: $0)]
        }
        var scenario = Scenario(rule)
        #expect(scenario.poll(.init(id: 7)).events.filter { $0.kind == .would }.map(\.detail) == ["post ops: 2"])
    }

    @Test func `a write whose 'if' does not hold is passed over at its last look`() throws {
        let rule = try Rule.test().withSteps { environment in
            var hide = Step.hide
            hide.condition = try environment.compile("session.link == null")
            return [hide]
        }
        var scenario = Scenario(rule)
        let run = try #require(scenario.poll(.init(id: 7)).runs.first)
        let (prepared, world) = (scenario.rules.rules[0], scenario.world())
        guard case .go = prepared.lastLook(at: run, subject: Scenario.Session(id: 7).subject, world: world) else {
            Issue.record("it was wanted")
            return
        }
        let linked = Scenario.Session(id: 7, link: "a").subject
        guard case .skip = prepared.lastLook(at: run, subject: linked, world: world) else {
            Issue.record("it was not wanted any more")
            return
        }
    }

    @Test func `'resolved' knows how the episode ended and how it fired`() throws {
        let rule = try Rule.test().withSteps(
            { _ in [.say("failed")] },
            resolved: { [try .say("fired.link + '>' + session.link + ' ' + episode.ended", in: $0)] })
        var scenario = Scenario(rule)
        scenario.poll(.init(id: 7, link: "a"))
        scenario.poll(.init(id: 7, link: "b"))
        #expect(scenario.poll(.init(id: 7, status: "running", link: "c")).said == ["ops: a>c false"])
        scenario.poll(.init(id: 7, link: "d"))
        scenario.departed = [Scenario.id(7): .gone]
        #expect(scenario.poll([]).said == ["ops: d>d gone"])
    }
}
