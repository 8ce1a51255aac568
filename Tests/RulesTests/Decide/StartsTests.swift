import CEL
import Testing

@testable import Rules

@Suite struct StartsTests {
    private static let begin = Timestamp(seconds: 1_800_000_000)

    private func start(_ seconds: Int64, rule: String = "a", subject: Int = 7, part: Run.Part = .steps) -> Memory.Start
    {
        Memory.Start(
            at: Self.begin + .seconds(seconds), rule: rule, subject: Scenario.id(subject), part: part, cost: 5)
    }

    @Test func `a start counts for its rule an hour, for its subject a day`() {
        var starts = Starts([start(0), start(10, rule: "b"), start(20, subject: 8), start(30, part: .resolved)])
        starts.advance(to: Self.begin + .seconds(60))
        #expect(starts.count(of: "a") == 2)
        #expect(starts.count(of: "a", for: Scenario.id(7)) == 1)
        #expect(starts.spent == (hour: 20, day: 20))
        starts.advance(to: Self.begin + .seconds(3_610))
        #expect(starts.count(of: "a") == 1)
        #expect(starts.count(of: "b") == 0)
        #expect(starts.count(of: "a", for: Scenario.id(7)) == 1)
        #expect(starts.spent == (hour: 10, day: 20))
        starts.advance(to: Self.begin + .seconds(86_400))
        #expect(starts.count(of: "a", for: Scenario.id(7)) == 0)
        #expect(starts.spent == (hour: 0, day: 15))
        #expect(starts.all.count == 3)
    }

    @Test func `after a clock was put back an hour is what it is by the new time`() {
        var starts = Starts([start(0), start(4_000)])
        starts.advance(to: Self.begin + .seconds(4_000))
        #expect(starts.count(of: "a") == 1)
        starts.advance(to: Self.begin + .seconds(3_000))
        #expect(starts.count(of: "a") == 2)
    }

    @Test func `counts stay right over many days`() {
        var starts = Starts()
        for minute in 0..<(5 * 1_440) {
            starts.advance(to: Self.begin + .seconds(Int64(minute) * 60))
            starts.append(start(Int64(minute) * 60, subject: minute % 10))
        }
        #expect(starts.count(of: "a") == 60)
        #expect(starts.count(of: "a", for: Scenario.id(3)) == 144)
        #expect(starts.spent == (hour: 300, day: 7_200))
        #expect(starts.all.count == 1_440)
    }
}
