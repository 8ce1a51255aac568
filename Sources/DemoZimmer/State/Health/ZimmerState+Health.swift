/// The health report, computed from the state the way Zimmer's thresholds say.
extension ZimmerState {
    func healthJSON() -> JSON {
        [
            "health_report": generation.health(report), "queue_recovery_mode": recovery.json(at: now),
            "timestamp": JSON(now),
            "rails_env": "production", "ruby_version": "3.4.5",
        ]
    }

    private var report: JSON {
        let all = sessions.all
        let running = all.filter { $0.status == .running }
        let sections: [(name: String, level: Level, body: JSON)] = [
            processHealth(running), sessionHealth(all), systemHealth, egressHealth, authHealth,
        ]
        let worst = sections.map(\.level).max() ?? .healthy
        var report = JSON.object(sections.map { JSON.Member($0.name, $0.body) })
        report["retry_budget_health"] = Self.retryBudgetHealth
        report["sigterm_retry_health"] = retryHealth("sigterm", recent: all)
        report["api_error_retry_health"] = retryHealth("api_error", recent: all)
        report["post_deploy_task_health"] = postDeployTaskHealth
        report["log_retention_health"] = logRetentionHealth
        report["overall_status"] = worst.json(Self.overall[worst] ?? "")
        report["generated_at"] = .string(now.iso8601WithMilliseconds)
        return report
    }

    private typealias Section = (name: String, level: Level, body: JSON)

    private static let overall: [Level: String] = [
        .healthy: "All systems operational", .warning: "One or more warnings detected",
        .critical: "One or more critical issues detected",
    ]

    private func processHealth(_ running: [Session]) -> Section {
        let processes = running.enumerated().map { offset, session in (pid: 4100 + offset, session: session.id) }
        return (
            "process_health", .healthy,
            [
                "active_count": .int(running.count),
                "active_processes": .array(
                    processes.map { ["pid": .int($0.pid), "command": "claude --resume", "running": true] }),
                "orphaned_count": 0, "orphaned_processes": [], "tracked_count": .int(running.count),
                "tracked_processes": .array(
                    processes.map { ["pid": .int($0.pid), "session_id": .int($0.session), "running": true] }),
                "recorded_count": .int(running.count), "recorded_processes": [], "observable": true,
                "status": Level.healthy.json("No orphaned processes"),
            ]
        )
    }

    private func sessionHealth(_ all: [Session]) -> Section {
        let recent = all.filter { $0.status == .failed && now - $0.updatedAt < .hours(24) }
        let lately = all.filter { now - $0.updatedAt < .hours(24) }.count
        let rate = lately == 0 ? 0 : Double(recent.count) / Double(lately)
        // Few sessions make no rate: one failure among three is no alarm.
        let level: Level = lately < 10 || rate < 0.10 ? .healthy : rate < 0.25 ? .warning : .critical
        let reasons = Dictionary(grouping: recent) { $0.failureReason ?? "unknown" }.mapValues(\.count)
        let counts: JSON = .object(
            Session.Status.allCases.map { status in
                JSON.Member(status.rawValue, .int(all.count { $0.status == status }))
            })
        return (
            "session_health", level,
            [
                "sessions_by_status": counts, "total_sessions": .int(all.count),
                "recent_failures": .array(recent.prefix(10).map(failureJSON)), "failure_rate": .double(rate),
                "error_categories": .object(reasons.isEmpty ? [] : [JSON.Member("other", .int(recent.count))]),
                "failure_reasons": .object(
                    reasons.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .int($0.value)) }),
                "average_duration_seconds": 1430,
                "status": level.json(level == .healthy ? "Normal failure rate" : "Elevated failure rate"),
            ]
        )
    }

    private func failureJSON(_ session: Session) -> JSON {
        let error = logs.last { $0.sessionID == session.id && $0.level == "error" }
        var json = session.reference
        json["git_root"] = JSON(session.gitRoot)
        json["updated_at"] = .string(session.updatedAt.iso8601WithMilliseconds)
        json["last_error"] = JSON(error?.content)
        json["failure_reason"] = JSON(session.failureReason)
        return json
    }

    private var systemHealth: Section {
        let stalled = recovery.isActive
        let level: Level = stalled ? .critical : .healthy
        let age = recovery.enteredAt.map { Int((now - $0).components.seconds) + 900 }
        let message = stalled ? "Queue backlog critical: 4100 jobs ready" : "Queue processing normally"
        let workers: [JSON] = (1...2).map { number in
            [
                "id": .string(uuid(of: "worker", number)), "hostname": "worker-\(number)",
                "last_heartbeat": .string((now - .seconds(4)).iso8601WithMilliseconds), "seconds_since_heartbeat": 4,
            ]
        }
        let errors = logs.filter { $0.level == "error" }.suffix(5).reversed().map { line -> JSON in
            [
                "id": .int(line.id), "session_id": .int(line.sessionID), "content": .string(line.content),
                "created_at": .string(line.createdAt.iso8601WithMilliseconds),
            ]
        }
        return (
            "system_health", level,
            [
                "queue_depth": stalled ? 4100 : 3,
                "queue_stats": [
                    "pending_count": stalled ? 4300 : 11, "ready_count": stalled ? 4100 : 3, "scheduled_count": 8,
                    "claimed_count": 5, "failed_count": 0, "oldest_ready_age_seconds": .int(age ?? 2),
                    "processing_rate_per_hour": stalled ? 80 : 940,
                ],
                "worker_stats": ["total_workers": 2, "active_workers": 2, "worker_details": .array(workers)],
                "recent_errors": .array(errors),
                "database_status": ["connected": true, "pool_size": 20, "connections_in_use": 6],
                "status": level.json(message),
            ]
        )
    }

    private var egressHealth: Section {
        let level: Level = egressProblem == nil ? .healthy : .critical
        return (
            "egress_health", level,
            [
                "status": level.json(egressProblem?.detail ?? "DNS egress resolving"),
                "resolver": egressProblem == nil ? .null : "192.0.2.53", "detail": JSON(egressProblem?.detail),
                "degraded_since": JSON(egressProblem?.since), "checked_at": JSON(now.rounded(downTo: .minutes(1))),
            ]
        )
    }

    private var authHealth: Section {
        (
            "auth_health", .healthy,
            [
                "status": Level.healthy.json("3 of 3 logins usable"), "session_scoped_credentials": true,
                "credentials_state": "ok", "credentials_detail": .null, "credentials_owner": "zimmer",
                "repair_outlook": .null, "available_accounts": 3, "serviceable_accounts": 3,
                "needs_reauth_accounts": 0, "checked_at": JSON(now.rounded(downTo: .minutes(2))),
            ]
        )
    }

    private var logRetentionHealth: JSON {
        [
            "estimated_rows": 1_840_000, "total_bytes": 2_147_483_648, "index_bytes": 402_653_184,
            "oldest_log_at": JSON(now - .days(30)), "oldest_verbose_log_at": JSON(now - .days(7)),
            "retention_days": 30, "verbose_retention_days": 7, "status": Level.healthy.json("Within retention"),
        ]
    }

    private static let retryBudgetHealth: JSON = [
        "budgets": [
            [
                "name": "mcp_connection", "label": "MCP connection", "count_key": "mcp_retry_count",
                "stamp_key": "last_mcp_retry_at", "max_retries": 3, "total_sessions": 6, "total_retries_attempted": 9,
                "successful_recovery_count": 5, "exhausted_retry_count": 1, "recent_count": 0, "recent_sessions": [],
            ]
        ]
    ]

    /// Sessions that failed by giving up on retries of that kind.
    private func retryHealth(_ kind: String, recent all: [Session]) -> JSON {
        let exhausted = all.filter { $0.failureReason == "\(kind)_retries_exhausted" }
        let rows = exhausted.prefix(10).map { session -> JSON in
            var row = session.reference
            row["git_root"] = JSON(session.gitRoot)
            row["retry_count"] = 5
            row["last_\(kind)_at"] = JSON(session.updatedAt)
            row["updated_at"] = .string(session.updatedAt.iso8601WithMilliseconds)
            return row
        }
        var json: JSON = [
            "total_\(kind)_sessions": 14, "total_retries_attempted": 22, "successful_recovery_count": 12,
            "exhausted_retry_count": .int(exhausted.count), "recent_\(kind)_count": .int(rows.count),
        ]
        if kind == "api_error" {
            json["quota_limit_sessions_count"] = 3
            json["recent_quota_limit_count"] = 0
        }
        json["rate_limit_pressure"] = false
        json["rate_limit_events_5min"] = 0
        json["current_delay_mode"] = "normal"
        json["max_retries"] = 5
        json["recent_\(kind)_sessions"] = .array(rows)
        return json
    }

    private var postDeployTaskHealth: JSON {
        let ran = JSON(now.rounded(downTo: .days(7)))
        return [
            "status": Level.healthy.json("No task waiting"), "total": 1, "pending": 0, "running": 0, "succeeded": 1,
            "failed": 0, "blocked": 0, "awaiting_first_tick": 0,
            "tasks": [
                [
                    "version": "20261001120000", "name": "BackfillGoalChecks", "status": "succeeded",
                    "registered": true, "attempts": 1, "failures": 0, "blocked": false, "stats": ["rows": 812],
                    "started_at": ran, "finished_at": ran, "last_ran_at": ran, "next_attempt_at": .null,
                    "last_error": .null, "last_error_at": .null,
                ]
            ],
        ]
    }
}

/// How well a section of the report is; later is worse.
enum Level: String, Sendable, Hashable, Comparable {
    case healthy, warning, critical

    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .healthy: 0
        case .warning: 1
        case .critical: 2
        }
    }

    func json(_ message: String) -> JSON {
        ["status": .string(rawValue), "message": .string(message), "code": .null]
    }
}
