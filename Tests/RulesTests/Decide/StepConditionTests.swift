import CEL
import Testing

@testable import Rules

@Suite struct StepConditionTests {
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
}
