import DemoZimmer
import Testing

@Suite struct BoardTests {
    let server: DemoServer
    let client: HTTPClient

    init() throws {
        server = try DemoServer()
        client = HTTPClient(server)
    }

    private func ids(_ query: String) async throws -> [Int] {
        let answer = try await client.get("/api/v1/sessions?\(query)")
        return answer.json["sessions"]?.elements?.compactMap { $0["id"]?.integer } ?? []
    }

    @Test func `pages are newest first, without gaps or repeats, and end empty`() async throws {
        let all = server.update { $0.addBulk(260) }
        var seen: [Int] = []
        for page in 1...3 { seen += try await ids("per_page=100&page=\(page)") }
        #expect(seen == all)
        #expect(try await ids("per_page=100&page=4") == [])
    }

    @Test(
        arguments: [
            ("", 1, 25), ("per_page=1000", 1, 100), ("per_page=0", 1, 1), ("per_page=lots", 1, 1), ("page=-3", 1, 25),
            ("page=x", 1, 25), ("page=9223372036854775807&per_page=100", 9_223_372_036_854_775_807, 100),
        ])
    func `page numbers out of range are clamped`(query: String, page: Int, size: Int) async throws {
        let pagination = try await client.get("/api/v1/sessions?\(query)").json["pagination"]
        #expect(pagination?["page"] == .int(page))
        #expect(pagination?["per_page"] == .int(size))
        #expect(pagination?["total_pages"] == 0)
    }

    @Test func `filters narrow, and words they do not know narrow nothing`() async throws {
        let (failed, archived, spot) = server.update { state in
            (
                state.addSession(title: "Failed", status: .failed),
                state.addSession(title: "Archived", status: .archived),
                state.addSession(title: "Spot") { $0.genesis = "api" }
            )
        }
        #expect(try await ids("") == [spot, failed])
        #expect(try await ids("status=failed") == [failed])
        #expect(try await ids("status[]=failed&status[]=needs_input") == [spot, failed])
        #expect(try await ids("status=archived") == [])
        #expect(try await ids("status=archived&show_archived=true") == [archived])
        #expect(try await ids("show_archived=yes") == [spot, failed])
        #expect(try await ids("priority_class=spot") == [spot])
        #expect(try await ids("priority_class=urgent&genesis=elsewhere&visibility=sideways") == [spot, failed])
    }

    @Test func `a session is found by its slug, and what is nowhere is 404`() async throws {
        server.update { _ = $0.addSession(id: 1240, title: "Add CSV export: part 2?") }
        let answer = try await client.get("/api/v1/sessions/add-csv-export-part-2-1240")
        #expect(answer.json["session"]?["id"] == 1240)
        let missing = try await client.get("/api/v1/sessions/1241")
        #expect(missing.status == 404)
        #expect(missing.json["error"] == "Not Found")
        // A route that does not exist is another thing than a row, and no JSON.
        let route = try await client.get("/api/v1/session/1240")
        #expect(route.status == 404)
        #expect(route.header("content-type")?.hasPrefix("text/html") == true)
    }

    @Test func `rows can be as wrong as another version of the server would send them`() async throws {
        server.update { state in
            state.addSession(title: "Odd") { session in
                session.wireOverrides = [
                    "status": "hibernating", "title": 17,
                    "metadata": .encoded(Array(#""\ud800""#.utf8)), "a_new_field": [1, 2],
                ]
                session.wireOmissions = ["visibility"]
            }
        }
        let body = String(decoding: try await client.get("/api/v1/sessions").body, as: UTF8.self)
        #expect(body.contains(#""title":17,"status":"hibernating""#))
        #expect(body.contains(#""metadata":"\ud800""#))
        #expect(!body.contains(#""visibility""#))
        #expect(body.contains(#""a_new_field":[1,2]"#))
    }

    @Test func `the pollers read open pull requests again every minute, but not in recovery mode`() async throws {
        let id = server.update { state in
            state.addSession(title: "Fix the login") { session in
                session.pullRequests = [PullRequest(repository: "example/widgets", number: 7, ci: .pass)]
            }
        }
        func readAt() -> String? {
            server.state.sessions[id]?.pullRequestsReadAt?.iso8601
        }
        server.advance(by: .seconds(90))
        #expect(readAt() == "2026-10-09T11:01:00Z")
        server.update { $0.recovery.enter(reason: "Stall", by: "Pat", for: .minutes(10), at: $0.now) }
        server.advance(by: .minutes(5))
        #expect(readAt() == "2026-10-09T11:01:00Z")
        server.advance(by: .minutes(6))
        #expect(readAt() == "2026-10-09T11:12:00Z")
    }
}
