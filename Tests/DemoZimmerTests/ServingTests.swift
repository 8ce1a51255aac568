import DemoZimmer
import Testing

@Suite struct ServingTests {
    let server: DemoServer
    let client: HTTPClient

    init() throws {
        server = try DemoServer()
        client = HTTPClient(server)
    }

    @Test func `a session that was put there is on the board`() async throws {
        let id = server.update { $0.addSession(title: "Fix the login", status: .failed) }
        let answer = try await client.get("/api/v1/sessions")
        #expect(answer.status == 200)
        #expect(answer.json["sessions"]?[0]?["id"] == .int(id))
        #expect(answer.json["sessions"]?[0]?["status"] == "failed")
        #expect(answer.json["pagination"]?["total_count"] == 1)
    }

    @Test func `a stranger's key is refused on every route, and the answer does not say why`() async throws {
        for headers in [[], [("X-API-Key", "zmr_demo_kez")], [("Authorization", "Bearer zmr_oat_unknown")]] {
            let answer = try await HTTPClient(port: server.port).get("/api/v1/health", headers: headers)
            #expect(answer.status == 401)
            #expect(answer.json["error"] == "Unauthorized")
        }
    }

    @Test func `every answer has a request id and the server's own date`() async throws {
        server.advance(by: .hours(1))
        let answer = try await client.get("/api/v1/nothing")
        #expect(answer.status == 404)
        #expect(answer.header("x-request-id")?.count == 36)
        #expect(answer.header("date") == "Fri, 09 Oct 2026 12:00:00 GMT")
    }

    @Test func `an unchanged board answers 304 to who has it, and 200 after any change`() async throws {
        let id = server.update { $0.addSession(title: "Fix the login") }
        let first = try await client.get("/api/v1/sessions")
        let tag = try #require(first.header("etag"))
        #expect(try await client.get("/api/v1/sessions", headers: [("If-None-Match", tag)]).status == 304)
        server.update { $0.edit(id) { $0.status = .failed } }
        #expect(try await client.get("/api/v1/sessions", headers: [("If-None-Match", tag)]).status == 200)
    }

    @Test func `a stopped server refuses connections, and its state lives on in another one`() async throws {
        server.update { _ = $0.addSession(title: "Survivor") }
        server.stop()
        await #expect(throws: HTTPClient.Failure.self) { try await client.get("/up") }
        // Free ports go round: somebody else may have the old one by now.
        let next = try (try? DemoServer(state: server.state, port: server.port)) ?? DemoServer(state: server.state)
        let board = try await HTTPClient(next).get("/api/v1/sessions").json
        #expect(board["sessions"]?[0]?["title"] == "Survivor")
    }
}
