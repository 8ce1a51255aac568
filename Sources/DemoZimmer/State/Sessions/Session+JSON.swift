extension Session {
    /// The session as every answer shows it.
    func json(at now: ServerTime, as generation: Generation = .today) -> JSON {
        var members: [JSON.Member] = []
        func add(_ name: String, _ value: JSON) { members.append(JSON.Member(name, value)) }

        add("id", .int(id))
        add("slug", JSON(slug))
        add("idempotency_key", JSON(idempotencyKey))
        add("title", JSON(title))
        add("status", .string(status.rawValue))
        add("agent_runtime", .string(agentRuntime))
        add("genesis", .string(genesis))
        add("scheduling_class", JSON(schedulingClass))
        add("priority_class", .string(priorityClass))
        add("precedence", .int(precedence))
        add("prompt", JSON(prompt))
        add("git_root", JSON(gitRoot))
        add("branch", .string(branch))
        add("subdirectory", JSON(subdirectory))
        add("goal", JSON(goal))
        add("goal_check", goalCheck)
        add("mcp_servers", JSON(mcpServers))
        add("all_mcp_servers", JSON(mcpServers + ["zimmer-self"]))
        add("injected_mcp_servers", ["zimmer-self"])
        add("catalog_skills", [])
        add("catalog_hooks", [])
        add("catalog_plugins", [])
        add("config", ["model": .string(model)])
        add("effort", Self.effort)
        add("metadata", metadata)
        add("custom_metadata", allCustomMetadata)
        add("is_autonomous", .bool(isAutonomous))
        add("heartbeat_enabled", .bool(heartbeatEnabled))
        add("heartbeat_interval_seconds", .int(heartbeatIntervalSeconds))
        add("auto_compact_window", 1_000_000)
        add("session_id", JSON(runtimeSessionID))
        add("job_id", JSON(jobID))
        add("running_job_id", isAlive ? JSON(jobID) : .null)
        add("archived_at", JSON(archivedAt))
        add("trash_after", JSON(trashAfter))
        add("created_at", JSON(createdAt))
        add("updated_at", JSON(updatedAt))
        add("session_notes", JSON(notes))
        add("session_notes_updated_at", JSON(notesUpdatedAt))
        add("favorited", .bool(favorited))
        add("visibility", .string(visibility.rawValue))
        add("effective_visibility", .string(effectiveVisibility(at: now).rawValue))
        add("snoozed_until", JSON(snoozedUntil))

        var row = generation.row(.object(members))
        for (name, value) in wireOverrides.sorted(by: { $0.key < $1.key }) { row[name] = value }
        for name in wireOmissions { row[name] = nil }
        return row
    }

    /// The short form inside notifications and triggers.
    var reference: JSON {
        ["id": .int(id), "slug": JSON(slug), "title": JSON(title), "status": .string(status.rawValue)]
    }

    var allCustomMetadata: JSON {
        var members = pullRequests.customMetadata(readAt: pullRequestsReadAt)
        members += customMetadata.members ?? []
        return .object(members)
    }

    /// An agent process is running, if only to wait for a tool's answer.
    private var isAlive: Bool {
        status == .running || metadata["blocked_on_elicitation"] == true
    }

    private var jobID: String? {
        turn.map { uuid(of: "job", id, $0.number) }
    }

    /// What the catalog's one goal demands, read off the last pull request. Nil for a goal in free words.
    private var goalCheck: JSON {
        guard goal == "green-pr" else { return .null }
        let pull = lastPullRequest
        let criteria = [
            ("pull_request_open", "A pull request is open", pull?.state == .open ? "met" : "unmet"),
            ("ci_green", "CI is green", pull?.ci == .pass ? "met" : pull?.ci == .pending ? "pending" : "unmet"),
        ]
        let verdict = ["unmet", "pending"].first { word in criteria.contains { $0.2 == word } } ?? "met"
        return [
            "goal_id": "green-pr", "goal_name": "Open a green pull request", "verdict": .string(verdict),
            "provisional": .bool(status == .running || status == .waiting), "observed_at": JSON(pullRequestsReadAt),
            "delegated_session_ids": [],
            "criteria": .array(
                criteria.map { key, label, status in
                    [
                        "key": .string(key), "label": .string(label), "status": .string(status), "detail": .null,
                    ]
                }),
            "note": "Advisory only. Zimmer does not act on it.",
        ]
    }

    private static let effort: JSON = [
        "level": "high", "source": "default", "default": "high", "levels": ["low", "medium", "high", "xhigh", "max"],
    ]
}

/// A UUID that is always the same for the same things.
func uuid(of kind: String, _ numbers: Int...) -> String {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in kind.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for number in numbers { state = (state ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01b3 }
    var random = SplitMix(seed: state)
    var digits = [random.next(), random.next()].flatMap { word in
        (0..<16).map { hexDigit(UInt8(truncatingIfNeeded: word >> ($0 * 4)) & 0xF) }
    }
    digits[12] = UInt8(ascii: "5")
    digits[16] = UInt8(ascii: "a")
    for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: digits, as: UTF8.self)
}
