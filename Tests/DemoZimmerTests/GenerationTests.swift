import DemoZimmer
import Testing

@Suite struct GenerationTests {
    private func server(_ generation: Generation) throws -> (DemoServer, HTTPClient) {
        let server = try DemoServer()
        server.update { state in
            state.generation = generation
            state.addSession(id: 7, title: "Fix login")
            state.triggers = [Trigger(id: 3, name: "Nightly sweep", createdAt: state.now)]
        }
        return (server, HTTPClient(server))
    }

    private static let routes = [
        "sessions/7/conversation", "sessions/7/elicitations", "work_backlog_items", "sessions/7/enqueued_messages",
        "triggers", "clis/status", "notifications", "health",
    ]

    @Test(arguments: zip(Generation.allCases, [5, 8, 8]))
    func `each has the paths of its time`(generation: Generation, count: Int) async throws {
        let (server, client) = try server(generation)
        var known = 0
        for route in Self.routes where try await client.get("/api/v1/\(route)").status == 200 { known += 1 }
        #expect(known == count)
        server.stop()
    }

    @Test func `in August there was no visibility, no view and only one form of words`() async throws {
        let (server, client) = try server(.august)
        let list = try await client.get("/api/v1/sessions?view=user").json
        let row = try #require(list["sessions"]?[0])
        #expect(list["truncated"] == nil)
        #expect(row["visibility"] == nil && row["goal_check"] == nil)
        #expect(row["category"]?["name"] == "In review")
        #expect(try await client.patch("/api/v1/sessions/7/visibility", ["visibility": "hidden"]).status == 404)
        let refusal = try await client.post("/api/v1/sessions/7/pause").json
        #expect(refusal["message"] == nil)
        #expect(refusal["messages"]?[0] == "Only running sessions can be paused.")
        server.stop()
    }

    @Test(arguments: zip(Generation.allCases, ["running", "waiting", "waiting"]))
    func `a follow-up starts a turn at once, or hands it over`(generation: Generation, status: JSON) async throws {
        let (server, client) = try server(generation)
        let answer = try await client.post("/api/v1/sessions/7/follow_up", ["prompt": "Go on."]).json
        #expect(answer["session"]?["status"] == status)
        server.stop()
    }

    @Test func `tomorrow there is more of everything, and optional members are of other types`() async throws {
        let (server, client) = try server(.tomorrow)
        let list = try await client.get("/api/v1/sessions").json
        #expect(list["served_by"] != nil)
        #expect(list["sessions"]?[0]?["precedence"] == "0")
        #expect(list["sessions"]?[0]?["mood"]?["word"] == "curious")
        let report = try #require(try await client.get("/api/v1/health").json["health_report"])
        #expect(report["warm_pool_health"] != nil)
        let trigger = try #require(try await client.get("/api/v1/triggers").json["triggers"]?[0])
        #expect(trigger["conditions"]?[1]?["condition_type"] == "omen")
        server.stop()
    }
}
