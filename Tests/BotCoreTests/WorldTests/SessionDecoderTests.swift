import CEL
import Testing

@testable import BotCore

@Suite struct SessionDecoderTests {
    /// Readings of a page at first sight, by id.
    private func readings(_ fixture: String) throws -> [Int64: SessionReading] {
        var tracker = SessionTracker()
        let readings = try Fixture.rows(fixture).map { tracker.reading(of: $0, previous: nil, at: Fixture.now) }
        return Dictionary(uniqueKeysWithValues: readings.map { ($0.id, $0) })
    }

    private func reading(_ json: String) throws -> SessionReading {
        let row = SessionDecoder(webURL: "https://z/").row(try JSONDocument(Array(json.utf8)).root)
        var tracker = SessionTracker()
        return tracker.reading(of: try #require(row), previous: nil, at: Fixture.now)
    }

    @Test func `a whole session is read under the names of the wire`() throws {
        let session = try #require(readings("sessions_page1")[1240])
        let object = session.object
        #expect(object["title"].shown == "Add CSV export to the report page")
        #expect(object["status"].shown == "needs_input")
        #expect(object["url"].shown == "https://zimmer.example.com/sessions/1240")
        #expect(object["agent_root"].shown == "widgets")
        #expect(object["model"].shown == "opus")
        #expect(object["repo"].shown == "example/widgets")
        #expect(object["goal"].shown == "green-pr")
        #expect(object["touched_at"].shown == "2026-10-09T10:40:00Z")
        #expect(object["created_at"].shown == "2026-10-09T10:25:00Z")
        #expect(object["status_since"].shown == "2026-10-09T12:00:00Z")
        #expect(object["favorited"].shown == "true")
        #expect(object["all_mcp_servers"].shown == "[issue-tracker, zimmer-self]")
        #expect(object["subdirectory"].shown == "null")
        #expect(object["waiting_reason"].shown == "null")
        guard case .map(let goalCheck) = object["goal_check"] else { return #expect(Bool(false)) }
        #expect(goalCheck.entries.contains { $0.key.shown == "verdict" && $0.value.shown == "met" })
        #expect(session.newestPullRequest == "https://github.com/example/widgets/pull/501")
        #expect(session.knownStatus == .needsInput)
        #expect(session.isVisibilityKnown)
    }

    @Test(arguments: ["sessions_page1", "sessions_page2", "sessions_archived", "sessions_view_user"])
    func `every field of every plain row can be read, and nothing is known beyond the row`(fixture: String) throws {
        let details = SessionField.allCases.filter { $0.detail != nil }.map(\.declaration.name)
        let all = try readings(fixture)
        #expect(!all.isEmpty)
        for (id, reading) in all {
            let broken = zip(reading.object.type.fields, reading.object.slots).filter { $1.isUnavailable }
            #expect(broken.map(\.0.name) == details, "\(id)")
        }
    }

    @Test(arguments: [
        (1220, "queued"), (1204, "queued"), (1219, "spot_hold"), (1216, "auth_outage"), (1218, "quota_pause"),
        (1217, "asleep"), (1201, "spot_hold"),
    ])
    func `a wait at first sight has the reason that Zimmer noted`(id: Int64, reason: String) throws {
        let all = try readings("sessions_page1").merging(readings("sessions_page2")) { first, _ in first }
        #expect(try #require(all[id]).object["waiting_reason"].shown == reason)
    }

    @Test(arguments: [
        (1212, "git_clone_failed"), (1209, "The job that was to start this session was interrupted before it ran."),
        (1208, "null"), (1210, "oauth_required"),
    ])
    func `a failure has the reason that Zimmer noted`(id: Int64, reason: String) throws {
        let all = try readings("sessions_page1").merging(readings("sessions_page2")) { first, _ in first }
        #expect(try #require(all[id]).object["failure_reason"].shown == reason)
    }

    @Test func `blocks and failed servers are told`() throws {
        let all = try readings("sessions_page1")
        #expect(try #require(all[1224]).object["blocked_on_elicitation"].shown == "true")
        #expect(try #require(all[1220]).object["blocked_on_elicitation"].shown == "false")
        #expect(try #require(all[1223]).object["mcp_failed"].shown == "[metrics]")
        #expect(try #require(all[1220]).object["title"].shown == "Session 1220")
    }

    @Test(arguments: [(1215, "snoozed", "snoozed"), (1213, "hidden", "hidden"), (1214, "snoozed", "visible")])
    func `visibility is as stored and as in effect`(id: Int64, stored: String, effective: String) throws {
        let session = try #require(readings("sessions_page2")[id])
        #expect(session.object["visibility"].shown == stored)
        #expect(session.object["effective_visibility"].shown == effective)
    }

    @Test func `an older server's sessions are visible`() throws {
        let session = try #require(readings("sessions_snapshot_aug")[1240])
        #expect(session.object["visibility"].shown == "visible")
        #expect(session.object["effective_visibility"].shown == "visible")
        #expect(session.isVisibilityKnown)
        #expect(session.object["goal_check"].shown == "null")
    }

    // MARK: - Broken rows

    @Test func `broken rows are decoded as far as they go, the others skipped`() throws {
        let all = try readings("sessions_tolerance")
        #expect(all.keys.sorted() == [9001, 9002, 9003, 9004, 9005, 9008])
        #expect(try #require(all[9001]).object["title"].shown == "Session 9001")
        #expect(try #require(all[9001]).object["touched_at"].isUnavailable)
        #expect(try #require(all[9002]).object["created_at"].shown == "2026-10-09T09:00:00.25Z")
        #expect(try #require(all[9003]).object["title"].shown == "Session 9003")
        #expect(try #require(all[9003]).object["favorited"].isUnavailable)
        #expect(try #require(all[9003]).object["precedence"].isUnavailable)
        #expect(try #require(all[9003]).object["metadata"].isUnavailable)
        #expect(try #require(all[9004]).object["prs"].shown == "[]")
        #expect(try #require(all[9008]).object["failure_reason"].shown == "null")
        #expect(try #require(all[9008]).object["touched_at"].isUnavailable)
        #expect(try #require(all[9008]).object["snoozed_until"].shown == "2026-10-10T00:00:00Z")
    }

    @Test func `words of a newer server stay as they are, and are known to be unknown`() throws {
        let session = try #require(readings("sessions_tolerance")[9002])
        #expect(session.status == "hibernating")
        #expect(session.knownStatus == nil)
        #expect(session.object["visibility"].shown == "archived_soon")
        #expect(session.object["priority_class"].shown == "batch")
        #expect(!session.isVisibilityKnown)
        let pull = try #require(readings("sessions_tolerance")[9005]).pulls.last
        #expect(pull?["state"].shown == "draft")
        #expect(pull?["ci"].shown == "neutral")
    }

    @Test(arguments: [
        "null", "7", "[]", "{}", #"{"id": 1}"#, #"{"id": "1", "status": "running"}"#,
        #"{"id": 1.5, "status": "running"}"#,
        #"{"id": 1, "status": null}"#, #"{"id": 1, "status": ""}"#, #"{"status": "running"}"#,
        #"{"id": 18446744073709551615, "status": "running"}"#,
    ])
    func `a row without an id or a status is none`(json: String) throws {
        #expect(SessionDecoder(webURL: "https://z").row(try JSONDocument(Array(json.utf8)).root) == nil)
    }

    @Test func `a long prompt is cut to its first 4,000 characters`() throws {
        let prompt = String(repeating: "é", count: 3_999) + "abc"
        let session = try reading(#"{"id": 1, "status": "running", "prompt": "\#(prompt)"}"#)
        #expect(session.object["prompt"].shown == String(prompt.dropLast(2)))
    }

    @Test(
        arguments: [
            ("https://github.com/example/widgets.git", "example/widgets"),
            ("git@github.com:example/widgets.git", "example/widgets"),
            ("ssh://git@github.com:22/example/widgets", "example/widgets"),
            ("https://github.com/example/widgets/", "example/widgets"),
            ("https://github.com/a/b/c", nil), ("/srv/git/widgets", nil), ("", nil), ("https://github.com", nil),
            ("a:.git", nil),
            ("https://github.com/example/.git", nil),
        ] as [(String, String?)])
    func `a repository's name is owner and name`(root: String, name: String?) throws {
        #expect(Repository.name(of: root) == name)
    }

    @Test func `an unchanged row is the same object, a changed one is not`() throws {
        let decoder = SessionDecoder(webURL: "https://z")
        func row(_ json: String, _ previous: SessionRow?) throws -> SessionRow {
            try #require(decoder.row(JSONDocument(Array(json.utf8)).root) { _ in previous })
        }
        let first = try row(#"{"id": 1, "status": "running", "metadata": {"a": [1]}}"#, nil)
        #expect(try row(#" {"id":1,"status":"running","metadata":{"a":[1]}}"#, first) === first)
        #expect(try row(#"{"id": 1, "status": "running", "metadata": {"a": [2]}}"#, first) !== first)
    }
}
