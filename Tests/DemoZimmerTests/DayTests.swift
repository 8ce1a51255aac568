import DemoZimmer
import Testing

@Suite struct DayTests {
    /// The day's boards, one per quarter of an hour, as somebody who only watches sees them.
    private func play() async throws -> [HTTPResponse] {
        let server = try DemoServer(day: .friday)
        let client = HTTPClient(server)
        var boards: [HTTPResponse] = []
        for _ in 0..<96 {
            server.advance(by: .minutes(15))
            boards.append(try await client.get("/api/v1/sessions?per_page=100"))
        }
        return boards
    }

    @Test func `the day is the same every time`() async throws {
        let (first, second) = (try await play(), try await play())
        #expect(first.map(\.body) == second.map(\.body))
        #expect(Set(first.map(\.body)).count > 90)
    }

    @Test func `a day played in one leap ends like one played in steps`() async throws {
        let (leap, steps) = (try DemoServer(day: .friday), try DemoServer(day: .friday))
        leap.advance(by: .hours(24))
        for _ in 0..<(24 * 60) { steps.advance(by: .minutes(1)) }
        let target = "/api/v1/sessions?per_page=100&show_archived=true"
        #expect(try await HTTPClient(leap).get(target).body == HTTPClient(steps).get(target).body)
    }

    @Test func `there are enough sessions for a board that scrolls, and every status comes up`() async throws {
        let boards = try await play()
        let rows = boards.flatMap { $0.json["sessions"]?.elements ?? [] }
        #expect(Set(rows.compactMap { $0["status"]?.text }) == ["waiting", "running", "needs_input", "failed"])
        #expect(Set(rows.compactMap { $0["id"]?.integer }).count > 30)
    }

    // MARK: - Something for every example rule

    @Test func `sessions fail briefly, for a while, and for good`() throws {
        let server = try DemoServer(day: .friday)
        var minutes: [Int: Int] = [:]
        for _ in 0..<(24 * 60) {
            server.advance(by: .minutes(1))
            for session in server.state.sessions.all where session.status == .failed {
                minutes[session.id, default: 0] += 1
            }
        }
        #expect(minutes[1214].map { $0 < 2 } == true)
        #expect(minutes[1212].map { (2..<15).contains($0) } == true)
        #expect(minutes[1213].map { $0 > 15 } == true)
    }

    @Test func `two authorized pull requests come back unmerged, one merges by itself`() async throws {
        let server = try DemoServer(day: .friday)
        func merged(_ id: Int) -> Bool { server.state.sessions[id]?.lastPullRequest?.state == .merged }
        func cameBack(_ id: Int) -> Bool {
            guard let session = server.state.sessions[id], let pull = session.lastPullRequest else { return false }
            return session.status == .needsInput && pull.canBeMerged && pull.authorization != nil
        }
        server.advance(by: .minutes(2 * 60 + 40))
        #expect(cameBack(1208))
        server.advance(by: .minutes(5 * 60 + 32))
        #expect(cameBack(1210))
        #expect(merged(1209))

        // A reminder is all it takes.
        let client = HTTPClient(server)
        _ = try await client.post("/api/v1/sessions/1208/follow_up", ["prompt": "Merge it now."])
        server.advance(by: .minutes(10))
        #expect(merged(1208))
        // For the other a conflict comes first, and a person afterwards.
        _ = try await client.post("/api/v1/sessions/1210/follow_up", ["prompt": "Merge it now."])
        server.advance(by: .minutes(10))
        #expect(!merged(1210))
        server.advance(by: .hours(2))
        #expect(merged(1210))
    }

    @Test func `some sessions are stale in the morning, some become so, and one snooze is taken back`() async throws {
        let server = try DemoServer(day: .friday)
        func stale() -> Set<Int> {
            let now = server.now
            let sessions = server.state.sessions.all.filter { session in
                session.status == .needsInput && session.effectiveVisibility(at: now) == .visible
                    && now - (session.lastUserActivityAt ?? session.createdAt) > .hours(72)
            }
            return Set(sessions.map(\.id))
        }
        let atSix = stale()
        #expect(atSix.isSuperset(of: [1201, 1202, 1203]))
        for id in atSix {
            let body: JSON = ["visibility": "snoozed", "snoozed_until": "2026-10-16T11:00:00"]
            _ = try await HTTPClient(server).patch("/api/v1/sessions/\(id)/visibility", body)
        }
        #expect(stale() == [])
        server.advance(by: .minutes(2 * 60))
        #expect(stale() == [1204])
        server.advance(by: .hours(3))
        #expect(stale() == [1202, 1204])
    }

    @Test func `recovery mode and an egress outage come and go`() throws {
        let server = try DemoServer(day: .friday)
        var (recovering, cutOff) = (0, 0)
        for _ in 0..<(24 * 60) {
            server.advance(by: .minutes(1))
            if server.state.recovery.isActive { recovering += 1 }
            if server.state.egressProblem != nil { cutOff += 1 }
        }
        #expect(recovering == 42)
        #expect(cutOff == 27)
    }

    @Test func `money is spent all day, by every root and several models`() async throws {
        let server = try DemoServer(day: .friday)
        let client = HTTPClient(server)
        var totals: [Double] = []
        var report: JSON = .null
        for _ in 0..<8 {
            server.advance(by: .hours(3))
            report = try await client.get("/api/v1/costs?from=2026-10-09T11:00:00Z&to=2026-10-10T11:00:00Z").json
            totals.append(report["totals"]?["cost_usd"]?.number ?? 0)
        }
        #expect(totals == totals.sorted() && Set(totals).count == 8)
        #expect(report["by_agent_root"]?.elements?.count == 3)
        #expect(report["by_model"]?.elements.map { $0.count >= 3 } == true)
    }

    @Test func `titles that would be more than text are on the board as they are`() async throws {
        let server = try DemoServer(day: .friday)
        let rows = try await HTTPClient(server).get("/api/v1/sessions?per_page=100").json["sessions"]?.elements ?? []
        let titles = rows.compactMap { $0["title"]?.text }
        for piece in ["](javascript:", "@everyone", "\u{202E}", "\r\nPRIVMSG", "\u{1B}[31m", "{{ "] {
            #expect(titles.contains { $0.contains(piece) })
        }
        #expect(titles.allSatisfy { $0.unicodeScalars.count <= 100 })
    }

    @Test func `a running clock goes on by itself, and can be put forward`() throws {
        let server = try DemoServer(day: .friday, speed: 1_000_000)
        let before = server.now
        server.advance(by: .hours(1))
        #expect(server.now - before >= .hours(1))
        let later = server.now
        while server.now == later {}
        #expect(server.state.now > later)
    }
}
