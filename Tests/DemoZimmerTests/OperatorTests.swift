import DemoZimmer
import Testing

@Suite struct OperatorTests {
    let server: DemoServer
    let client: HTTPClient

    init() throws {
        server = try DemoServer()
        client = HTTPClient(server)
    }

    private func get(_ path: String) async throws -> JSON {
        try await client.get("/api/v1/\(path)").json
    }

    // MARK: - Health

    @Test func `recovery mode comes, is extended, and ends by itself`() async throws {
        let entered = try await client.post(
            "/api/v1/health/enter_queue_recovery_mode", ["reason": "Stall", "ttl_minutes": 30])
        #expect(entered.json["active"] == true)
        server.advance(by: .minutes(20))
        let health = try await get("health")
        #expect(health["queue_recovery_mode"]?["expires_in_seconds"] == 600)
        #expect(health["health_report"]?["overall_status"]?["status"] == "critical")
        server.advance(by: .minutes(10))
        #expect(try await get("health/queue_recovery_mode")["active"] == false)
        #expect(try await get("health")["health_report"]?["overall_status"]?["status"] == "healthy")
    }

    @Test func `egress names what is wrong and since when`() async throws {
        server.update { $0.egressProblem = EgressProblem(since: $0.now, detail: "cannot resolve api.example.com") }
        let egress = try await get("health")["health_report"]?["egress_health"]
        #expect(egress?["status"]?["status"] == "critical")
        #expect(egress?["degraded_since"] == "2026-10-09T11:00:00Z")
    }

    @Test func `the two times of the report are written in two ways`() async throws {
        let health = try await get("health")
        #expect(health["timestamp"] == "2026-10-09T11:00:00Z")
        #expect(health["health_report"]?["generated_at"] == "2026-10-09T11:00:00.000Z")
    }

    @Test func `failures become a rate, and a rate an alarm`() async throws {
        server.update { state in
            for number in 0..<20 { state.addSession(title: "Task", status: number < 6 ? .failed : .needsInput) }
        }
        let sessions = try await get("health")["health_report"]?["session_health"]
        #expect(sessions?["failure_rate"] == 0.3)
        #expect(sessions?["status"]?["status"] == "critical")
        #expect(sessions?["sessions_by_status"]?["failed"] == 6)
    }

    @Test func `a health action has to wait half a minute for its next turn`() async throws {
        let path = "/api/v1/health/cleanup_processes"
        #expect(try await client.post(path).status == 200)
        let refused = try await client.post(path)
        #expect(refused.status == 429)
        #expect(refused.json["retry_after"] == 30)
        server.advance(by: .seconds(30))
        #expect(try await client.post(path).status == 200)
    }

    // MARK: - Costs

    private func spend(_ amounts: [(hoursAgo: Int, usd: Double, root: String, session: Int?)]) {
        server.update { state in
            for amount in amounts {
                state.ledger.add(
                    Spend(
                        at: state.now - .hours(amount.hoursAgo), usd: amount.usd, root: amount.root,
                        sessionID: amount.session))
            }
        }
    }

    @Test func `a window holds what was spent from its beginning up to its end`() async throws {
        spend([(30, 1, "widgets", 7), (24, 2, "widgets", 7), (12, 4, "gadgets", 8), (1, 8, "widgets", nil)])
        func total(_ query: String) async throws -> Double? {
            try await get("costs?\(query)")["totals"]?["cost_usd"]?.number
        }
        #expect(try await total("days=1") == 14)
        #expect(try await total("days=2") == 15)
        #expect(try await total("from=2026-10-08T05:00:00Z&to=2026-10-08T11:00:00Z") == 1)
        #expect(try await total("from=2026-10-08&to=2026-10-09") == 7)
        #expect(try await total("days=2&agent_root=gadgets") == 4)
        #expect(try await total("days=2&session_id=7&agent_root=gadgets") == 3)
        // What cannot be read is silently the default.
        #expect(try await total("days=5000") == 15)
        #expect(try await total("from=soon&to=later") == 15)
    }

    @Test func `the parts of a report add up to its total`() async throws {
        let server = try DemoServer(day: .friday)
        server.advance(by: .hours(12))
        let costs = try await HTTPClient(server).get("/api/v1/costs?days=30").json
        let total = try #require(costs["totals"]?["cost_usd"]?.number)
        #expect(total > 500)
        func sum(_ key: String) -> Double {
            (costs[key]?.elements ?? []).reduce(0) { $0 + ($1["cost_usd"]?.number ?? 0) }
        }
        for key in ["by_day", "by_model", "by_runtime", "cost_breakdown"] { #expect(abs(sum(key) - total) < 0.001) }
        let inSessions = try #require(costs["totals"]?["session_cost_usd"]?.number)
        for key in ["by_agent_root", "by_thread_kind", "top_sessions"] { #expect(sum(key) <= inSessions + 0.001) }
        #expect(abs(sum("by_adhoc_source") + inSessions - total) < 0.001)
        #expect(costs["by_day"]?.elements?.count == 31)
    }

    @Test func `spend shows only once the ingest has passed it, or a sweep has run`() async throws {
        server.update { $0.ledger.add(Spend(at: $0.now + .minutes(4), usd: 3)) }
        server.advance(by: .minutes(5))
        #expect(try await get("costs")["totals"]?["cost_usd"]?.number == 0)
        #expect(try await client.post("/api/v1/costs/backfill").json["queued"] == true)
        #expect(try await client.post("/api/v1/costs/backfill").json["queued"] == false)
        server.advance(by: .minutes(1))
        let costs = try await get("costs")
        #expect(costs["totals"]?["cost_usd"]?.number == 3)
        #expect(costs["ledger_coverage"]?["covers_until"] == "2026-10-09T11:06:00Z")
    }

    @Test func `without any sweep the ledger is empty and says so`() async throws {
        spend([(1, 8, "widgets", nil)])
        server.update { $0.ledger.forgetCoverage() }
        let costs = try await get("costs")
        #expect(costs["ledger_coverage"]?["status"] == "never_run")
        #expect(costs["ledger_coverage"]?["covers_until"] == JSON.null)
        #expect(costs["totals"]?["cost_usd"]?.number == 0)
    }

    @Test func `more names than a table holds fold into its last row`() async throws {
        spend((1...20).map { (hoursAgo: 2, usd: Double($0), root: "root-\($0)", session: $0) })
        let costs = try await get("costs?days=1")
        let roots = try #require(costs["by_agent_root"]?.elements)
        #expect(roots.count == 16)
        #expect(roots.last?["agent_root"] == "other (5)")
        #expect(roots.last?["cost_usd"]?.number == 15)
        #expect(costs["by_day"]?[0]?["roots"]?.elements?.count == 5)
    }

    // MARK: - Inbox, triggers, tools

    @Test func `a notification is read before it is dismissed, and gone after`() async throws {
        server.update { state in
            let id = state.addSession(title: "Fix the login", status: .failed)
            state.notify("session_failed", about: id)
        }
        let row = try #require(try await get("notifications")["notifications"]?[0])
        let path = "/api/v1/notifications/\(try #require(row["id"]?.integer))"
        #expect(try await get("notifications/badge")["pending_count"] == 1)
        #expect(try await client.send("DELETE", path + "/dismiss").json["error"] == "Cannot dismiss")
        #expect(try await client.patch(path + "/mark_read").json["notification"]?["read"] == true)
        #expect(try await get("notifications/badge")["pending_count"] == 0)
        #expect(try await client.send("DELETE", path + "/dismiss").status == 204)
        #expect(try await client.send("DELETE", path + "/dismiss").status == 404)
    }

    @Test func `a failed session's rows leave the inbox when it goes on`() async throws {
        let id = server.update { state in
            let id = state.addSession(title: "Fix the login", status: .failed)
            state.notify("session_failed", about: id)
            return id
        }
        _ = try await client.post("/api/v1/sessions/\(id)/restart")
        #expect(try await get("notifications")["notifications"] == [])
    }

    @Test func `a rest reaches the inbox after a minute, if pushes are on and it lasts`() async throws {
        let id = server.update { state in
            let id = state.addSession(title: "Fix the login") { $0.pushesWhenResting = true }
            state.startTurn(of: id)
            return id
        }
        server.advance(by: .minutes(6))
        #expect(server.state.notifications.isEmpty)
        server.advance(by: .minutes(1))
        #expect(server.state.notifications.map(\.sessionID) == [id])
    }

    @Test func `a trigger is toggled, and a failed one is enabled`() async throws {
        server.update { state in
            state.triggers = [Trigger(id: 7, name: "Nightly sweep", createdAt: state.now)]
        }
        let path = "/api/v1/triggers/7/toggle"
        #expect(try await client.post(path).json["trigger"]?["status"] == "disabled")
        server.update { $0.triggers[0].status = "failed" }
        #expect(try await client.post(path).json["trigger"]?["status"] == "enabled")
        #expect(try await client.post("/api/v1/triggers/8/toggle").status == 404)
    }

    @Test func `liveness names what does not answer`() async throws {
        #expect(try await HTTPClient(port: server.port).get("/up/deep").status == 200)
        server.update { $0.failedDependencies = ["redis"] }
        let answer = try await HTTPClient(port: server.port).get("/up/deep")
        #expect(answer.status == 503)
        #expect(answer.json["failed"] == ["redis"])
    }
}
