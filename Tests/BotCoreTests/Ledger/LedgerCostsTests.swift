import AdapterKitTesting
import CEL
import Rules
import Testing

@testable import BotCore

/// Rules that watch costs, each its own window.
@Suite struct LedgerCostsTests {
    private let rules = """
          - name: today
            watch: costs
            if: costs.totals.cost_usd > 100.0
            do:
              - {post: ops, text: "today {{ usd(costs.totals.cost_usd) }}"}
              - wait: 10m
              - {post: ops, text: "still {{ usd(costs.totals.cost_usd) }}"}
          - name: month
            watch: costs
            costs: month
            if: costs.totals.cost_usd > 1000.0
            do: [{post: ops, text: "month {{ usd(costs.totals.cost_usd) }}"}]
        """
    private let today = CostsRequest(window: CostsWindow(.today), timeZone: "UTC", slot: nil)
    private let month = CostsRequest(window: CostsWindow(.month), timeZone: "UTC", slot: nil)

    private func costs(_ dollars: Double, at now: Timestamp) -> Result<CostsReading, ZimmerError> {
        guard case .object(let totals)? = WorldSchema.costs.fields.first(where: { $0.name == "totals" })?.type else {
            preconditionFailure("costs have totals")
        }
        let object = Object(
            WorldSchema.costs,
            named: ["totals": .object(Object(totals, named: ["cost_usd": .double(dollars)])), "complete": .bool(true)])
        return .success(CostsReading(object, window: CostsInterval(from: now, to: now), readAt: now))
    }

    private let failure = Result<CostsReading, ZimmerError>.failure(
        ZimmerError(.transport, message: "no route to host", reach: .notSent))

    @Test func `a rule is not decided on another rule's window`() async throws {
        let stage = try LedgerStage(rules)
        let now = stage.clock.now()
        #expect(try await stage.ledger.take([month: costs(500, at: now)]).said.isEmpty)
        #expect(try await stage.ledger.take([month: costs(500, at: now), today: failure]).said.isEmpty)
        #expect(try await stage.ledger.take([today: costs(150, at: now)]).said == ["today $150.00"])
    }

    @Test func `a window whose reading failed decides nothing, whatever else was read`() async throws {
        let stage = try LedgerStage(rules)
        let now = stage.clock.now()
        _ = try await stage.ledger.take([today: costs(150, at: now), month: costs(500, at: now)])
        _ = try await stage.ledger.take([today: failure, month: costs(500, at: now)])
        #expect(await stage.ledger.memory.rules["today"]?.unreadable?.reason == "no route to host")
        #expect(await stage.ledger.memory.rules["month"]?.unreadable == nil)
    }

    @Test func `a wait of a rule that watches costs goes on`() async throws {
        let stage = try LedgerStage(rules)
        _ = try await stage.ledger.take([today: costs(150, at: stage.clock.now())])
        stage.clock.clock.advance(by: .seconds(600))
        _ = try await stage.ledger.take([today: costs(160, at: stage.clock.now())])
        #expect(try await stage.waiting() == ["today $150.00", "still $160.00"])
    }
}
