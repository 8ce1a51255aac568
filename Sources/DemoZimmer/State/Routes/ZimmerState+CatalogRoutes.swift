/// Triggers, the backlog, and what a deployment is made of.
extension ZimmerState {
    func listTriggers(_ call: Call) throws(Refusal) -> HTTPResponse {
        let (status, kind) = (call.request.queryValue("status"), call.request.queryValue("condition_type"))
        let rows = triggers.filter {
            (status == nil || $0.status == status) && (kind == nil || $0.conditionType == kind)
        }
        return list("triggers", rows, call) { generation.trigger($0.json(at: now)) }
    }

    func showTrigger(_ call: Call) throws(Refusal) -> HTTPResponse {
        let trigger = triggers[try triggerIndex(call)]
        let recent = trigger.sessionIDs.suffix(10).reversed().compactMap { sessions[$0] }
        return .json([
            "trigger": trigger.json(at: now),
            "recent_sessions": .array(
                recent.map { session in
                    var json = session.reference
                    json["created_at"] = JSON(session.createdAt)
                    return json
                }),
        ])
    }

    mutating func toggleTrigger(_ call: Call) throws(Refusal) -> HTTPResponse {
        let index = try triggerIndex(call)
        triggers[index].status = triggers[index].status == "enabled" ? "disabled" : "enabled"
        triggers[index].updatedAt = now
        return .json(["trigger": triggers[index].json(at: now)])
    }

    mutating func invokeTrigger(_ call: Call) throws(Refusal) -> HTTPResponse {
        let index = try triggerIndex(call)
        let trigger = triggers[index]
        let pending = trigger.sessionIDs.compactMap { sessions[$0] }.first { $0.status == .waiting || $0.turn != nil }
        if trigger.skipsIfPending, let pending {
            throw Refusal(
                409, "No session created", "A session of this trigger is still at work.",
                extra: [JSON.Member("session", pending.json(at: now))])
        }
        triggers[index].firedAt = trigger.firedAt.filter { now - $0 < .minutes(1) } + [now]
        let excess = triggers[index].firedAt.count - trigger.maximumPerMinute
        if excess > 1 {
            throw Refusal(
                429, "Burst suppressed", "The trigger fires too often.", extra: [JSON.Member("retry_after", 60)])
        }
        let id =
            excess == 1
            ? addSession(title: "Burst of \(trigger.name)", status: .needsInput)
            : invoke(trigger: trigger.id, call.parameter("variables") ?? [:])
        return .json(
            [
                "trigger": triggers[index].json(at: now),
                "session": id.flatMap { sessions[$0]?.json(at: now, as: generation) } ?? .null,
                "burst_notice": .bool(excess == 1), "message": "Trigger invoked",
            ], status: 201)
    }

    /// Fires a trigger, a disabled one too.
    ///
    /// - Parameter variables: for the places of the prompt that are named so.
    /// - Returns: the session that it started, nil if there is no such trigger.
    @discardableResult
    package mutating func invoke(trigger number: Int, _ variables: JSON = [:]) -> Int? {
        guard let index = triggers.firstIndex(where: { $0.id == number }) else { return nil }
        let trigger = triggers[index]
        let id = addSession(title: trigger.name, status: .waiting) { session in
            session.genesis = trigger.conditionType == "schedule" ? "schedule" : "unknown"
            session.agentRoot = trigger.agentRoot
            session.lastUserActivityAt = nil
            session.metadata["trigger_id"] = .int(trigger.id)
        }
        let members = variables.members ?? []
        let prompt = members.reduce(trigger.promptTemplate) { prompt, member in
            prompt.replacing("{{\(member.name)}}", with: member.value.text ?? "")
        }
        deliver(prompt, to: id)
        triggers[index].sessionIDs.append(id)
        triggers[index].lastTriggeredAt = now
        return id
    }

    private func triggerIndex(_ call: Call) throws(Refusal) -> Int {
        let id = call.arguments["id"].flatMap { Int($0) }
        guard let index = triggers.firstIndex(where: { $0.id == id }) else { throw .notFound }
        return index
    }

    func listBacklog(_ call: Call) throws(Refusal) -> HTTPResponse {
        let status = call.request.queryValue("status") ?? "queued"
        guard ["queued", "started", "removed", "all"].contains(status) else {
            throw .unprocessable("Invalid filter", "Unknown status")
        }
        let items = backlog.filter { status == "all" || $0.status == status }
            .sorted { ($0.precedence, $1.id) > ($1.precedence, $0.id) }
        let page = call.page
        let rows = page.slice(Array(items.enumerated())).map { $0.element.json(position: $0.offset + 1) }
        func count(_ status: String) -> JSON { .int(backlog.count { $0.status == status }) }
        return .json([
            "work_backlog_items": .array(rows), "pagination": page.json(total: items.count),
            "counts": [
                "queued": count("queued"), "started": count("started"), "removed": count("removed"),
                "in_flight": count("started"), "parked": 0, "pinned": .int(backlog.count { $0.isPinned }),
            ],
            "ranking": ["order": "precedence_desc", "gap": 10, "bands": []],
        ])
    }

    func cliStatus() -> HTTPResponse {
        let missing = tools.count { !$0.isAuthenticated }
        let rows = tools.map { tool -> JSON.Member in
            JSON.Member(
                tool.name,
                [
                    "name": .string(tool.name), "installed": true, "authenticated": .bool(tool.isAuthenticated),
                    "version": "2.80.0", "install_instructions": "Install \(tool.name)",
                    "auth_instructions": "\(tool.name) login", "auth_method": "login", "env_var_name": .null,
                ])
        }
        return .json([
            "cli_status": [
                "tools": .object(rows), "all_authenticated": .bool(missing == 0),
                "unauthenticated_count": .int(missing), "generated_at": JSON(now.rounded(downTo: .minutes(30))),
            ],
            "unauthenticated_count": .int(missing),
        ])
    }

    static let agentRoots = ["widgets", "gadgets", "docs-site"]

    static let configs: JSON = [
        "mcp_servers": [
            server("issue-tracker", title: "Issue tracker", missing: nil),
            server("ledger", title: "Ledger", missing: "LEDGER_TOKEN is not set"),
        ],
        "agent_roots": .array(agentRoots.map(agentRoot)),
        "runtime_models": [
            "claude_code": runtime(default: "opus", ["opus", "sonnet"], requiresOAuth: false),
            "codex": runtime(default: "gpt-large", ["gpt-large"], requiresOAuth: true),
        ],
        "goals": [
            [
                "id": "green-pr", "name": "Open a green pull request",
                "description": "A pull request is open and its checks pass",
                "checks": ["pull_request_open", "ci_green"],
            ]
        ],
    ]

    private static func server(_ name: String, title: String, missing: String?) -> JSON {
        [
            "name": .string(name), "title": .string(title), "description": .string(title), "scope": "shared",
            "unavailable": .bool(missing != nil), "unavailable_reason": JSON(missing),
        ]
    }

    private static func agentRoot(_ name: String) -> JSON {
        [
            "name": .string(name), "display_name": .string(name), "description": "Work on \(name)",
            "url": "https://github.com/example/\(name).git", "default_branch": "main", "subdirectory": .null,
            "custom": false, "default_goal": "green-pr", "default": .bool(name == "widgets"),
            "default_mcp_servers": ["issue-tracker"], "default_skills": [], "default_hooks": [],
            "default_plugins": [], "user_invocable": true, "default_model": "opus", "default_runtime": "claude_code",
        ]
    }

    private static func runtime(default model: String, _ models: [String], requiresOAuth: Bool) -> JSON {
        [
            "default": .string(model),
            "models": .array(
                models.map { name in
                    [
                        "id": .string(name), "label": .string(name), "default": .bool(name == model),
                        "requires_oauth": .bool(requiresOAuth), "effort_levels": ["low", "medium", "high"],
                        "default_effort": "high", "source": "built_in",
                    ]
                }),
        ]
    }
}
