/// Which Zimmer this one is: they change with every deploy, and a client meets old ones and new ones.
package enum Generation: String, Sendable, CaseIterable {
    /// Summer 2026: categories instead of visibility, neither views nor access tokens, few lists.
    case august
    case today
    /// One that does not exist yet: more of everything, words that nobody knows, optional members of other types.
    case tomorrow
}

extension Generation {
    private static let newSinceAugust = [
        "sessions/:id/visibility", "sessions/:id/conversation", "sessions/:id/elicitations",
        "sessions/:id/authorize_merge", "work_backlog_items",
    ]

    func has(_ route: Route) -> Bool {
        self != .august || !Self.newSinceAugust.contains(route.components.joined(separator: "/"))
    }

    /// A session's row as this generation writes it.
    func row(_ json: JSON) -> JSON {
        var row = json
        switch self {
        case .today: break
        case .august:
            for name in Self.membersSinceAugust { row[name] = nil }
            row["execution_provider"] = "local_filesystem"
            row["category_id"] = 3
            row["category"] = ["id": 3, "name": "In review", "position": 1, "is_frozen": false]
        case .tomorrow:
            row["precedence"] = row["precedence"]?.integer.map { .string(String($0)) }
            row["heartbeat_interval_seconds"] = "60"
            row["mcp_servers"] = ["issue-tracker": true]
            row["effort"] = []
            row["goal_check"] = "met"
            row["config"] = ["model": row["config"]?["model"] ?? .null, "temper": ["calm", 0.5, .null]]
            row["mood"] = ["word": "curious", "since": .null, "history": [[1, 2], []]]
        }
        return row
    }

    private static let membersSinceAugust = [
        "visibility", "effective_visibility", "snoozed_until", "goal_check", "effort", "idempotency_key",
    ]

    /// A trigger as this generation writes it.
    func trigger(_ json: JSON) -> JSON {
        guard self == .tomorrow else { return json }
        var json = json
        let omen: JSON = [
            "id": 990, "condition_type": "omen", "configuration": ["birds", 7], "description": .null,
            "last_triggered_at": "a while ago", "last_polled_at": .null,
        ]
        json["conditions"] = .array((json["conditions"]?.elements ?? []) + [omen])
        json["max_sessions_per_minute"] = "10"
        json["unresolved_catalog_references"] = []
        return json
    }

    /// The sections of the health report.
    func health(_ report: JSON) -> JSON {
        guard self == .tomorrow else { return report }
        var report = report
        report["warm_pool_health"] = [
            "status": ["status": "warning", "message": "2 of 5 warm", "code": 17], "warm": "2", "wanted": 5,
        ]
        report["log_retention_health"] = []
        return report
    }

    /// What this generation does to every answer.
    func answer(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        if self == .tomorrow, response.body.count > 2, response.body[0] == UInt8(ascii: "{") {
            response.body.replaceSubrange(..<1, with: #"{"_links":{"self":{"href":"/?"}},"served_by":["a",{}],"#.utf8)
        }
        return response
    }

    /// Old servers sent one of the two forms of words, sometimes this one and sometimes that.
    func refusal(_ refusal: Refusal) -> HTTPResponse {
        guard self == .august else { return refusal.response }
        let words: JSON.Member =
            refusal.status == 422
            ? .init("messages", JSON(refusal.messages))
            : .init("message", .string(refusal.messages.joined(separator: ", ")))
        return .json(.object([.init("error", .string(refusal.error)), words] + refusal.extra), status: refusal.status)
    }
}
