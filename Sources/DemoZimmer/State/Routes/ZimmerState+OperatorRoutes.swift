/// Health actions and costs.
extension ZimmerState {
    mutating func enterRecovery(_ call: Call) throws(Refusal) -> HTTPResponse {
        let minutes = min(240, max(5, call.integer("ttl_minutes") ?? 60))
        recovery.enter(reason: call.text("reason"), by: "REST API", for: .minutes(minutes), at: now)
        return .json(recovery.json(at: now))
    }

    mutating func exitRecovery() -> HTTPResponse {
        recovery.exit()
        return .json(recovery.json(at: now))
    }

    mutating func retrySessions(_ call: Call) throws(Refusal) -> HTTPResponse {
        try coolDown("retry_sessions")
        let named = call.parameter("session_ids")?.elements.map { $0.compactMap(\.integer) }
        let failed = sessions.all.filter { $0.status == .failed && now - $0.updatedAt < .hours(24) }
        var (retried, refused, skipped): ([JSON], [JSON], [JSON]) = ([], [], [])
        for id in named ?? failed.prefix(10).map(\.id) {
            guard let session = sessions[id], session.status == .failed else {
                refused.append(["session_id": .int(id), "reason": "Cannot restart"])
                continue
            }
            if session.failureReason == "oauth_required" {
                skipped.append(["session_id": .int(id), "reason": "Needs OAuth"])
                continue
            }
            deliver("Continue where you left off.", to: id, keepsPrompt: true)
            retried.append(.int(id))
        }
        return .json(["retried": .array(retried), "failed": .array(refused), "skipped": .array(skipped)])
    }

    mutating func cleanUpProcesses(_ call: Call) throws(Refusal) -> HTTPResponse {
        try coolDown("cleanup_processes")
        return .json(["terminated": [], "failed": [], "already_dead": []])
    }

    /// Thirty seconds between two runs of one action.
    private mutating func coolDown(_ action: String) throws(Refusal) {
        if let last = cooldowns[action], now - last < .seconds(30) {
            throw Refusal(
                429, "Rate limited", "Wait before running this again.", extra: [JSON.Member("retry_after", 30)])
        }
        cooldowns[action] = now
    }

    func showCosts(_ call: Call) throws(Refusal) -> HTTPResponse {
        let (from, to) = window(call)
        let sessionID = call.integer("session_id")
        let root = sessionID == nil ? call.text("agent_root") : nil
        let entries = ledger.covered(from: from, to: to) { spend in
            (sessionID == nil || spend.sessionID == sessionID) && (root == nil || spend.root == root)
        }
        let scope: JSON =
            if let sessionID { ["session_id": .int(sessionID)] } else if let root { ["agent_root": .string(root)] } else
            {
                .null
            }
        let report = CostReport(from: from, to: to, scope: scope, entries: entries) { sessions[$0]?.title }
        return .json(report.json(coverage: ledger.coverageJSON(now: now)))
    }

    /// A window that cannot be read is silently replaced by the default, as Zimmer does.
    private func window(_ call: Call) -> (from: ServerTime, to: ServerTime) {
        func time(_ name: String) -> ServerTime? {
            call.request.queryValue(name).flatMap(ServerTime.init(iso8601:))?.rounded(downTo: .minutes(1))
        }
        let days = call.integer("days").flatMap { (1...365).contains($0) ? $0 : nil } ?? 7
        let to = time("to") ?? now
        let from = time("from") ?? to - .days(days)
        return from < to ? (from, to) : (to - .days(days), to)
    }

    mutating func backfillCosts() -> HTTPResponse {
        let wasQueued = ledger.isSweeping
        if !wasQueued {
            ledger.isSweeping = true
            agenda.plan(.sweepEnds, at: now + .minutes(1))
        }
        return .json([
            "queued": .bool(!wasQueued), "run": ["status": "queued", "trigger": "manual"],
            "ledger_coverage": ledger.coverageJSON(now: now),
        ])
    }
}
