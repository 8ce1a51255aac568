/// What `GET /costs` says about one window: sums of the ledger's entries, cut to the sizes that Zimmer cuts to.
struct CostReport {
    let from: ServerTime
    let to: ServerTime
    let scope: JSON
    let entries: [Spend]
    /// Titles of the sessions that spent.
    let title: (Int) -> String?

    /// List price per component, as shares of every dollar.
    private static let components: [(name: String, share: Double)] = [
        ("cache read", 0.42), ("output", 0.27), ("cache write (5m)", 0.18), ("cache write (1h)", 0.08),
        ("fresh input", 0.049), ("web search", 0.001),
    ]
    private static let features: [(name: String, share: Double)] = [
        ("tool_result", 0.4), ("thinking", 0.15), ("mcp_result", 0.1),
    ]

    func json(coverage: JSON) -> JSON {
        let inSessions = entries.filter { $0.sessionID != nil }
        return [
            "window": ["from": JSON(from), "to": JSON(to)], "scope": scope, "pricing": Self.pricing,
            "ledger_coverage": coverage, "totals": totals, "cost_breakdown": breakdown, "by_day": byDay,
            "by_agent_root": byAgentRoot(inSessions),
            "by_model": .array(table(entries, key: "model", by: \.model)),
            "by_thread_kind": .array(table(inSessions, key: "kind") { $0.isSubagent ? "subagent" : "main" }),
            "by_runtime": .array(table(entries, key: "runtime", by: \.runtime)),
            "by_adhoc_source": .array(
                table(entries.filter { $0.sessionID == nil }, key: "source") { _ in "headless_inference" }),
            "by_feature": byFeature(inSessions), "top_sessions": topSessions(inSessions),
            "unpriced_models": JSON(Set(entries.map(\.model)).filter { $0 == "local-small" }.sorted()),
        ]
    }

    private var totals: JSON {
        let all = sum(entries)
        let adhoc = sum(entries.filter { $0.sessionID == nil }).usd
        func part(_ share: Double) -> JSON { .int(Int(Double(all.tokens) * share)) }
        return [
            "input_tokens": part(0.051), "output_tokens": part(0.024), "cache_read_tokens": part(0.854),
            "cache_creation_tokens": part(0.071), "cache_creation_5m_tokens": part(0.049),
            "cache_creation_1h_tokens": part(0.022), "web_search_requests": .int(all.calls / 62),
            "web_fetch_requests": .int(all.calls / 34), "api_calls": .int(all.calls), "cost_usd": .double(all.usd),
            "total_tokens": .int(all.tokens), "session_cost_usd": .double(all.usd - adhoc),
            "adhoc_cost_usd": .double(adhoc),
        ]
    }

    private var breakdown: JSON {
        let total = sum(entries).usd
        guard total > 0 else { return [] }
        return .array(
            Self.components.map { component in
                [
                    "component": .string(component.name), "cost_usd": .double(total * component.share),
                    "share": .double(component.share),
                ]
            })
    }

    private var byDay: JSON {
        let days = grouped(entries) { $0.at.day }.sorted { $0.key < $1.key }
        return .array(
            days.map { day, entries in
                let inSessions = entries.filter { $0.sessionID != nil }
                let (all, session) = (sum(entries), sum(inSessions))
                return [
                    "day": .string(day), "cost_usd": .double(all.usd), "session_cost_usd": .double(session.usd),
                    "adhoc_cost_usd": .double(all.usd - session.usd), "tokens": .int(all.tokens),
                    "api_calls": .int(all.calls),
                    "roots": .array(table(inSessions, key: "name", atMost: 4, by: \.root)),
                    "models": .array(table(inSessions, key: "name", atMost: 4, by: \.model)),
                ]
            })
    }

    private func byAgentRoot(_ entries: [Spend]) -> JSON {
        .array(
            ranked(entries, by: \.root, atMost: 15).map { root, sum in
                var row = sum.row("agent_root", root)
                row["features"] = .array(Self.features.map { sum.scaled(by: $0.share).row("feature", $0.name) })
                return row
            })
    }

    private func byFeature(_ entries: [Spend]) -> JSON {
        let total = sum(entries)
        let rows = Self.features.map { (name: $0.name, sum: total.scaled(by: $0.share)) }
        let attributed = rows.map(\.sum).reduce(SpendSum(), +)
        return [
            "rows": .array(total.usd > 0 ? rows.map { $0.sum.row("feature", $0.name) } : []),
            "attributed_cost_usd": .double(attributed.usd), "attributed_tokens": .int(attributed.tokens),
            "total_cost_usd": .double(total.usd), "total_tokens": .int(total.tokens),
            "residual_cost_usd": .double(total.usd - attributed.usd),
            "residual_tokens": .int(total.tokens - attributed.tokens),
            "coverage": .double(total.usd > 0 ? attributed.usd / total.usd : 0),
        ]
    }

    private func topSessions(_ entries: [Spend]) -> JSON {
        let sums = grouped(entries) { $0.sessionID ?? 0 }.map { (id: $0.key, sum: sum($0.value)) }
        return .array(
            sums.sorted { ($0.sum.usd, $1.id) > ($1.sum.usd, $0.id) }.prefix(15).map { id, sum in
                [
                    "session_id": .int(id), "cost_usd": .double(sum.usd), "tokens": .int(sum.tokens),
                    "api_calls": .int(sum.calls), "title": JSON(title(id)),
                ]
            })
    }

    // MARK: - Tables

    private func table(
        _ entries: [Spend], key: String, atMost limit: Int = 15, by name: (Spend) -> String
    ) -> [JSON] {
        ranked(entries, by: name, atMost: limit).map { $0.sum.row(key, $0.name) }
    }

    /// Sums by name, dearest first; what is beyond the limit folds into one row, as Zimmer writes it.
    private func ranked(
        _ entries: [Spend], by name: (Spend) -> String, atMost limit: Int
    ) -> [(name: String, sum: SpendSum)] {
        let all = grouped(entries, by: name).map { (name: $0.key, sum: sum($0.value)) }
            .sorted { ($0.sum.usd, $1.name) > ($1.sum.usd, $0.name) }
        guard all.count > limit else { return all }
        let tail = all.dropFirst(limit)
        return all.prefix(limit) + [("other (\(tail.count))", tail.map(\.sum).reduce(SpendSum(), +))]
    }

    private func grouped<Key: Hashable>(_ entries: [Spend], by key: (Spend) -> Key) -> [Key: [Spend]] {
        Dictionary(grouping: entries, by: key)
    }

    private func sum(_ entries: [Spend]) -> SpendSum {
        entries.reduce(into: SpendSum()) { $0.add($1) }
    }

    private static let pricing: JSON = [
        "note": "List price. Subscription use is not billed this way.",
        "cache_multipliers": ["read": 0.1, "write_5m": 1.25, "write_1h": 2.0], "web_search_per_1k_requests": 10.0,
        "per_mtok": [
            "opus": price(input: 5, output: 25), "sonnet": price(input: 3, output: 15),
            "gpt-large": price(input: 2.5, output: 10),
        ],
    ]

    private static func price(input: Double, output: Double) -> JSON {
        [
            "input": .double(input), "output": .double(output), "cache_read": .double(input * 0.1),
            "cache_write_5m": .double(input * 1.25), "cache_write_1h": .double(input * 2),
        ]
    }
}
