import CEL
import Testing

@testable import BotCore

@Suite struct PullRequestTests {
    private func pulls(_ id: Int64, in fixtures: [String] = ["sessions_page1", "sessions_page2"]) throws -> [Object] {
        let rows = try fixtures.flatMap { try Fixture.rows($0) }
        let row = try #require(rows.first { $0.id == id })
        var tracker = SessionTracker()
        return tracker.reading(of: row, previous: nil, at: Fixture.now).pulls
    }

    /// The one pull request of a session with this status and record.
    private func pull(_ record: String, status: String = "needs_input", at now: Timestamp = Fixture.now) throws
        -> Object
    {
        let json =
            #"{"id": 1, "status": "\#(status)", "custom_metadata": {"github_pull_request_urls": ["https://g/o/n/pull/7"], \#(record)}}"#
        let row = SessionDecoder(webURL: "https://z").row(try JSONDocument(Array(json.utf8)).root)
        var tracker = SessionTracker()
        let reading = tracker.reading(of: try #require(row), previous: nil, at: now)
        return try #require(reading.pulls.first)
    }

    private func word(_ state: String, _ entry: String, status: String = "needs_input") throws -> String {
        let pull = try pull(
            #""github_pull_request_statuses": {"https://g/o/n/pull/7": "\#(state)"}, "merge_authorized_prs": {"https://g/o/n/pull/7": \#(entry)}"#,
            status: status)
        return "\(pull["authorized"].shown) \(pull["authorization"].shown) \(pull["authorized_at"].shown)"
    }

    @Test(arguments: [
        (1240, "open", "pass", false), (1239, "open", "fail", false), (1238, "open", "pending", false),
        (1237, "open", "pass", true), (1236, "open", "skipping", false), (1235, "open", "cancel", false),
        (1234, "open", "none", false), (1233, "unknown", "none", false), (1232, "merged", "none", false),
        (1231, "closed", "none", false), (1230, "open", "pass", false), (1203, "open", "fail", false),
    ])
    func `the last pull request counts, and what was not read is not green`(
        id: Int64, state: String, ci: String, conflict: Bool
    ) throws {
        let pull = try #require(pulls(id).last)
        #expect(pull["state"].shown == state)
        #expect(pull["ci"].shown == ci)
        #expect(pull["conflict"].shown == String(conflict))
    }

    @Test func `a pull request has its repository, number, labels and the time it was read`() throws {
        let pull = try #require(pulls(1240).last)
        #expect(pull["repo"].shown == "example/widgets")
        #expect(pull["number"].shown == "501")
        #expect(pull["labels"].shown == "[ready to merge]")
        #expect(pull["read_at"].shown == "2026-10-09T11:59:00Z")
        #expect(pull["ci_since"].shown == "2026-10-09T12:00:00Z")
        #expect(try #require(pulls(1239).last)["labels"].shown == "null")
        #expect(try #require(pulls(1205).last)["read_at"].shown == "null")
    }

    @Test func `only https is followed, and the oldest comes first`() throws {
        #expect(try pulls(1205).map { $0["url"].shown } == ["https://github.com/example/widgets/pull/466"])
        #expect(try pulls(1230).map { $0["number"].shown } == ["70", "74"])
        let tolerant = try pulls(9005, in: ["sessions_tolerance"])
        #expect(tolerant.map { $0["number"].shown } == ["2", "3"])
        #expect(try pulls(1220).isEmpty)
    }

    @Test(arguments: [
        (1229, "true live 2026-10-09T11:56:00Z"), (1228, "true came_back 2026-10-09T09:50:00Z"),
        (1227, "false spent 2026-10-07T11:40:00Z"), (1240, "false none null"),
    ])
    func `authorizations are read in both forms`(id: Int64, expected: String) throws {
        let pull = try #require(pulls(id).last)
        #expect("\(pull["authorized"].shown) \(pull["authorization"].shown) \(pull["authorized_at"].shown)" == expected)
    }

    @Test(arguments: ["merged", "closed"])
    func `an authorization ends with its pull request`(state: String) throws {
        #expect(try word(state, #""2026-10-09T11:59:30Z""#, status: "running") == "false spent 2026-10-09T11:59:30Z")
    }

    @Test(arguments: [
        ("waiting", #""2026-10-09T01:00:00Z""#, "true live 2026-10-09T01:00:00Z"),
        ("running", #"{"at": "2026-10-09T01:00:00Z"}"#, "true live 2026-10-09T01:00:00Z"),
        ("needs_input", #""2026-10-09T11:58:01Z""#, "true live 2026-10-09T11:58:01Z"),
        ("needs_input", #""2026-10-09T11:58:00Z""#, "true came_back 2026-10-09T11:58:00Z"),
        ("failed", #""2026-10-09T01:00:00Z""#, "true came_back 2026-10-09T01:00:00Z"),
        ("needs_input", #"{}"#, "true came_back null"),
        ("needs_input", "null", "false none null"),
        ("needs_input", #"{"at": 7}"#, "true came_back error(unavailable)"),
        ("needs_input", "true", "error(unavailable) error(unavailable) error(unavailable)"),
        ("needs_input", #""yes""#, "error(unavailable) error(unavailable) error(unavailable)"),
    ])
    func `an authorization is live while its session works, and for two minutes`(
        status: String, entry: String, expected: String
    ) throws {
        #expect(try word("open", entry, status: status) == expected)
    }

    @Test func `an entry for another pull request is none for this one`() throws {
        let pull = try pull(#""merge_authorized_prs": {"https://g/o/n/pull/70": "2026-10-09T11:59:00Z"}"#)
        #expect(pull["authorized"].shown == "false")
    }

    @Test func `records of the wrong type count as not read`() throws {
        for record in [
            #""github_pull_request_statuses": ["open"]"#,
            #""github_pull_request_ci_statuses": {"https://g/o/n/pull/7": true}"#,
            #""github_pull_request_merge_conflicts": {"https://g/o/n/pull/7": "yes"}"#, #""merge_authorized_prs": []"#,
        ] {
            let pull = try pull(record)
            #expect(pull["state"].shown == "unknown")
            #expect(pull["ci"].shown == "none")
            #expect(pull["conflict"].shown == "false")
            #expect(pull["authorized"].shown == "false")
        }
    }

    @Test(
        arguments: [
            ("https://github.com/o/n/pull/7", "o/n", 7), ("https://github.com/o/n/pull/7/files#x", "o/n", 7),
            ("https://github.com/o/n/pull/x", nil, nil), ("https://example.com/7", nil, nil),
            ("https://github.com/o/n/pull/99999999999999999999", nil, nil),
        ] as [(String, String?, Int64?)])
    func `repository and number come from the URL`(url: String, repo: String?, number: Int64?) {
        #expect(Repository.pullRequest(url)?.repo == repo)
        #expect(Repository.pullRequest(url)?.number == number)
    }

    @Test func `a hostile record costs no more than a long one`() throws {
        let urls = (0..<20_000).map { "\"https://g/o/n/pull/\($0)\"" }.joined(separator: ",")
        let states = (0..<20_000).map { "\"https://g/o/n/pull/\($0)\":\"open\"" }.joined(separator: ",")
        let json =
            #"{"id": 1, "status": "running", "custom_metadata": {"github_pull_request_urls": [\#(urls)], "github_pull_request_statuses": {\#(states)}}}"#
        let row = try #require(SessionDecoder(webURL: "https://z").row(JSONDocument(Array(json.utf8)).root))
        #expect(row.pullRequests.count == 100)
        #expect(row.pullRequests.last?.url == "https://g/o/n/pull/19999")
        #expect(row.pullRequests.last?.state == "open")
    }
}
