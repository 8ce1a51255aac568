import DemoZimmer
import Testing

@Suite struct VisibilityTests {
    let server: DemoServer
    let client: HTTPClient
    let id: Int

    init() throws {
        server = try DemoServer()
        client = HTTPClient(server)
        id = server.update { $0.addSession(title: "Fix the login") }
    }

    private func set(_ body: JSON) async throws -> HTTPResponse {
        try await client.patch("/api/v1/sessions/\(id)/visibility", body)
    }

    @Test(
        arguments: [
            ("2026-10-12T09:00:00", "UTC", "2026-10-12T09:00:00Z"),
            ("2026-10-12T09:00", "UTC", "2026-10-12T09:00:00Z"),
            ("2026-10-12T09:00:00Z", "UTC", "2026-10-12T09:00:00Z"),
            ("2026-10-12T09:00:00", "America/Chicago", "2026-10-12T14:00:00Z"),
            // After the clocks went back.
            ("2026-11-02T09:00:00", "America/Chicago", "2026-11-02T15:00:00Z"),
        ])
    func `a snooze is wall-clock time in its zone`(wall: String, zone: String, utc: String) async throws {
        let answer = try await set([
            "visibility": "snoozed", "snoozed_until": .string(wall), "timezone": .string(zone),
        ])
        #expect(answer.status == 200)
        #expect(answer.json["session"]?["snoozed_until"] == .string(utc))
    }

    @Test(
        arguments: [
            ["visibility": "gone"], [:], ["visibility": "snoozed"],
            ["visibility": "snoozed", "snoozed_until": "2026-10-09T10:59:00"],
            ["visibility": "snoozed", "snoozed_until": "2026-10-12T09:00:00+00:00"],
            ["visibility": "snoozed", "snoozed_until": "2026-10-12T09:00:00Z", "timezone": "America/Chicago"],
            ["visibility": "snoozed", "snoozed_until": "2026-10-12T09:00:00", "timezone": "Chicago"],
            ["visibility": "snoozed", "snoozed_until": "2026-02-30T09:00:00"],
            ["visibility": "snoozed", "snoozed_until": "monday"],
        ] as [JSON])
    func `a snooze that contradicts itself or time is refused`(body: JSON) async throws {
        let answer = try await set(body)
        #expect(answer.status == 422)
        #expect(answer.json["error"] == "Visibility update failed")
        #expect(server.state.sessions[id]?.visibility == .visible)
    }

    @Test func `a snooze ends by being read, and nothing is written`() async throws {
        _ = try await set(["visibility": "snoozed", "snoozed_until": "2026-10-09T12:00:00"])
        let before = try #require(try await row())
        #expect(before["effective_visibility"] == "snoozed")
        #expect(try await count("off_board") == 1)
        server.advance(by: .hours(1))
        let after = try #require(try await row())
        #expect(after["visibility"] == "snoozed")
        #expect(after["effective_visibility"] == "visible")
        #expect(after["updated_at"] == before["updated_at"])
        #expect(try await count("on_board") == 1)
    }

    private func row() async throws -> JSON? {
        try await client.get("/api/v1/sessions").json["sessions"]?[0]
    }

    private func count(_ visibility: String) async throws -> Int? {
        try await client.get("/api/v1/sessions?visibility=\(visibility)").json["pagination"]?["total_count"]?.integer
    }
}
