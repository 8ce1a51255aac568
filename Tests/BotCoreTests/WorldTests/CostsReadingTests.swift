import CEL
import Foundation
import Rules
import Testing

@testable import BotCore

@Suite struct CostsReadingTests {
    private func time(_ text: String) throws -> Timestamp { try #require(WireTime.instant(text)) }

    private func costs(_ fixture: String, from: String, to: String = "2026-10-09T12:00:00Z") throws -> CostsReading {
        let window = CostsInterval(from: try time(from), to: try time(to))
        return CostsReading(try Fixture.document(fixture), window: window, readAt: Fixture.now, serverDate: nil)
    }

    @Test(arguments: [
        ("costs_7d", "2026-10-02T12:00:00Z"), ("costs_1d", "2026-10-08T12:00:00Z"),
        ("costs_empty_ledger", "2026-10-08T12:00:00Z"),
    ])
    func `every declared field can be read, and the window is the one asked for`(fixture: String, from: String) throws {
        let costs = try costs(fixture, from: from)
        func unreadable(_ value: Value, _ name: String) -> [String] {
            switch value {
            case .object(let object):
                zip(object.type.fields, object.slots).flatMap { unreadable($1, "\(name).\($0.name)") }
            case .list(let elements): elements.flatMap { unreadable($0, name) }
            case .error: [name]
            default: []
            }
        }
        #expect(unreadable(.object(costs.object), "costs") == [])
        #expect(costs.isOfWindow)
        #expect(costs.object["from"].shown == from)
    }

    @Test func `amounts are numbers also where they come as integers or text`() throws {
        let costs = try costs("costs_7d", from: "2026-10-02T12:00:00Z")
        guard case .object(let totals) = costs.object["totals"], case .list(let roots) = costs.object["by_agent_root"],
            case .object(let root)? = roots.first
        else { return #expect(Bool(false)) }
        #expect(totals["cost_usd"].shown == "336.0")
        #expect(root["agent_root"].shown == "widgets")
        #expect(root["cost_usd"].shown == "174.72")
        let json = try JSONDocument(
            Array(#"{"cost_usd": "12.5", "session_cost_usd": 3, "adhoc_cost_usd": "nan"}"#.utf8)
        ).root
        let sent = WireDecoder.object(totals.type, json)
        #expect(sent["cost_usd"].shown == "12.5")
        #expect(sent["session_cost_usd"].shown == "3.0")
        #expect(sent["adhoc_cost_usd"].isUnavailable)
    }

    @Test(arguments: [
        ("costs_7d", "2026-10-09T11:52:00Z", true), ("costs_7d", "2026-10-09T11:52:01Z", false),
        ("costs_empty_ledger", "2026-10-01T00:00:00Z", false),
    ])
    func `a window is complete when the ledger has passed its end`(fixture: String, to: String, isComplete: Bool) throws
    {
        let costs = try costs(fixture, from: "2026-10-01T00:00:00Z", to: to)
        #expect(costs.isComplete == isComplete)
        #expect(costs.object["complete"].shown == String(isComplete))
    }

    @Test func `an answer about another window is noticed`() throws {
        #expect(try !costs("costs_7d", from: "2026-10-01T12:00:00Z").isOfWindow)
        #expect(try costs("costs_7d", from: "2026-10-02T12:00:59Z").isOfWindow)
    }

    // MARK: - Windows

    @Test(arguments: [
        (CostsWindow.Span.today, "2026-10-09T05:00:00Z", "2026-10-09T12:00:00Z"),
        (.yesterday, "2026-10-08T05:00:00Z", "2026-10-09T05:00:00Z"),
        (.week, "2026-10-05T05:00:00Z", "2026-10-09T12:00:00Z"),
        (.month, "2026-10-01T05:00:00Z", "2026-10-09T12:00:00Z"),
        (.back(.seconds(7 * 86_400)), "2026-10-02T12:00:00Z", "2026-10-09T12:00:00Z"),
    ])
    func `windows are of the calendar in the rule's zone`(span: CostsWindow.Span, from: String, to: String) throws {
        let zone = try #require(TimeZone(identifier: "America/Chicago"))
        let interval = CostsInterval(CostsWindow(span, agentRoot: "web"), in: zone, at: Fixture.now)
        #expect(interval == CostsInterval(from: try time(from), to: try time(to), agentRoot: "web"))
    }

    @Test(arguments: [
        // The days of the change have 23 and 25 hours.
        ("2026-03-30T10:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        ("2026-10-26T10:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
        ("2027-01-01T00:30:00Z", "2026-12-30T23:00:00Z", "2026-12-31T23:00:00Z"),
    ])
    func `yesterday is a whole day of its zone`(now: String, from: String, to: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let interval = CostsInterval(CostsWindow(.yesterday), in: zone, at: try time(now))
        #expect(interval == CostsInterval(from: try time(from), to: try time(to)))
    }

    @Test func `a week begins on Monday, also on a Sunday`() throws {
        let zone = try #require(TimeZone(identifier: "UTC"))
        let interval = CostsInterval(CostsWindow(.week), in: zone, at: try time("2026-10-11T23:59:59Z"))
        #expect(interval.from == (try time("2026-10-05T00:00:00Z")))
    }
}
