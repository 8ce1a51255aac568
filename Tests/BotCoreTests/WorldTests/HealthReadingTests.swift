import CEL
import Testing

@testable import BotCore

@Suite struct HealthReadingTests {
    private func health(_ fixture: String) throws -> HealthReading {
        HealthReading(try Fixture.document(fixture), readAt: Fixture.now, serverDate: nil)
    }

    private func health(json: String) throws -> HealthReading {
        HealthReading(try JSONDocument(Array(json.utf8)).root, readAt: Fixture.now, serverDate: nil)
    }

    /// What `health.a.b` is.
    private func value(_ health: HealthReading, _ path: String) -> Value {
        path.split(separator: ".").reduce(.object(health.object)) { value, field in
            if case .object(let object) = value { object[String(field)] } else { value }
        }
    }

    @Test(arguments: [
        "health_ok", "health_egress_degraded", "health_failure_rate", "health_recovery_mode", "health_snapshot_aug",
    ])
    func `every declared field of a report can be read`(fixture: String) throws {
        func unreadable(_ object: Object) -> [String] {
            zip(object.type.fields, object.slots).flatMap { field, value -> [String] in
                if case .object(let inner) = value { return unreadable(inner) }
                return value.isUnavailable ? ["\(object.type.name).\(field.name)"] : []
            }
        }
        #expect(unreadable(try health(fixture).object) == [])
    }

    @Test func `a healthy report has no problems`() throws {
        let health = try health("health_ok")
        #expect(value(health, "overall_status.status").shown == "healthy")
        #expect(value(health, "problems").shown == "[]")
        #expect(value(health, "queue_recovery_mode.active").shown == "false")
        #expect(value(health, "system_health.queue_stats.ready_count").shown == "3")
        #expect(value(health, "session_health.failure_rate").shown == "0.058")
        #expect(value(health, "egress_health.degraded_since").shown == "null")
        #expect(value(health, "generated_at").shown == "2026-10-09T12:00:00.512Z")
        #expect(health.arePullRequestsFrozen == false)
    }

    @Test(arguments: [
        ("health_egress_degraded", "egress_health"), ("health_failure_rate", "session_health"),
    ])
    func `the sections in trouble are named`(fixture: String, section: String) throws {
        guard case .list(let problems) = value(try health(fixture), "problems") else { return #expect(Bool(false)) }
        let sections = problems.map { if case .object(let problem) = $0 { problem["section"].shown } else { "" } }
        #expect(sections.contains(section))
        guard case .object(let problem)? = problems.first else { return #expect(Bool(false)) }
        #expect(["warning", "critical"].contains(problem["status"].shown))
        #expect(!problem["message"].shown.isEmpty)
    }

    @Test func `a section that only a newer server has is a problem too`() throws {
        let health = try health(
            json:
                #"{"health_report": {"cron_health": {"status": {"status": "critical", "message": "late"}}, "x": 1, "y": {"status": "critical"}}}"#
        )
        guard case .list(let problems) = value(health, "problems"), case .object(let problem)? = problems.first else {
            return #expect(Bool(false))
        }
        #expect(problems.count == 1)
        #expect(problem["section"].shown == "cron_health")
        guard case .map(let report) = value(health, "report") else { return #expect(Bool(false)) }
        #expect(report.entries.map(\.key.shown) == ["cron_health", "x", "y"])
    }

    @Test func `in recovery mode pull requests stand still`() throws {
        let health = try health("health_recovery_mode")
        #expect(value(health, "queue_recovery_mode.active").shown == "true")
        #expect(value(health, "queue_recovery_mode.paused_queues").shown.contains("pollers"))
        #expect(health.arePullRequestsFrozen == true)
    }

    @Test(
        arguments: [
            (#"{"active": false, "halted_queues": [], "paused_queues": ["pollers"], "live_queues": []}"#, true),
            (
                #"{"active": false, "halted_queues": ["pollers"], "paused_queues": ["default"], "live_queues": []}"#,
                false
            ),
            (#"{"active": "no", "paused_queues": []}"#, nil), ("null", nil),
        ] as [(String, Bool?)])
    func `a queue paused by hand counts, and what is not told is not known`(mode: String, isFrozen: Bool?) throws {
        #expect(try health(json: #"{"queue_recovery_mode": \#(mode)}"#).arePullRequestsFrozen == isFrozen)
    }

    @Test(arguments: ["{}", #"{"health_report": 7}"#, #"{"health_report": null}"#])
    func `without a report nothing is known`(json: String) throws {
        let health = try health(json: json)
        #expect(value(health, "problems").isUnavailable)
        #expect(value(health, "report").isUnavailable)
        #expect(value(health, "overall_status").isUnavailable)
        #expect(value(health, "queue_recovery_mode").isUnavailable)
    }

    @Test func `a section of an unexpected form costs itself only`() throws {
        let health = try health(
            json: #"{"health_report": {"process_health": [], "system_health": {"queue_depth": "many"}}}"#)
        #expect(value(health, "process_health").isUnavailable)
        #expect(value(health, "system_health.queue_depth").isUnavailable)
        #expect(value(health, "auth_health").shown == "null")
    }
}
