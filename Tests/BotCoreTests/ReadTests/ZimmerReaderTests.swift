import CEL
import DemoZimmer
import Testing

@testable import BotCore

@Suite struct ZimmerReaderTests {
    private func reader(_ response: BotCore.HTTPResponse) throws -> ZimmerReader {
        ZimmerReader(try ZimmerClient(FakeTransport(response)), decoder: SessionDecoder(webURL: "https://z"))
    }

    private func reader(_ fixture: String, status: Int = 200) throws -> ZimmerReader {
        try reader(
            BotCore.HTTPResponse(status: status, headers: [("x-request-id", "r")], body: try Fixture.bytes(fixture)))
    }

    @Test func `one session is read by id`() async throws {
        let row = try #require(try await reader("session_show").session(1240, timeout: .seconds(3_600)))
        var tracker = SessionTracker()
        let reading = tracker.reading(of: row, previous: nil, at: Fixture.now)
        #expect(reading.title == "Add CSV export to the report page")
        #expect(try await reader("session_show_fresh").session(1220, timeout: .seconds(3_600))?.status == "waiting")
    }

    @Test func `a session that is gone is none, a route that is gone is a failure`() async throws {
        #expect(try await reader("error_404", status: 404).session(1, timeout: .seconds(3_600)) == nil)
        for response in [
            BotCore.HTTPResponse(
                status: 404, headers: [("content-type", "text/plain")], body: Array("404 page not found".utf8)),
            BotCore.HTTPResponse(status: 404, headers: [("x-request-id", "r")], body: Array("<html>".utf8)),
        ] {
            await #expect(throws: ZimmerError.self) { try await reader(response).session(1, timeout: .seconds(3_600)) }
        }
    }

    @Test func `another session than the one asked for is a failure`() async throws {
        let error = await #expect(throws: ZimmerError.self) {
            try await reader("session_show").session(1241, timeout: .seconds(3_600))
        }
        #expect(error?.code == .badBody)
    }

    @Test func `health is read`() async throws {
        let health = try await reader("health_recovery_mode").health(at: Fixture.now, timeout: .seconds(3_600))
        #expect(health.arePullRequestsFrozen == true)
        #expect(health.readAt == Fixture.now)
    }

    @Test func `costs of another window are a failure`() async throws {
        let week = CostsInterval(from: Fixture.now - .seconds(7 * 86_400), to: Fixture.now)
        let costs = try await reader("costs_7d").costs(week, at: Fixture.now, timeout: .seconds(3_600))
        #expect(costs.window == week)
        let error = await #expect(throws: ZimmerError.self) {
            try await reader("costs_1d").costs(week, at: Fixture.now, timeout: .seconds(3_600))
        }
        #expect(error?.code == .badBody)
    }

    @Test func `what did not change is not sent again, and is as fresh as if it was`() async throws {
        let server = try DemoServer()
        defer { server.stop() }
        let address = try #require(ZimmerAddress(server.url))
        let client = ZimmerClient(
            address, key: APIKey(server.apiKey), transport: CurlTransport(), version: "test", allowed: ZimmerCall.reads)
        let reader = ZimmerReader(client, decoder: SessionDecoder(webURL: server.url))
        let week = CostsInterval(from: Fixture.now - .seconds(7 * 86_400), to: Fixture.now)
        var readings: [(health: HealthReading, costs: CostsReading)] = []
        for round in 0..<3 {
            if round == 2 {
                server.update { state in
                    state.apply(.recoveryBegins(reason: "Stall", .hours(2)))
                    state.ledger.add(Spend(at: state.now - .hours(1), usd: 2, root: "widgets", model: "opus"))
                }
            }
            let now = Fixture.now + .seconds(120 * round)
            readings.append(
                (
                    try await reader.health(at: now, timeout: .seconds(60)),
                    try await reader.costs(week, at: now, timeout: .seconds(60))
                ))
            #expect(readings[round].health.readAt == now)
            #expect(readings[round].costs.readAt == now)
        }
        #expect(server.requests.elements.map(\.status) == [200, 200, 304, 304, 200, 200])
        #expect(readings[0].health.object === readings[1].health.object)
        #expect(readings[0].costs.object === readings[1].costs.object)
        #expect(readings.map(\.health.arePullRequestsFrozen) == [false, false, true])
        #expect(readings[2].costs.object !== readings[1].costs.object)
    }
}
