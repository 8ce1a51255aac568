/// Reading sessions and what hangs on them.
extension ZimmerState {
    mutating func listSessions(_ call: Call) throws(Refusal) -> HTTPResponse {
        // Before there were views the word said nothing.
        let view = generation == .august ? nil : call.request.queryValue("view")
        guard [nil, "created_desc", "last_touched", "user", "ranked"].contains(view) else {
            throw .unprocessable("Invalid view", "Unknown view")
        }
        let ids = sessions.select(filter(of: call), at: now)
        switch view {
        case "user", "ranked": return try boardView(ids, call)
        case "last_touched": return page(of: ids.sorted { lastTouched($0) > lastTouched($1) }, call)
        default: return page(of: ids, call)
        }
    }

    mutating func searchSessions(_ call: Call) throws(Refusal) -> HTTPResponse {
        guard let query = call.text("q") ?? call.text("query") else {
            throw Refusal(400, "Bad Request", "Query is required")
        }
        guard query.unicodeScalars.count <= 1000 else { throw Refusal(400, "Bad Request", "Query is too long") }
        var filter = filter(of: call)
        filter.text = query.lowercased()
        let ids = sessions.select(filter, at: now)
        let rows = call.page.slice(ids).map { sessions.encodedRow($0, at: now) }
        return .json([
            "query": .string(query), "search_contents": false, "sessions": .array(rows),
            "pagination": call.page.json(total: ids.count),
        ])
    }

    private func filter(of call: Call) -> SessionFilter {
        func known(_ name: String, _ words: [String]) -> String? {
            call.request.queryValue(name).flatMap { words.contains($0) ? $0 : nil }
        }
        return SessionFilter(
            statuses: call.request.query.filter { $0.name == "status" || $0.name == "status[]" }.map(\.value)
                .filter { !$0.isEmpty },
            showsArchived: call.request.queryValue("show_archived") == "true",
            agentRuntime: call.request.queryValue("agent_runtime"),
            priorityClass: known("priority_class", ["spot", "priority"]),
            genesis: known(
                "genesis",
                [
                    "web_ui", "slack", "github_issue", "github_label", "schedule", "ao_event", "system_event", "api",
                    "unknown",
                ]),
            visibility: known("visibility", ["on_board", "off_board"]))
    }

    private mutating func page(of ids: [Int], _ call: Call) -> HTTPResponse {
        let rows = call.page.slice(ids).map { sessions.encodedRow($0, at: now) }
        return .json(["sessions": .array(rows), "pagination": call.page.json(total: ids.count)])
    }

    /// "Your board": one page, priority above spot, then by precedence, then oldest first.
    private mutating func boardView(_ ids: [Int], _ call: Call) throws(Refusal) -> HTTPResponse {
        guard call.page.number == 1 else { throw .unprocessable("Invalid page", "This view has one page") }
        let ranked = ids.compactMap { sessions[$0] }.sorted { left, right in
            let (leftClass, rightClass) = (left.priorityClass == "priority", right.priorityClass == "priority")
            if leftClass != rightClass { return leftClass }
            if left.precedence != right.precedence { return left.precedence > right.precedence }
            return (left.createdAt, left.id) < (right.createdAt, right.id)
        }
        let rows = ranked.prefix(500).map { sessions.encodedRow($0.id, at: now) }
        return .json([
            "sessions": .array(rows),
            "pagination": [
                "page": 1, "per_page": 500, "total_count": .int(ids.count), "total_pages": ids.isEmpty ? 0 : 1,
            ],
            "truncated": .bool(ids.count > 500),
        ])
    }

    private func lastTouched(_ id: Int) -> ServerTime {
        sessions[id].map { $0.lastUserActivityAt ?? $0.createdAt } ?? .distantPast
    }

    /// The session that the path names by id or slug.
    func target(_ call: Call) throws(Refusal) -> Session {
        guard let text = call.arguments["id"], let id = sessions.id(text), let session = sessions[id] else {
            throw .notFound
        }
        return session
    }

    mutating func showSession(_ call: Call) throws(Refusal) -> HTTPResponse {
        var session = try target(call)
        if call.flag("viewed") {
            edit(session.id) { $0.lastUserActivityAt = $1 }
            for index in notifications.indices where notifications[index].sessionID == session.id {
                notifications[index].isRead = true
            }
            session = try target(call)
        }
        return .json([
            "session": sessions.encodedRow(session.id, at: now), "status_summary": session.statusSummary,
            "session_hierarchy": hierarchy(around: session),
            "human_messages": .array(session.humanMessages.map { $0.json(in: session) }),
            "human_message_capture_gaps": [],
        ])
    }

    private func hierarchy(around session: Session) -> JSON {
        // The parents' chain is bounded, so that a loop of parents, which only a test could make, ends.
        var chain = [session]
        while chain.count < 20, let parent = chain.last?.parentID.flatMap({ sessions[$0] }) { chain.append(parent) }
        var nodes = chain.reversed().enumerated().map { depth, node in
            hierarchyNode(node, depth: depth, isCurrent: node.id == session.id)
        }
        for id in sessions.ids.reversed() {
            guard let child = sessions[id], child.parentID == session.id else { continue }
            nodes.append(hierarchyNode(child, depth: chain.count, isCurrent: false))
        }
        let root = chain.last?.id ?? session.id
        return [
            "origin_session_id": .int(root), "root_session_ids": [.int(root)], "truncated": false,
            "truncation_reason": .null, "nodes": .array(nodes),
        ]
    }

    private func hierarchyNode(_ session: Session, depth: Int, isCurrent: Bool) -> JSON {
        [
            "id": .int(session.id), "title": JSON(session.title), "agent_root": JSON(session.agentRoot),
            "status": .string(session.status.rawValue), "depth": .int(depth),
            "parent_session_id": JSON(session.parentID), "render_parent_session_id": JSON(session.parentID),
            "spawn_edge": .bool(session.parentID != nil), "uncle_session_ids": [], "current": .bool(isCurrent),
            "genesis": .string(session.genesis), "priority_class": .string(session.priorityClass),
        ]
    }

    func showConversation(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        let limit = min(200, max(1, call.integer("limit") ?? 50))
        return .json([
            "messages": .array(session.conversation.suffix(limit).map(\.json)),
            "total": .int(session.conversation.count), "truncated": .bool(session.conversation.count > limit),
        ])
    }

    func listLogs(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        let level = call.request.queryValue("level")
        let lines = logs.reversed().filter { $0.sessionID == session.id && (level == nil || level == $0.level) }
        return list("logs", lines, call) { $0.json }
    }

    mutating func createLog(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard let content = call.text("content") else { throw .invalid("Content can't be blank") }
        let level = call.text("level") ?? "info"
        guard LogLine.levels.contains(level) else { throw .invalid("Level is not included in the list") }
        return .json(["log": log(content, level: level, in: session.id).json], status: 201)
    }

    func listQueue(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        let status = call.request.queryValue("status")
        let messages = queue.filter {
            $0.sessionID == session.id && (status == nil || status == $0.status.rawValue)
        }
        return list("enqueued_messages", messages.sorted { $0.position < $1.position }, call) { $0.json }
    }

    mutating func createQueued(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard let content = call.text("content") else { throw .invalid("Content can't be blank") }
        let message = enqueue(content, goal: call.text("goal"), for: session.id)
        if session.status == .needsInput {
            agenda.plan(.deliversQueue(session: session.id), at: now + agent.queueDelivery)
        }
        return .json(["enqueued_message": message.json], status: 201)
    }

    func listElicitations(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        return .json([
            "elicitations": .array(elicitations.reversed().filter { $0.sessionID == session.id }.map(\.json))
        ])
    }

    /// A page of anything under its name.
    func list<Row>(_ name: String, _ rows: [Row], _ call: Call, _ json: (Row) -> JSON) -> HTTPResponse {
        .json([name: .array(call.page.slice(rows).map(json)), "pagination": call.page.json(total: rows.count)])
    }
}
