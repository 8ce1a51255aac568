import CEL
import Testing

@testable import Rules

@Suite struct SlotTests {
    /// The beginning of an hour.
    private static let hour = Timestamp(seconds: 1_800_000_000)

    private func hourly(_ rule: Rule) -> Scenario {
        var scenario = Scenario(rule)
        scenario.now = Self.hour - .seconds(60)
        scenario.tick(after: .zero)
        return scenario
    }

    @Test func `a slot is not decided on what was read before it`() throws {
        var scenario = hourly(try .test(schedule: "0 * * * *", if: "!health.busy"))
        scenario.healthReadAt = Self.hour - .seconds(10)
        #expect(scenario.tick(after: .seconds(61)).said.isEmpty)
        scenario.healthReadAt = Self.hour + .seconds(2)
        #expect(scenario.tick(after: .seconds(1)).said == ["ops: slot"])
    }

    @Test func `a slot that cannot be told yet asks for no decision of its own`() throws {
        var scenario = hourly(try .test(schedule: "0 * * * *", if: "!health.busy"))
        scenario.healthReadAt = Self.hour - .seconds(10)
        #expect(scenario.tick(after: .seconds(61)).pause == nil)
    }

    @Test func `a clock that went back by years does not leave a schedule waiting for them`() throws {
        var scenario = Scenario(try .test(schedule: "0 * * * *"))
        scenario.now = Self.hour + .seconds(10 * 365 * 86_400)
        scenario.tick(after: .zero)
        scenario.now = Self.hour - .seconds(60)
        #expect(scenario.tick(after: .zero).pause == .seconds(60))
        #expect(scenario.tick(after: .seconds(60)).said == ["ops: slot"])
    }

    @Test func `a clock that went back by an hour runs no slot again`() throws {
        var scenario = hourly(try .test(schedule: "0 * * * *"))
        #expect(scenario.tick(after: .seconds(60)).said == ["ops: slot"])
        scenario.now = Self.hour - .seconds(3_000)
        #expect(scenario.tick(after: .zero).said.isEmpty)
        #expect(scenario.tick(after: .seconds(3_000)).said.isEmpty)
        #expect(scenario.tick(after: .seconds(3_600)).said == ["ops: slot"])
    }
}
