import CEL
import Testing

@testable import Rules

@Suite struct SweepTests {
    /// 1,800,000,000 is 08:00 UTC on a Friday.
    private static let nine = "0 9 * * *"

    private func sweep(_ rule: Rule) -> Scenario {
        var scenario = Scenario(rule)
        scenario.poll()
        return scenario
    }

    @Test func `each slot runs once for each session that matches`() throws {
        var scenario = sweep(try .test(sweep: Self.nine))
        #expect(scenario.poll(.init(id: 7), .init(id: 8, status: "running"), .init(id: 9)).said.isEmpty)
        let decision = scenario.poll(
            .init(id: 7), .init(id: 8, status: "running"), .init(id: 9), after: .seconds(3_600))
        #expect(decision.posts.map { $0.subject?.id.id } == ["7", "9"])
        #expect(decision.posts.map(\.kind) == [.report, .report])
        #expect(scenario.poll(.init(id: 7), .init(id: 9)).said.isEmpty)
        #expect(scenario.memory.rules["r"]?.episodes.isEmpty == true)
        #expect(scenario.poll(.init(id: 7), after: .seconds(86_400)).posts.count == 1)
    }

    @Test func `a slot does not wait for one session of which it cannot be told`() throws {
        let rule = try Rule.test(sweep: Self.nine, if: #"session.id == 7 ? health.busy : session.status == "failed""#)
        var scenario = sweep(rule)
        scenario.health = .object(Object(Scenario.health, [.error(EvaluationError(.unavailable, "unreadable"))]))
        let decision = scenario.poll(.init(id: 7), .init(id: 9), after: .seconds(3_600))
        #expect(decision.posts.map { $0.subject?.id.id } == ["9"])
        #expect(decision.events.filter { $0.kind == .cannotTell }.map { $0.subject?.id } == ["7"])
    }

    @Test func `writes beyond the limit are worked off in later readings, while the condition holds`() throws {
        var limit = Rule.Limit()
        limit.perPoll = 1
        var scenario = sweep(try .test(sweep: Self.nine, limit: limit, do: [.hide]))
        #expect(scenario.poll(.init(id: 7), .init(id: 8), .init(id: 9), after: .seconds(3_600)).writing == ["7"])
        #expect(scenario.poll(.init(id: 7), .init(id: 8, status: "running"), .init(id: 9)).writing == ["9"])
        #expect(scenario.poll(.init(id: 7), .init(id: 8), .init(id: 9)).writing.isEmpty)
    }

    @Test func `what was still held when the next slot came is dropped`() throws {
        var limit = Rule.Limit()
        limit.perHour = 1
        var scenario = sweep(try .test(sweep: "0,30 * * * *", limit: limit, do: [.hide]))
        #expect(scenario.poll(.init(id: 7), .init(id: 8), after: .seconds(1_800)).writing == ["7"])
        let next = scenario.poll(.init(id: 7), .init(id: 8, status: "running"), after: .seconds(1_800))
        #expect(next.events.contains { $0.kind == .withdrawn && $0.subject == Scenario.id(8) })
    }

    @Test func `'once' bounds it over all slots`() throws {
        var scenario = sweep(try .test(sweep: Self.nine, once: "session.touched_at"))
        #expect(scenario.poll(.init(id: 7, touched: 1), after: .seconds(3_600)).said.count == 1)
        #expect(scenario.poll(.init(id: 7, touched: 1), after: .seconds(86_400)).said.isEmpty)
        #expect(scenario.poll(.init(id: 7, touched: 2), after: .seconds(86_400)).said.count == 1)
    }

    @Test func `a wait in a slot goes on although there is no episode`() throws {
        var scenario = sweep(try .test(sweep: Self.nine, do: [.say("a"), .wait(.seconds(60)), .say("b")]))
        #expect(scenario.poll(.init(id: 7), after: .seconds(3_600)).said == ["ops: a"])
        #expect(scenario.poll(.init(id: 7), after: .seconds(60)).said == ["ops: b"])
    }
}
