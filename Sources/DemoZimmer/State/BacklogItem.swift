/// A piece of work that waits for somebody to start it.
package struct BacklogItem: Sendable, Hashable {
    package let id: Int
    package var key: String
    package var repository: String
    package var title: String
    package var status = "queued"
    package var cost = "small"
    package var precedence = 0
    package var isPinned = false
    package var addedAt: ServerTime

    package init(id: Int, key: String, repository: String, title: String, addedAt: ServerTime) {
        self.id = id
        self.key = key
        self.repository = repository
        self.title = title
        self.addedAt = addedAt
    }

    func json(position: Int) -> JSON {
        [
            "id": .int(id), "key": .string(key),
            "issue_url": .string("https://github.com/\(repository)/issues/\(key.split(separator: "#").last ?? "1")"),
            "repo": .string(repository), "surface": "api", "title": .string(title), "kind": "bug",
            "scope_direction": "convergent", "estimated_cost": .string(cost), "ratings": ["impact": 3],
            "gate_verdict": "go", "gate_session": .null, "decided_at": JSON(addedAt), "added_at": JSON(addedAt),
            "added_by": "issue gate", "added_via": "mcp", "precedence": .int(precedence), "pinned": .bool(isPinned),
            "status": .string(status), "prompt": .null, "notes": .null, "writing_session_id": .null,
            "started_session_id": .null, "started_by_session_id": .null, "started_at": .null, "removed_at": .null,
            "removed_by": .null, "removal_reason": .null, "payload": [:], "position": .int(position),
        ]
    }
}
