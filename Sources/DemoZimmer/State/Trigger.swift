/// What starts sessions by itself: a schedule, a label, a channel.
package struct Trigger: Sendable, Hashable {
    package let id: Int
    package var name: String
    /// `enabled`, `disabled` or `failed`.
    package var status = "enabled"
    package var agentRoot = "widgets"
    package var conditionType = "schedule"
    package var condition = "Every day at 02:00 UTC"
    package var configuration: JSON = ["interval": 1, "unit": "days", "time": "02:00", "timezone": "UTC"]
    package var promptTemplate = "Handle {{link}}"
    package var failedAt: ServerTime?
    package var lastError: String?
    package var lastTriggeredAt: ServerTime?
    package var sessionIDs: [Int] = []
    /// Fires not while a session of its own is still at work.
    package var skipsIfPending = false
    /// The next one within a minute leaves a notice in place of a session, and those after it nothing.
    package var maximumPerMinute = 10
    /// When it fired in the last minute.
    var firedAt: [ServerTime] = []
    package var createdAt: ServerTime
    package var updatedAt: ServerTime

    package init(id: Int, name: String, createdAt: ServerTime) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.updatedAt = createdAt
    }

    func json(at now: ServerTime) -> JSON {
        let condition: JSON = [
            "id": .int(id * 10 + 1), "condition_type": .string(conditionType), "configuration": configuration,
            "description": .string(condition), "last_triggered_at": JSON(lastTriggeredAt),
            "last_polled_at": JSON(now.rounded(downTo: .minutes(1))),
        ]
        return [
            "id": .int(id), "name": .string(name), "status": .string(status), "failed_at": JSON(failedAt),
            "last_error": JSON(lastError), "agent_root_name": .string(agentRoot),
            "agent_root_missing_from_catalog": false, "prompt_template": .string(promptTemplate), "goal": .null,
            "reuse_session": false, "enqueue_messages": false, "resuscitate_archived": false,
            "skip_if_pending_session": .bool(skipsIfPending), "skip_if_pending_session_inert": false,
            "max_sessions_per_minute": .int(maximumPerMinute),
            "bursting": .bool(firedAt.count > maximumPerMinute), "coalesce_window_seconds": .null,
            "effective_coalesce_window_seconds": 0,
            "coalesce_window_inert": false, "missed_fire_count": 0, "first_missed_fire_at": .null,
            "scheduling_class": .null, "effective_scheduling_class": "spot", "precedence": .null,
            "mcp_servers": ["issue-tracker"], "catalog_skills": [], "catalog_hooks": [], "catalog_plugins": [],
            "unresolved_catalog_references": [:], "conditions": [condition],
            "last_session_id": JSON(sessionIDs.last), "last_triggered_at": JSON(lastTriggeredAt),
            "sessions_created_count": .int(sessionIDs.count), "created_at": JSON(createdAt),
            "updated_at": JSON(updatedAt),
        ]
    }
}
