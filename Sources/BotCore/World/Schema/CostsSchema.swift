package import CEL

extension WorldSchema {
    package static let costs = ObjectType(
        "costs",
        [
            .init("from", .timestamp),
            .init("to", .timestamp),
            .init("complete", .bool),
            .init("scope", .nullable(.dyn)),
            .init("pricing", .nullable(.map(.string, .dyn))),
            .init("ledger_coverage", .object(ledgerCoverage)),
            .init("totals", .object(costTotals)),
            .init("cost_breakdown", .list(.object(costComponent))),
            .init("by_day", .list(.object(costDay))),
            .init("by_agent_root", .list(.object(costByAgentRoot))),
            .init("by_model", .list(.object(costByModel))),
            .init("by_thread_kind", .list(.object(costByThreadKind))),
            .init("by_runtime", .nullable(.list(.object(costByRuntime)))),
            .init("by_adhoc_source", .list(.object(costByAdhocSource))),
            .init("by_feature", .object(costByFeature)),
            .init("by_experiment", .nullable(.list(.map(.string, .dyn)))),
            .init("top_sessions", .list(.object(costOfSession))),
            .init("unpriced_models", .list(.string)),
        ])

    static let costsParts = [
        ledgerCoverage, costTotals, costComponent, costDay, costOfName, costByAgentRoot, costByModel, costByThreadKind,
        costByRuntime, costByAdhocSource, costByFeature, costOfFeature, costOfSession,
    ]

    private static let ledgerCoverage = ObjectType(
        "costs.ledger_coverage",
        [
            .words("status", ["never_run", "queued", "running", "complete"]),
            .init("complete", .bool),
            .init("progress_pct", .nullable(.double)),
            .init("directories_done", .nullable(.int)),
            .init("directories_total", .nullable(.int)),
            .init("files_scanned", .nullable(.int)),
            .init("rows_written", .nullable(.int)),
            .init("trigger", .nullable(.string)),
            .init("started_at", .nullable(.timestamp)),
            .init("finished_at", .nullable(.timestamp)),
            .init("last_ran_at", .nullable(.timestamp)),
            .init("last_error", .nullable(.string)),
            .init("covers_since", .nullable(.timestamp)),
            .init("covers_until", .nullable(.timestamp)),
        ])

    private static let costTotals = ObjectType(
        "costs.totals",
        [
            .init("cost_usd", .double),
            .init("session_cost_usd", .double),
            .init("adhoc_cost_usd", .double),
            .init("total_tokens", .int),
            .init("input_tokens", .int),
            .init("output_tokens", .int),
            .init("cache_read_tokens", .int),
            .init("cache_creation_tokens", .int),
            .init("cache_creation_5m_tokens", .nullable(.int)),
            .init("cache_creation_1h_tokens", .nullable(.int)),
            .init("web_search_requests", .int),
            .init("web_fetch_requests", .int),
            .init("api_calls", .int),
        ])

    private static let costComponent = ObjectType(
        "costs.component",
        [.init("component", .string), .init("cost_usd", .double), .init("share", .double)])

    /// What every row of a cost table has beside the name of what it is about.
    private static let usage: [ObjectType.Field] = [
        .init("cost_usd", .double), .init("tokens", .int), .init("api_calls", .int),
    ]

    private static let costDay = ObjectType(
        "costs.day",
        [
            .init("day", .string),
            .init("session_cost_usd", .double),
            .init("adhoc_cost_usd", .double),
            .init("roots", .nullable(.list(.object(costOfName)))),
            .init("models", .nullable(.list(.object(costOfName)))),
        ] + usage)

    private static let costOfName = ObjectType("costs.name", [.init("name", .string)] + usage)
    private static let costOfFeature = ObjectType("costs.feature", [.init("feature", .string)] + usage)
    private static let costByAgentRoot = ObjectType(
        "costs.agent_root",
        [.init("agent_root", .string), .init("features", .nullable(.list(.object(costOfFeature))))] + usage)
    private static let costByModel = ObjectType("costs.model", [.init("model", .string)] + usage)
    private static let costByThreadKind = ObjectType(
        "costs.thread_kind", [.words("kind", ["main", "subagent"])] + usage)
    private static let costByRuntime = ObjectType("costs.runtime", [.init("runtime", .string)] + usage)
    private static let costByAdhocSource = ObjectType("costs.adhoc_source", [.init("source", .string)] + usage)

    private static let costByFeature = ObjectType(
        "costs.by_feature",
        [
            .init("rows", .list(.object(costOfFeature))),
            .init("attributed_cost_usd", .double),
            .init("attributed_tokens", .int),
            .init("total_cost_usd", .double),
            .init("total_tokens", .int),
            .init("residual_cost_usd", .double),
            .init("residual_tokens", .int),
            .init("coverage", .double),
        ])

    private static let costOfSession = ObjectType(
        "costs.session", [.init("session_id", .int), .init("title", .nullable(.string))] + usage)
}
