import DemoZimmer
import Glibc
import Testing

/// Every recorded answer of the real server has its members here too.
@Suite struct FixtureShapeTests {
    let server: DemoServer
    let client: HTTPClient

    init() throws {
        server = try DemoServer(day: .friday)
        server.advance(by: .hours(8))
        client = HTTPClient(server)
    }

    @Test(
        arguments: [
            ("sessions_page1", "/api/v1/sessions"), ("sessions_page3_empty", "/api/v1/sessions?page=99"),
            ("sessions_archived", "/api/v1/sessions?show_archived=true&status=archived"),
            ("sessions_view_user", "/api/v1/sessions?view=user"),
            ("sessions_search", "/api/v1/sessions/search?q=widgets"),
            ("session_show", "/api/v1/sessions/1209"), ("conversation", "/api/v1/sessions/1209/conversation"),
            ("logs", "/api/v1/sessions/1200/logs"), ("enqueued_messages", "/api/v1/sessions/1233/enqueued_messages"),
            ("elicitations", "/api/v1/sessions/1219/elicitations"), ("notifications", "/api/v1/notifications"),
            ("notifications_badge", "/api/v1/notifications/badge"), ("health_ok", "/api/v1/health"),
            ("queue_recovery_mode_off", "/api/v1/health/queue_recovery_mode"), ("costs_1d", "/api/v1/costs?days=1"),
            ("costs_7d", "/api/v1/costs"), ("configs", "/api/v1/configs"), ("clis_status", "/api/v1/clis/status"),
            ("triggers", "/api/v1/triggers"), ("trigger_show", "/api/v1/triggers/7"),
            ("work_backlog_items", "/api/v1/work_backlog_items"), ("up_deep_ok", "/up/deep"),
        ])
    func `reading has every member of the recorded answer`(fixture: String, target: String) async throws {
        server.update { state in
            // One of everything that the recorded answers show and this hour of the day does not.
            state.say("Use semicolons, please.", to: 1233)
            state.authorizeMerge(in: 1209, by: "Pat")
            state.invoke(trigger: 7)
            state.edit(1222) { $0.failureReason = "sigterm_retries_exhausted" }
            state.edit(1223) { $0.failureReason = "api_error_retries_exhausted" }
        }
        let answer = try await client.get(target)
        #expect(answer.status == 200)
        let missing = missing(from: answer.json, comparedWith: try load(fixture))
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test(
        arguments: [
            ("follow_up_sent", "POST", "sessions/1201/follow_up", ["prompt": "Go on."], 200),
            ("follow_up_queued", "POST", "sessions/1233/follow_up", ["prompt": "Go on."], 202),
            ("visibility_snoozed", "PATCH", "sessions/1201/visibility", snooze, 200),
            ("archive_ok", "POST", "sessions/1201/archive", [:], 200),
            ("unarchive_ok", "POST", "sessions/1190/unarchive", [:], 200),
            ("restart_ok", "POST", "sessions/1201/restart", [:], 200),
            ("toggle_favorite", "POST", "sessions/1201/toggle_favorite", [:], 200),
            ("heartbeat", "PATCH", "sessions/1201/heartbeat", ["enabled": true], 200),
            ("session_created", "POST", "sessions", ["prompt": "Hello", "agent_root": "widgets"], 201),
            ("log_created", "POST", "sessions/1201/logs", ["content": "fired", "level": "info"], 201),
            ("push_queued", "POST", "notifications/push", ["session_id": 1201, "message": "Look."], 200),
            ("notifications_mark_all_read", "PATCH", "notifications/mark_all_read", [:], 200),
            ("notifications_dismiss_all_read", "DELETE", "notifications/dismiss_all_read", [:], 200),
            ("queue_recovery_mode", "POST", "health/enter_queue_recovery_mode", ["reason": "Stall"], 200),
            ("health_retry_sessions", "POST", "health/retry_sessions", ["session_ids": [1200, 1201, 1202]], 200),
            ("trigger_toggled", "POST", "triggers/7/toggle", [:], 200),
            ("trigger_invoke_created", "POST", "triggers/7/invoke", [:], 201),
            (
                "elicitation_respond_ok", "PATCH", "elicitations/62/respond",
                ["action_type": "accept", "content": ["confirm": true]], 200
            ),
            ("error_404", "POST", "sessions/77/archive", [:], 404),
            ("error_422", "PATCH", "sessions/1201", ["title": " "], 422),
            ("error_422_cannot_restart", "POST", "sessions/1233/restart", [:], 422),
            ("error_422_turn_in_flight", "POST", "sessions/1233/archive", [:], 422),
            ("error_422_visibility", "PATCH", "sessions/1201/visibility", ["visibility": "snoozed"], 422),
        ] as [(String, String, String, JSON, Int)])
    func `writing has every member of the recorded answer`(
        fixture: String, method: String, path: String, body: JSON, status: Int
    ) async throws {
        server.update { state in
            state.elicit("Delete 3 objects?", tool: "delete_objects", in: 1214)
        }
        let answer = try await client.send(method, "/api/v1/\(path)", body)
        #expect(answer.status == status, "\(String(decoding: answer.body, as: UTF8.self))")
        let missing = missing(from: answer.json, comparedWith: try load(fixture))
        #expect(missing.isEmpty, "\(missing)")
        if status >= 400 { #expect(answer.json["error"] == (try load(fixture))["error"]) }
    }

    private static let snooze: JSON = [
        "visibility": "snoozed", "snoozed_until": "2026-10-16T09:00:00", "timezone": "UTC",
    ]

    /// Lists that need a failure of their own to be filled.
    private let mayBeEmpty = [".warnings", ".skipped"]

    /// Paths of members that the fixture has and the answer has not. Arrays compare by their richest element on each
    /// side; free-form objects and those that hold names of things are left out.
    private func missing(from answer: JSON, comparedWith fixture: JSON, at path: String = "") -> [String] {
        let freeForm = [
            "metadata", "custom_metadata", "configuration", "per_mtok", "runtime_models", "tools", "stats", "ratings",
            "properties", "sessions_by_status", "failure_reasons", "error_categories", "context", "content",
        ]
        if freeForm.contains(where: { path.hasSuffix("." + $0) }) { return [] }
        if let members = fixture.members, answer.members != nil {
            return members.flatMap { member -> [String] in
                guard let value = answer[member.name] else { return ["\(path).\(member.name)"] }
                return missing(from: value, comparedWith: member.value, at: "\(path).\(member.name)")
            }
        }
        if let wanted = fixture.elements, !wanted.isEmpty, let elements = answer.elements {
            if elements.isEmpty { return mayBeEmpty.contains(path) ? [] : ["\(path)[] is empty"] }
            return missing(from: union(elements), comparedWith: union(wanted), at: "\(path)[]")
        }
        return []
    }

    /// An object with every member that any of the elements has, null only where all are.
    private func union(_ elements: [JSON]) -> JSON {
        var all: JSON = [:]
        for member in elements.flatMap({ $0.members ?? [] }) where all[member.name] ?? .null == .null {
            all[member.name] = member.value
        }
        return all
    }

    private func load(_ name: String, file: String = #filePath) throws -> JSON {
        let tests = file.split(separator: "/").dropLast(2).joined(separator: "/")
        let path = "/\(tests)/BotCoreTests/Fixtures/\(name).json"
        let handle = try #require(fopen(path, "r"), "no fixture \(path)")
        defer { fclose(handle) }
        var bytes: [UInt8] = []
        while true {
            let byte = getc(handle)
            guard byte != EOF else { break }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        return try #require(JSON(parsing: bytes))
    }
}
