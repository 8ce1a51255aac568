import CEL
import Testing

@testable import BotCore

@Suite struct SessionTrackerTests {
    private static let decoder = SessionDecoder(webURL: "https://z")

    /// A row with what the tracker looks at.
    private func row(
        _ id: Int64 = 1, _ status: String = "needs_input", touched: String? = nil, ci: String = "pass",
        metadata: String = ""
    ) throws -> SessionRow {
        let time = touched.map { #""last_user_activity_at": "2026-10-09T\#($0)Z""# } ?? ""
        let members = [time, metadata].filter { !$0.isEmpty }.joined(separator: ", ")
        let json = #"""
            {"id": \#(id), "status": "\#(status)", "created_at": "2026-10-09T08:00:00Z", "metadata": {\#(members)},
             "custom_metadata": {"github_pull_request_urls": ["https://g/o/n/pull/7"],
                "github_pull_request_statuses": {"https://g/o/n/pull/7": "open"},
                "github_pull_request_ci_statuses": {"https://g/o/n/pull/7": "\#(ci)"}}}
            """#
        return try #require(Self.decoder.row(JSONDocument(Array(json.utf8)).root))
    }

    private func at(_ clock: String) throws -> Timestamp {
        try #require(WireTime.instant("2026-10-09T\(clock)Z"))
    }

    private func whole(_ rows: [SessionRow]) -> BoardRows {
        var board = BoardRows()
        board.rows = rows
        board.isWhole = true
        return board
    }

    @Test func `a status counts from the reading that first saw it`() throws {
        var tracker = SessionTracker()
        var reading = tracker.reading(of: try row(1, "running"), previous: nil, at: try at("12:00:00"))
        reading = tracker.reading(of: try row(1, "running"), previous: reading, at: try at("12:01:00"))
        #expect(reading.object["status_since"].shown == "2026-10-09T12:00:00Z")
        reading = tracker.reading(of: try row(1, "failed"), previous: reading, at: try at("12:02:00"))
        #expect(reading.object["status_since"].shown == "2026-10-09T12:02:00Z")
        reading = tracker.reading(of: try row(1, "running"), previous: reading, at: try at("12:03:00"))
        #expect(reading.object["status_since"].shown == "2026-10-09T12:03:00Z")
    }

    @Test func `checks count from the reading that first saw what they say`() throws {
        var tracker = SessionTracker()
        var since: [String] = []
        for (ci, clock) in [("pending", "12:00:00"), ("pass", "12:01:00"), ("pass", "12:02:00"), ("fail", "12:03:00")] {
            let reading = tracker.reading(of: try row(ci: ci), previous: nil, at: try at(clock))
            since.append(try #require(reading.pulls.first)["ci_since"].shown)
        }
        #expect(since.map { $0.dropFirst(11) } == ["12:00:00Z", "12:01:00Z", "12:01:00Z", "12:03:00Z"])
    }

    @Test(arguments: [
        ("12:00:30", "11:00:00"), ("12:01:00", "11:00:00"), ("11:59:00", "11:00:00"), ("12:01:01", "12:01:01"),
        ("11:58:59", "11:58:59"),
    ])
    func `activity within a minute of our own write is ours`(moved: String, expected: String) throws {
        var tracker = SessionTracker()
        _ = tracker.reading(of: try row(touched: "11:00:00"), previous: nil, at: try at("11:55:00"))
        tracker.willWrite(to: 1, at: try at("12:00:00"))
        let reading = tracker.reading(of: try row(touched: moved), previous: nil, at: try at("12:05:00"))
        #expect(reading.object["touched_at"].shown == "2026-10-09T\(expected)Z")
    }

    @Test func `a person who acts after our write counts again`() throws {
        var tracker = SessionTracker()
        _ = tracker.reading(of: try row(touched: "11:00:00"), previous: nil, at: try at("11:55:00"))
        tracker.willWrite(to: 1, at: try at("12:00:00"))
        _ = tracker.reading(of: try row(touched: "12:00:10"), previous: nil, at: try at("12:01:00"))
        let still = tracker.reading(of: try row(touched: "12:00:10"), previous: nil, at: try at("12:02:00"))
        #expect(still.object["touched_at"].shown == "2026-10-09T11:00:00Z")
        let person = tracker.reading(of: try row(touched: "12:30:00"), previous: nil, at: try at("12:31:00"))
        #expect(person.object["touched_at"].shown == "2026-10-09T12:30:00Z")
    }

    @Test func `without activity a session counts from its creation`() throws {
        var tracker = SessionTracker()
        let reading = tracker.reading(of: try row(), previous: nil, at: try at("12:00:00"))
        #expect(reading.object["touched_at"].shown == "2026-10-09T08:00:00Z")
    }

    @Test func `a marker from an earlier wait does not explain this one`() throws {
        let marked = #""spot_hold_at": "2026-10-09T11:00:00Z""#
        var tracker = SessionTracker()
        let first = tracker.reading(
            of: whole([try row(1, "waiting", metadata: marked)]), previous: nil, at: try at("12:00:00"))
        #expect(first[1]?.object["waiting_reason"].shown == "spot_hold")
        let second = tracker.reading(
            of: whole([try row(1, "running", metadata: marked)]), previous: first, at: try at("12:01:00"))
        #expect(second[1]?.object["waiting_reason"].shown == "null")
        let third = tracker.reading(
            of: whole([try row(1, "waiting", metadata: marked)]), previous: second, at: try at("12:02:00"))
        #expect(third[1]?.object["waiting_reason"].shown == "unknown")
    }

    @Test func `a marker written just before the reading that saw the wait explains it`() throws {
        var tracker = SessionTracker()
        let first = tracker.reading(of: whole([try row(1, "running")]), previous: nil, at: try at("12:00:00"))
        let marked = #""spot_hold_at": "2026-10-09T12:00:20Z""#
        let second = tracker.reading(
            of: whole([try row(1, "waiting", metadata: marked)]), previous: first, at: try at("12:00:30"))
        #expect(second[1]?.object["waiting_reason"].shown == "spot_hold")
        #expect(second[1]?.object["status_since"].shown == "2026-10-09T12:00:30Z")
    }

    @Test func `an unchanged session is the same object`() throws {
        var tracker = SessionTracker()
        let rows = whole([try row(1), try row(2)])
        let first = tracker.reading(of: rows, previous: nil, at: try at("12:00:00"))
        let second = tracker.reading(of: rows, previous: first, at: try at("12:01:00"))
        #expect(second[1]?.object === first[1]?.object)
        #expect(second[2]?.object === first[2]?.object)
    }

    @Test func `an authorization that runs out makes a new object`() throws {
        let json = #"""
            {"id": 1, "status": "needs_input", "custom_metadata": {"github_pull_request_urls": ["https://g/o/n/pull/7"],
             "merge_authorized_prs": {"https://g/o/n/pull/7": "2026-10-09T12:00:00Z"}}}
            """#
        let rows = whole([try #require(Self.decoder.row(JSONDocument(Array(json.utf8)).root))])
        var tracker = SessionTracker()
        var reading: BoardReading?
        var words: [String] = []
        for clock in ["12:00:30", "12:01:59", "12:02:00"] {
            reading = tracker.reading(of: rows, previous: reading, at: try at(clock))
            words.append(try #require(reading?[1]?.pulls.first)["authorization"].shown)
        }
        #expect(words == ["live", "live", "came_back"])
    }

    @Test func `only a whole reading forgets the sessions that it did not see`() throws {
        var tracker = SessionTracker()
        var partial = whole([try row(1)])
        _ = tracker.reading(of: whole([try row(1), try row(2)]), previous: nil, at: try at("12:00:00"))
        partial.isWhole = false
        _ = tracker.reading(of: partial, previous: nil, at: try at("12:01:00"))
        #expect(tracker.sessions.keys.sorted() == [1, 2])
        #expect(tracker.lastWholeReading == (try at("12:00:00")))
        _ = tracker.reading(of: whole([try row(1)]), previous: nil, at: try at("12:02:00"))
        #expect(tracker.sessions.keys.sorted() == [1])
    }

    @Test func `what is remembered survives the store`() throws {
        var tracker = SessionTracker()
        _ = tracker.reading(of: whole([try row(1, touched: "11:00:00")]), previous: nil, at: try at("12:00:00"))
        _ = tracker.reading(
            of: whole([try row(1, "failed", touched: "11:30:00")]), previous: nil, at: try at("12:01:00"))
        tracker.willWrite(to: 1, at: Timestamp(seconds: 7, nanoseconds: 8))
        let memory = try #require(tracker.sessions[1])
        #expect(memory.statusNotBefore != nil)
        #expect(TrackedSession(bytes: memory.bytes) == memory)
        #expect(memory.bytes.count < 150)
    }

    @Test func `stored bytes may be anything`() throws {
        var tracker = SessionTracker()
        _ = tracker.reading(of: try row(1, touched: "11:00:00"), previous: nil, at: try at("12:00:00"))
        let bytes = try #require(tracker.sessions[1]).bytes
        for length in 0..<bytes.count { #expect(TrackedSession(bytes: Array(bytes[..<length])) == nil) }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            var broken = bytes
            for _ in 0..<3 {
                broken[Int.random(in: broken.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            if let memory = TrackedSession(bytes: broken) { #expect(TrackedSession(bytes: memory.bytes) == memory) }
        }
    }
}
