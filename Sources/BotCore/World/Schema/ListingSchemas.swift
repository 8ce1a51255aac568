package import CEL

extension WorldSchema {
    package static let notification = ObjectType(
        "notification",
        [
            .init("id", .int),
            .init("session_id", .int),
            .words(
                "notification_type",
                ["needs_input", "session_failed", "session_complete", "custom_message", "elicitation_pending"]),
            .init("read", .bool),
            .init("created_at", .timestamp),
            .init("session", .nullable(.object(session))),
        ])

    package static let elicitation = ObjectType(
        "elicitation",
        [
            .init("id", .int),
            .init("session_id", .int),
            .init("session", .nullable(.object(session))),
            .init("message", .nullable(.string)),
            .init("tool_name", .nullable(.string)),
            .init("requested_schema", .nullable(.map(.string, .dyn))),
            .init("expires_at", .nullable(.timestamp)),
        ])

    package static let trigger = ObjectType(
        "trigger",
        [
            .init("id", .int),
            .init("name", .string),
            .words("status", ["enabled", "disabled", "failed"]),
            .init("failed_at", .nullable(.timestamp)),
            .init("last_error", .nullable(.string)),
            .init("agent_root_name", .nullable(.string)),
            .init("agent_root_missing_from_catalog", .nullable(.bool)),
            .init("prompt_template", .nullable(.string), maximumSize: 4_000),
            .init("goal", .nullable(.string), maximumSize: 4_000),
            .init("reuse_session", .bool),
            .init("enqueue_messages", .bool),
            .init("resuscitate_archived", .bool),
            .init("skip_if_pending_session", .nullable(.bool)),
            .init("skip_if_pending_session_inert", .nullable(.bool)),
            .init("max_sessions_per_minute", .nullable(.int)),
            .init("bursting", .bool),
            .init("coalesce_window_seconds", .nullable(.int)),
            .init("effective_coalesce_window_seconds", .nullable(.int)),
            .init("coalesce_window_inert", .nullable(.bool)),
            .init("missed_fire_count", .nullable(.int)),
            .init("first_missed_fire_at", .nullable(.timestamp)),
            .words("scheduling_class", ["priority", "spot"], nullable: true),
            .words("effective_scheduling_class", ["priority", "spot"], nullable: true),
            .init("precedence", .nullable(.int)),
            .init("mcp_servers", .list(.string), maximumSize: 30),
            .init("catalog_skills", .nullable(.list(.string)), maximumSize: 30),
            .init("catalog_hooks", .nullable(.list(.string)), maximumSize: 30),
            .init("catalog_plugins", .nullable(.list(.string)), maximumSize: 30),
            .init("unresolved_catalog_references", .nullable(.map(.string, .dyn))),
            .init("conditions", .list(.object(triggerCondition)), maximumSize: 10),
            .init("last_session_id", .nullable(.int)),
            .init("last_triggered_at", .nullable(.timestamp)),
            .init("sessions_created_count", .int),
            .init("created_at", .timestamp),
            .init("updated_at", .timestamp),
            .init("url", .string),
        ])

    static let triggerCondition = ObjectType(
        "trigger.condition",
        [
            .init("id", .int),
            .words(
                "condition_type",
                ["slack", "schedule", "ao_event", "system_event", "github_label", "github_issue", "whatsapp"]),
            .init("configuration", .map(.string, .dyn)),
            .init("description", .nullable(.string)),
            .init("last_triggered_at", .nullable(.timestamp)),
            .init("last_polled_at", .nullable(.timestamp)),
        ])

    package static let backlog = ObjectType(
        "backlog",
        [
            .init("id", .int),
            .init("key", .string),
            .init("issue_url", .nullable(.string)),
            .init("repo", .nullable(.string)),
            .init("surface", .nullable(.string)),
            .init("title", .nullable(.string)),
            .init("kind", .nullable(.string)),
            .words("scope_direction", ["convergent", "divergent"], nullable: true),
            .words("estimated_cost", ["small", "medium", "large"], nullable: true),
            .init("ratings", .nullable(.map(.string, .dyn))),
            .init("gate_verdict", .nullable(.string)),
            .init("gate_session", .nullable(.dyn)),
            .init("decided_at", .nullable(.timestamp)),
            .init("added_at", .nullable(.timestamp)),
            .init("added_by", .nullable(.string)),
            .words("added_via", ["import", "mcp", "api"], nullable: true),
            .init("precedence", .nullable(.int)),
            .init("pinned", .bool),
            .words("status", ["queued", "started", "removed"]),
            .init("prompt", .nullable(.string), maximumSize: 4_000),
            .init("notes", .nullable(.string), maximumSize: 4_000),
            .init("writing_session_id", .nullable(.int)),
            .init("started_session_id", .nullable(.int)),
            .init("started_by_session_id", .nullable(.int)),
            .init("started_at", .nullable(.timestamp)),
            .init("removed_at", .nullable(.timestamp)),
            .init("removed_by", .nullable(.string)),
            .init("removal_reason", .nullable(.string)),
            .init("payload", .nullable(.map(.string, .dyn))),
            .init("position", .nullable(.int)),
        ])

    package static let clis = ObjectType(
        "clis",
        [
            .init("tools", .map(.string, .object(cli)), maximumSize: 30),
            .init("unauthenticated", .list(.string), maximumSize: 30),
        ])

    static let cli = ObjectType(
        "clis.tool",
        [
            .init("name", .string),
            .init("installed", .nullable(.bool)),
            .init("authenticated", .nullable(.bool)),
            .init("version", .nullable(.string)),
            .init("install_instructions", .nullable(.string)),
            .init("auth_instructions", .nullable(.string)),
            .init("auth_method", .nullable(.string)),
            .init("env_var_name", .nullable(.string)),
        ])

    static let listings = [notification, elicitation, trigger, triggerCondition, backlog, clis, cli]
}
