import BotTestSupport
import DemoZimmer
import Testing

/// The report of what yesterday cost, every morning at nine in Chicago.
@Suite struct DayCostsTests {
    private static let rule = """
          - name: daily-costs
            schedule: "0 9 * * *"
            timezone: America/Chicago
            costs: yesterday
            do:
              - post: ops
                title: "{{ date(costs.from, 'yyyy-MM-dd') }}"
                text: "{{ usd(costs.totals.cost_usd) }}, {{ costs.complete }}"
        """

    /// A Zimmer that spent a dollar at each of these times, and nothing else.
    private static func simulation(
        _ rule: String = rule, at start: ServerTime = DemoServer.morning, spent: [String], offset: Duration = .zero
    ) throws -> Simulation {
        var state = ZimmerState(now: start)
        for text in spent {
            let time = try #require(ServerTime(iso8601: text))
            state.ledger.add(Spend(at: time, usd: 1))
        }
        return try Simulation(rule, on: DemoServer(state: state), polls: "{board: 5m}", offset: offset)
    }

    /// Thursday in Chicago, from end to end, and a moment to either side of it.
    private static let thursday = [
        "2026-10-08T04:59:00Z", "2026-10-08T05:00:00Z", "2026-10-08T18:00:00Z", "2026-10-09T04:59:00Z",
        "2026-10-09T05:00:00Z",
    ]

    @Test func `the report comes at nine and is about the day before`() async throws {
        let simulation = try Self.simulation(spent: Self.thursday)
        await simulation.pass(.minutes(179))
        #expect(simulation.said.isEmpty)
        await simulation.pass(.minutes(1))
        #expect(simulation.said == ["ops: 2026-10-08: $3.00, true"])
        await simulation.pass(.hours(23))
        #expect(simulation.said.count == 1)
        await simulation.pass(.hours(1))
        #expect(simulation.said.dropFirst() == ["ops: 2026-10-09: $1.00, true"])
    }

    @Test func `a bot that starts three hours late still reports the slot's yesterday, once`() async throws {
        let simulation = try Self.simulation(spent: Self.thursday)
        await simulation.pass(.minutes(10))
        try simulation.restart(after: .minutes(350))
        await simulation.pass(.hours(2))
        #expect(simulation.said == ["ops: 2026-10-08: $3.00, true"])
        try simulation.restart(after: .minutes(10))
        await simulation.pass(.minutes(30))
        #expect(simulation.said.count == 1)
    }

    @Test func `a slot that is eight hours old is missed, and that is said`() async throws {
        let simulation = try Self.simulation(spent: Self.thursday)
        await simulation.pass(.minutes(10))
        try simulation.restart(after: .hours(11))
        await simulation.pass(.hours(1))
        #expect(simulation.posts.isEmpty)
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.contains("daily-costs missed its slot of 2026-10-09T14:00:00Z") == true)
        await simulation.pass(.hours(15))
        #expect(simulation.posts == ["ops: 2026-10-09: $1.00, true"])
    }

    @Test func `it waits for the ledger to cover the day`() async throws {
        let simulation = try Self.simulation(spent: Self.thursday)
        simulation.server.update { state in
            state.ledger.forgetCoverage()
            state.ledger.coversUntil = state.now - .hours(10)
        }
        await simulation.pass(.minutes(200))
        #expect(simulation.posts.isEmpty)
        simulation.server.update { $0.ledger.sweep(at: $0.now) }
        await simulation.pass(.minutes(5))
        #expect(simulation.posts == ["ops: 2026-10-08: $3.00, true"])
    }

    @Test(arguments: [Duration.zero, .hours(1), .zero - .hours(1)])
    func `after an hour it reports what there is and says that it is not complete`(offset: Duration) async throws {
        // A rule that reads the board too, which is where the difference of the clocks is seen.
        let rule = Self.rule.replacing("usd(", with: "size(board) > 0 ? '?' : usd(")
        let simulation = try Self.simulation(rule, spent: Self.thursday, offset: offset)
        simulation.server.update { state in
            state.ledger.forgetCoverage()
            state.ledger.coversUntil = state.now - .hours(10)
        }
        await simulation.pass(.hours(3) - offset + .minutes(59))
        #expect(simulation.posts.isEmpty)
        await simulation.pass(.minutes(2))
        #expect(simulation.posts == ["ops: 2026-10-08: $2.00, false"])
        await simulation.pass(.hours(2))
        #expect(simulation.posts.count == 1)
    }

    @Test func `costs that cannot be read all morning make it a missed slot`() async throws {
        let simulation = try Self.simulation(spent: Self.thursday)
        simulation.server.inject(.answer(.internalError), on: .costs, times: nil)
        await simulation.pass(.hours(3) + .minutes(14))
        #expect(simulation.said.isEmpty)
        await simulation.pass(.minutes(5))
        #expect(simulation.notices.count == 1)
        await simulation.pass(.hours(7))
        #expect(simulation.posts.isEmpty)
        #expect(try simulation.trail("daily-costs").contains { $0.hasPrefix("missed: ") })
        #expect(simulation.notices.contains { $0.contains("missed its slot") })
        simulation.server.clearFaults()
        await simulation.pass(.hours(1))
        #expect(simulation.posts.isEmpty)
    }

    /// Days of the change of clocks in Chicago, with the first and the last minute of the day before the report.
    private static let changes: [(start: String, spent: [String], date: String)] = [
        (
            "2026-11-02T13:00:00Z",
            ["2026-11-01T04:59:00Z", "2026-11-01T05:00:00Z", "2026-11-02T05:59:00Z", "2026-11-02T06:00:00Z"],
            "2026-11-01"
        ),
        (
            "2026-03-09T12:00:00Z",
            ["2026-03-08T05:59:00Z", "2026-03-08T06:00:00Z", "2026-03-09T04:59:00Z", "2026-03-09T05:00:00Z"],
            "2026-03-08"
        ),
    ]

    @Test(arguments: changes)
    func `the day of a change of clocks has 25 or 23 hours`(
        start: String, spent: [String], date: String
    ) async throws {
        let simulation = try Self.simulation(at: try #require(ServerTime(iso8601: start)), spent: spent)
        await simulation.pass(.hours(4))
        #expect(simulation.said == ["ops: \(date): $2.00, true"])
    }
}
