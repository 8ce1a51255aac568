import DemoZimmer
import Testing

@Suite struct FaultTests {
    let server: DemoServer
    let client: HTTPClient
    let id: Int

    init() throws {
        server = try DemoServer()
        client = HTTPClient(server)
        id = server.update { $0.addSession(title: "Fix the login") }
    }

    private func followUp() async throws -> HTTPResponse {
        try await client.post("/api/v1/sessions/\(id)/follow_up", ["prompt": "Go on."])
    }

    @Test func `one page of the board fails, once, and the others do not`() async throws {
        server.update { _ = $0.addBulk(60) }
        server.inject(.answer(.badGateway), on: .boardPage(2))
        #expect(try await client.get("/api/v1/sessions").status == 200)
        let failure = try await client.get("/api/v1/sessions?page=2")
        #expect(failure.status == 502)
        #expect(failure.json == .null)
        #expect(try await client.get("/api/v1/sessions?page=2").status == 200)
    }

    @Test func `a fault can wait, strike several times, and last until it is taken back`() async throws {
        server.inject(.answer(.tooManyRequests(retryAfter: 7)), on: .health, skip: 1, times: 2)
        var statuses: [Int] = []
        for _ in 1...4 { statuses.append(try await client.get("/api/v1/health").status) }
        #expect(statuses == [200, 429, 429, 200])

        server.inject(.answer(.databaseBusy), times: nil)
        for _ in 1...3 { #expect(try await client.get("/api/v1/health").status == 503) }
        server.clearFaults()
        #expect(try await client.get("/api/v1/health").status == 200)
    }

    @Test func `a dropped request changed nothing; a lost answer did`() async throws {
        server.inject(.dropRequest, on: .followUp)
        server.inject(.loseAnswer, on: .followUp)
        await #expect(throws: HTTPClient.Failure.self) { try await followUp() }
        #expect(server.state.sessions[id]?.conversation.count == 0)
        await #expect(throws: HTTPClient.Failure.self) { try await followUp() }
        #expect(server.state.sessions[id]?.conversation.count == 1)
        #expect(server.received(.followUp).map(\.wasApplied) == [false, true])
        #expect(server.received(.followUp).map(\.status) == [nil, nil])
        #expect(server.writes.map(\.sessionID) == [id])
    }

    @Test func `a body that is cut short ends before its announced length`() async throws {
        server.inject(.cutBody(after: 20), on: .board)
        await #expect(throws: HTTPClient.Failure.self) { try await client.get("/api/v1/sessions") }
        #expect(try await client.get("/api/v1/sessions").status == 200)
    }

    @Test func `a held answer comes when it is released, and others pass it meanwhile`() async throws {
        server.inject(.hold(nil), on: .followUp)
        async let held = followUp()
        try await server.request(matching: .followUp)
        #expect(server.state.sessions[id]?.status == .waiting)
        server.releaseHeld()
        #expect(try await held.status == 200)
    }

    @Test func `a server that stops drops what it holds`() async throws {
        server.inject(.hold(nil), on: .followUp)
        let held = Task { try await followUp() }
        try await server.request(matching: .followUp)
        server.stop()
        await #expect(throws: HTTPClient.Failure.self) { try await held.value }
    }

    @Test func `an answer can be changed on its way`() async throws {
        server.inject(.alter { $0.body = Array("{".utf8) }, on: .health)
        #expect(String(decoding: try await client.get("/api/v1/health").body, as: UTF8.self) == "{")
    }

    @Test func `requests are kept in order with what was sent and when`() async throws {
        _ = try await client.get("/api/v1/health")
        server.advance(by: .minutes(5))
        _ = try await followUp()
        let record = try #require(server.writes.first)
        #expect(record.body?["prompt"] == "Go on.")
        #expect(record.time.iso8601 == "2026-10-09T11:05:00Z")
        #expect(record.status == 200)
        #expect(server.requests.elements.map(\.method) == ["GET", "POST"])
    }

    @Test func `what came before a mark does not count`() async throws {
        _ = try await client.get("/api/v1/sessions/7")
        let mark = server.requests.count
        async let next = server.request(after: mark, matching: .session)
        _ = try await client.get("/api/v1/sessions/\(id)")
        #expect(try await next.sessionID == id)
    }

    @Test func `waiting ends when the task is cancelled or the server stops`() async throws {
        let cancelled = Task { try await server.request(matching: .costs) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }

        let events = server.requests.stream()
        server.stop()
        for await _ in events {}
        await #expect(throws: CancellationError.self) { try await server.request(matching: .costs) }
    }
}
