package import CEL

extension WorldSchema {
    package static let health = ObjectType(
        "health",
        [
            .init("queue_recovery_mode", .object(queueRecoveryMode)),
            .init("overall_status", .object(healthStatus)),
            .init("process_health", .nullable(.object(processHealth))),
            .init("session_health", .nullable(.object(sessionHealth))),
            .init("system_health", .nullable(.object(systemHealth))),
            .init("egress_health", .nullable(.object(egressHealth))),
            .init("auth_health", .nullable(.object(authHealth))),
            .init("retry_budget_health", .nullable(.object(retryBudgetHealth))),
            .init("sigterm_retry_health", .nullable(.object(sigtermRetryHealth))),
            .init("api_error_retry_health", .nullable(.object(apiErrorRetryHealth))),
            .init("post_deploy_task_health", .nullable(.object(postDeployTaskHealth))),
            .init("log_retention_health", .nullable(.object(logRetentionHealth))),
            .init("generated_at", .nullable(.timestamp)),
            .init("problems", .list(.object(healthProblem))),
            .init("report", .map(.string, .dyn)),
        ])

    static let queueRecoveryMode = ObjectType(
        "health.queue_recovery_mode",
        [
            .init("active", .bool),
            .init("entered_at", .nullable(.timestamp)),
            .init("expires_at", .nullable(.timestamp)),
            .init("expires_in_seconds", .nullable(.int)),
            .init("reason", .nullable(.string)),
            .init("entered_by", .nullable(.string)),
            .init("halted_queues", .list(.string)),
            .init("paused_queues", .list(.string)),
            .init("live_queues", .list(.string)),
        ])

    static let healthProblem = ObjectType(
        "health.problem",
        [.init("section", .string), .words("status", ["warning", "critical"]), .init("message", .string)])

    static let healthStatus = ObjectType(
        "health.status",
        [
            .words("status", ["healthy", "warning", "critical", "unknown"]),
            .init("message", .nullable(.string)),
            .init("code", .nullable(.string)),
        ])

    static let healthParts = [
        queueRecoveryMode, healthProblem, healthStatus, processHealth, sessionHealth, systemHealth, queueStats,
        workerStats,
        databaseStatus, egressHealth, authHealth, retryBudgetHealth, sigtermRetryHealth, apiErrorRetryHealth,
        postDeployTaskHealth, logRetentionHealth,
    ]

    /// Rows whose members are described nowhere reliably.
    private static let rows = Type.list(.map(.string, .dyn))
    private static let status = ObjectType.Field("status", .object(healthStatus))

    private static let processHealth = ObjectType(
        "health.process_health",
        [
            status,
            .init("active_count", .int),
            .init("active_processes", rows),
            .init("orphaned_count", .int),
            .init("orphaned_processes", rows),
            .init("tracked_count", .int),
            .init("tracked_processes", rows),
            .init("recorded_count", .nullable(.int)),
            .init("recorded_processes", .nullable(rows)),
            .init("observable", .nullable(.bool)),
        ])

    private static let sessionHealth = ObjectType(
        "health.session_health",
        [
            status,
            .init("sessions_by_status", .map(.string, .dyn)),
            .init("total_sessions", .int),
            .init("recent_failures", rows),
            .init("failure_rate", .double),
            .init("error_categories", .map(.string, .dyn)),
            .init("failure_reasons", .map(.string, .dyn)),
            .init("average_duration_seconds", .nullable(.int)),
        ])

    private static let systemHealth = ObjectType(
        "health.system_health",
        [
            status,
            .init("queue_depth", .int),
            .init("queue_stats", .object(queueStats)),
            .init("worker_stats", .object(workerStats)),
            .init("recent_errors", rows),
            .init("database_status", .object(databaseStatus)),
        ])

    private static let queueStats = ObjectType(
        "health.queue_stats",
        [
            .init("pending_count", .int),
            .init("ready_count", .int),
            .init("scheduled_count", .int),
            .init("claimed_count", .int),
            .init("failed_count", .int),
            .init("oldest_ready_age_seconds", .nullable(.double)),
            .init("processing_rate_per_hour", .double),
        ])

    private static let workerStats = ObjectType(
        "health.worker_stats",
        [.init("total_workers", .int), .init("active_workers", .int), .init("worker_details", rows)])

    private static let databaseStatus = ObjectType(
        "health.database_status",
        [
            .init("connected", .bool),
            .init("pool_size", .nullable(.int)),
            .init("connections_in_use", .nullable(.int)),
            .init("error", .nullable(.string)),
        ])

    private static let egressHealth = ObjectType(
        "health.egress_health",
        [
            status,
            .init("resolver", .nullable(.string)),
            .init("detail", .nullable(.string)),
            .init("degraded_since", .nullable(.timestamp)),
            .init("checked_at", .nullable(.timestamp)),
        ])

    private static let authHealth = ObjectType(
        "health.auth_health",
        [
            status,
            .init("session_scoped_credentials", .nullable(.bool)),
            .init("credentials_state", .nullable(.string)),
            .init("credentials_detail", .nullable(.string)),
            .init("credentials_owner", .nullable(.string)),
            .init("repair_outlook", .nullable(.map(.string, .dyn))),
            .init("available_accounts", .nullable(.int)),
            .init("serviceable_accounts", .nullable(.int)),
            .init("needs_reauth_accounts", .nullable(.int)),
            .init("checked_at", .nullable(.timestamp)),
        ])

    private static let retryBudgetHealth = ObjectType("health.retry_budget_health", [.init("budgets", rows)])

    private static let retryCounts: [ObjectType.Field] = [
        .init("total_retries_attempted", .int),
        .init("successful_recovery_count", .int),
        .init("exhausted_retry_count", .int),
        .init("rate_limit_pressure", .bool),
        .init("rate_limit_events_5min", .int),
        .words("current_delay_mode", ["normal", "escalated"]),
        .init("max_retries", .int),
    ]

    private static let sigtermRetryHealth = ObjectType(
        "health.sigterm_retry_health",
        retryCounts + [
            .init("total_sigterm_sessions", .int),
            .init("recent_sigterm_count", .int),
            .init("recent_sigterm_sessions", rows),
        ])

    private static let apiErrorRetryHealth = ObjectType(
        "health.api_error_retry_health",
        retryCounts + [
            .init("total_api_error_sessions", .int),
            .init("recent_api_error_count", .int),
            .init("quota_limit_sessions_count", .int),
            .init("recent_quota_limit_count", .int),
            .init("recent_api_error_sessions", rows),
        ])

    private static let postDeployTaskHealth = ObjectType(
        "health.post_deploy_task_health",
        [
            status,
            .init("total", .int),
            .init("pending", .int),
            .init("running", .int),
            .init("succeeded", .int),
            .init("failed", .int),
            .init("blocked", .int),
            .init("awaiting_first_tick", .int),
            .init("tasks", rows),
        ])

    private static let logRetentionHealth = ObjectType(
        "health.log_retention_health",
        [
            status,
            .init("estimated_rows", .nullable(.int)),
            .init("total_bytes", .int),
            .init("index_bytes", .int),
            .init("oldest_log_at", .nullable(.timestamp)),
            .init("oldest_verbose_log_at", .nullable(.timestamp)),
            .init("retention_days", .int),
            .init("verbose_retention_days", .int),
        ])
}
