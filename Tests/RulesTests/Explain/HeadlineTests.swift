import CEL
import Testing

@testable import Rules

/// The sentence that says it all, where it is easily wrong.
@Suite struct HeadlineTests {
    private let seven = Scenario.Session(id: 7)

    @Test func `a 'key' that does not apply is the reason why nothing holds`() throws {
        var scenario = Scenario(try .test(key: "previous.status"))
        let explanation = try scenario.explain(seven)
        #expect(explanation.outcome == .no)
        #expect(explanation.summary.hasPrefix("does not hold: 'key' does not apply: "))
        #expect(explanation.kinds == [.key])
        #expect(try scenario.overview().counts == [.init(clause: "key", count: 1)])
    }

    @Test func `a 'key' that cannot be told is in the way too`() throws {
        var scenario = Scenario(try .test(key: "string(1 / (session.id - 7))"))
        let explanation = try scenario.explain(seven)
        #expect(explanation.summary == "cannot tell: 'key': division by zero")
        #expect(explanation.block(.key)?.text == "'key': division by zero")
    }

    @Test func `a clause that fails is the reason, whatever 'key' says`() throws {
        var scenario = Scenario(try .test(key: "session.link"))
        let explanation = try scenario.explain(.init(id: 7, status: "running"))
        #expect(explanation.kinds.isEmpty)
        #expect(explanation.summary == #"does not hold (session.status == "failed" is false)"#)
    }

    // MARK: - Schedules

    private func explainSlot(_ scenario: Scenario, localTime: Duration = .zero) throws -> Explanation {
        let prepared = try #require(scenario.rules.rule("r"))
        var world = scenario.world()
        world.localNow = world.now + localTime
        return scenario.rules.explain(prepared, nil, world: world, before: scenario.memory, after: scenario.memory)
    }

    @Test func `a schedule that is paused runs at the first slot after that`() throws {
        var scenario = Scenario(try .test(schedule: "*/30 * * * *"))
        scenario.tick(after: .zero)
        let next = try #require(scenario.memory.rules["r"]?.nextSlot)
        let until = next + .seconds(45 * 60)
        scenario.memory.rules["r"]?.pausedUntil = until
        let explanation = try explainSlot(scenario)
        #expect(explanation.slots?.next.first == next + .seconds(3_600))
        #expect(
            explanation.summary == "holds, but a person paused the rule until \(until.wholeSeconds): runs at "
                + "\((next + .seconds(3_600)).wholeSeconds), the first slot after that")
    }

    @Test func `the end of a pause is turned to this machine's clock to find the slot`() throws {
        var scenario = Scenario(try .test(schedule: "*/30 * * * *"))
        scenario.tick(after: .zero)
        let next = try #require(scenario.memory.rules["r"]?.nextSlot)
        // As long after the slot as this machine is ahead of Zimmer, so that it is over just then.
        scenario.memory.rules["r"]?.pausedUntil = next - .seconds(7_200)
        scenario.now = scenario.now - .seconds(7_200)
        #expect(try explainSlot(scenario, localTime: .seconds(7_200)).slots?.next.first == next)
    }

    @Test func `a schedule that is paused for good has no slot ahead`() throws {
        var scenario = Scenario(try .test(schedule: "*/30 * * * *"))
        scenario.tick(after: .zero)
        scenario.memory.rules["r"]?.pausedUntil = Memory.forGood
        let explanation = try explainSlot(scenario)
        #expect(explanation.slots?.next == [])
        #expect(explanation.summary == "holds, but does not run: a person paused the rule")
    }

    @Test func `a schedule with 'watch' lists what a slot would run for`() throws {
        var rule = try Rule.test()
        guard case .watch(let watchable) = rule.trigger else { return }
        rule.trigger = .sweep(try CronSchedule(parsing: "0 * * * *"), watchable)
        var scenario = Scenario(rule)
        scenario.poll(seven, .init(id: 8, status: "running"))
        let overview = try scenario.overview()
        #expect(overview.matching == [.init(subject: Scenario.id(7), title: nil)])
        #expect(overview.counts.map(\.count) == [1])
    }

    // MARK: - Questions

    @Test func `what a person is asked about first reads so, and is not said to run yet`() throws {
        var hide = Step.hide
        hide.confirmation = Confirmation(channel: "ops", people: ["ada"], within: .seconds(60))
        var scenario = Scenario(try .test(do: [hide]), try .test("other"))
        let explanation = try scenario.explain(seven)
        #expect(explanation.steps.map(\.text) == ["asks in ops, then hide session 7"])
        #expect(explanation.kinds.first == .notRun)
        #expect(explanation.summary.hasPrefix("holds, but does not run: 'run' does not take this file yet: rule 'r'"))
        // The whole file is refused.
        #expect(try scenario.explain(7, by: "other").kinds.first == .notRun)
    }
}
