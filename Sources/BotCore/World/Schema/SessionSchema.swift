package import CEL

/// The fields of `session`, in the order of their slots.
enum SessionField: Int, CaseIterable {
    case id, slug, title, status, agentRuntime, agentRoot, model, genesis, schedulingClass, priorityClass, precedence
    case prompt, goal, goalCheck, gitRoot, repo, branch, subdirectory, isAutonomous, heartbeatEnabled
    case heartbeatIntervalSeconds, favorited, sessionNotes, visibility, effectiveVisibility, snoozedUntil, archivedAt
    case trashAfter, createdAt, updatedAt, allMCPServers, metadata, customMetadata
    case url, touchedAt, idle, age, statusSince, failureReason, waitingReason, blockedOnElicitation, mcpFailed, prs, pr
    // Of a request for each session: see `SessionDetail`.
    case summary, lastMessage, lastMessageAt, queued, undelivered, costUSD, waitingText, parentID, children

    var slot: Int { rawValue }

    var declaration: ObjectType.Field {
        switch self {
        case .id: .init("id", .int)
        case .slug: .init("slug", .nullable(.string))
        case .title: .init("title", .string)
        case .status: .words("status", SessionStatus.allCases.map(\.rawValue))
        case .agentRuntime: .init("agent_runtime", .string)
        case .agentRoot: .init("agent_root", .nullable(.string))
        case .model: .init("model", .nullable(.string))
        case .genesis: .init("genesis", .string)
        case .schedulingClass: .words("scheduling_class", ["priority", "spot"], nullable: true)
        case .priorityClass: .words("priority_class", ["priority", "spot"], nullable: true)
        case .precedence: .init("precedence", .int)
        case .prompt: .init("prompt", .nullable(.string), maximumSize: 4_000)
        case .goal: .init("goal", .nullable(.string), maximumSize: 4_000)
        case .goalCheck: .init("goal_check", .nullable(.map(.string, .dyn)))
        case .gitRoot: .init("git_root", .nullable(.string))
        case .repo: .init("repo", .nullable(.string))
        case .branch: .init("branch", .nullable(.string))
        case .subdirectory: .init("subdirectory", .nullable(.string))
        case .isAutonomous: .init("is_autonomous", .nullable(.bool))
        case .heartbeatEnabled: .init("heartbeat_enabled", .nullable(.bool))
        case .heartbeatIntervalSeconds: .init("heartbeat_interval_seconds", .nullable(.int))
        case .favorited: .init("favorited", .nullable(.bool))
        case .sessionNotes: .init("session_notes", .nullable(.string), maximumSize: 4_000)
        case .visibility: .words("visibility", Self.visibilities)
        case .effectiveVisibility: .words("effective_visibility", Self.visibilities)
        case .snoozedUntil: .init("snoozed_until", .nullable(.timestamp))
        case .archivedAt: .init("archived_at", .nullable(.timestamp))
        case .trashAfter: .init("trash_after", .nullable(.timestamp))
        case .createdAt: .init("created_at", .timestamp)
        case .updatedAt: .init("updated_at", .timestamp)
        case .allMCPServers: .init("all_mcp_servers", .list(.string), maximumSize: 30)
        case .metadata: .init("metadata", .map(.string, .dyn))
        case .customMetadata: .init("custom_metadata", .map(.string, .dyn))
        case .url: .init("url", .string)
        case .touchedAt: .init("touched_at", .timestamp)
        case .idle: WorldSchema.elapsed("idle", since: Self.touchedAt.slot)
        case .age: WorldSchema.elapsed("age", since: Self.createdAt.slot)
        case .statusSince: .init("status_since", .timestamp)
        case .failureReason: .init("failure_reason", .nullable(.string))
        case .waitingReason: .words("waiting_reason", WaitingReason.allCases.map(\.rawValue), nullable: true)
        case .blockedOnElicitation: .init("blocked_on_elicitation", .bool)
        case .mcpFailed: .init("mcp_failed", .list(.string), maximumSize: 30)
        case .prs: .init("prs", .list(.object(WorldSchema.pullRequest)), maximumSize: 5)
        case .pr: .init("pr", .nullable(.object(WorldSchema.pullRequest)))
        case .summary: .init("summary", .nullable(.string), maximumSize: 4_000)
        case .lastMessage: .init("last_message", .nullable(.string), maximumSize: 4_000)
        case .lastMessageAt: .init("last_message_at", .nullable(.timestamp))
        case .queued: .init("queued", .int)
        case .undelivered: .init("undelivered", .int)
        case .costUSD: .init("cost_usd", .double)
        case .waitingText: .init("waiting_text", .nullable(.string))
        case .parentID: .init("parent_id", .nullable(.int))
        case .children: .init("children", .list(.int), maximumSize: 30)
        }
    }

    static let visibilities = ["visible", "hidden", "snoozed"]
}

/// The statuses of a session that this version knows.
package enum SessionStatus: String, CaseIterable, Sendable {
    case waiting, running, failed, archived
    case needsInput = "needs_input"
}

/// Why a session waits, in the order in which the first that applies is named.
enum WaitingReason: String, CaseIterable {
    case authOutage = "auth_outage"
    case oauthRequired = "oauth_required"
    case quotaPause = "quota_pause"
    case spotHold = "spot_hold"
    case asleep, queued, unknown
}

/// The fields of `pr`, in the order of their slots.
enum PullRequestField: Int, CaseIterable {
    case url, repo, number, state, ci, conflict, authorized, authorizedAt, authorization, readAt, ciSince, labels

    var slot: Int { rawValue }

    var declaration: ObjectType.Field {
        switch self {
        case .url: .init("url", .string)
        case .repo: .init("repo", .string)
        case .number: .init("number", .int)
        case .state: .words("state", ["open", "merged", "closed", "unknown"])
        case .ci: .words("ci", ["pass", "fail", "pending", "skipping", "cancel", "none"])
        case .conflict: .init("conflict", .bool)
        case .authorized: .init("authorized", .bool)
        case .authorizedAt: .init("authorized_at", .nullable(.timestamp))
        case .authorization: .words("authorization", ["none", "live", "came_back", "spent"])
        case .readAt: .init("read_at", .nullable(.timestamp))
        case .ciSince: .init("ci_since", .timestamp)
        case .labels: .init("labels", .nullable(.list(.string)), maximumSize: 20)
        }
    }
}

extension WorldSchema {
    package static let session = ObjectType("session", SessionField.allCases.map(\.declaration))
    package static let pullRequest = ObjectType("pr", PullRequestField.allCases.map(\.declaration))
}
