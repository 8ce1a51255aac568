import AdapterKitTesting
import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

/// A bot and a Zimmer in which everything happens by chance: sessions that come, change and go, readings that fail,
/// writes that end one way or another, restarts and reloads.
struct RandomWorld: ~Copyable {
    let stage: LedgerStage
    private var random: Moments
    private var sessions: [Int64: (status: String, title: String, ci: String?, touched: Int)] = [:]
    private var archived: Set<Int64> = []
    private var nextID: Int64 = 1
    private var lists = RandomLists()

    static let rules =
        RandomLists.rules + """
              - name: failed
                watch: session
                if: session.status == "failed"
                for: 2m
                do: [{post: ops, text: "{{ session.title }} failed"}]
                resolved: [{post: ops, text: "{{ session.title }} goes on"}]
              - name: waits
                watch: session
                if: session.status == "needs_input"
                do: [{post: ops, text: asks}, {wait: 3m}, {post: pager, text: still asks}]
              - name: merge
                watch: session
                if: session.status == "needs_input" && session.pr.ci == "pass"
                key: session.pr.url
                do: [{follow_up: {prompt: Merge it}}, {post: ops, text: merging}]
              - name: stale
                watch: session
                existing: skip
                if: session.status == "needs_input" && now - session.status_since > duration("10m")
                do: [{snooze: {for: 7d}}, {note: {append: slept}}]
              - name: many
                watch: zimmer
                if: board.filter(s, s.status == "failed").size() > 3
                do: [{post: ops, text: "{{ board.size() }} sessions"}]
                resolved: [{post: ops, text: fewer}]
              - name: away
                watch: zimmer
                if: "!zimmer.reachable"
                for: 1m
                do: [{post: ops, text: away}]
              - name: recovery
                watch: health
                if: health.queue_recovery_mode.active
                do: [{post: ops, text: recovery}]
                resolved: [{post: ops, text: recovered}]
              - name: quarterly
                schedule: "*/15 * * * *"
                do: [{post: ops, text: "{{ board.size() }} sessions"}]
              - name: limited
                watch: session
                if: session.title.startsWith("A")
                limit: {per_poll: 1, per_hour: 4}
                do: [{post: ops, text: A}]
              - name: grouped
                watch: session
                if: session.status != "running"
                group: {by: session.status, wait: 2m}
                do: [{post: ops, text: rests}]
                resolved: [{post: ops, text: runs}]
              - name: silent
                watch: session
                if: session.status == "failed"
                suppress: recovery
                quiet: "11:00-13:00"
                do: [{post: ops, text: failed}, {wait: 2m}, {post: [ops, pager], text: still failed}]
                resolved: [{post: ops, text: fine}]
              - name: elsewhere
                watch: session
                if: session.status == "waiting"
                do: [{post: "{{ session.title.startsWith('A') ? 'ops' : 'nowhere' }}", text: waits}]
              - name: trial
                watch: session
                mode: dry_run
                if: session.status == "running"
                do: [{post: ops, text: runs}]
            """

    init(seed: UInt64) throws {
        random = Moments(seed: seed)
        stage = try LedgerStage(Self.rules)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// - Parameter isStruck: now and then the store fails at some row, and the process ends there, or goes on.
    mutating func live(rounds: Int, isStruck: Bool = false) async throws {
        for _ in 0..<rounds {
            guard isStruck, chance(30) else {
                try await round()
                continue
            }
            try await stage.ledger.setTrap(at: Int.random(in: 1...20, using: &random))
            do {
                try await round()
            } catch is DatabaseError {
                if chance(50) { try stage.restart() }
            }
            try await stage.ledger.removeTrap()
        }
    }

    private mutating func round() async throws {
        stage.clock.clock.advance(by: .seconds(Int.random(in: 1...45, using: &random)))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<4: try await stage.failBoard(after: .zero)
        case 4..<14: try await readHealth()
        case 14..<20: _ = try await stage.ledger.tick()
        case 20..<22: try stage.restart(after: .seconds(Int.random(in: 0...600, using: &random)))
        case 22..<24: try await stage.replace(Self.rules)
        case 24..<28: try await steer()
        case 28..<48: try await readList()
        default: try await readBoard()
        }
        if chance(60) { try await write() }
    }

    /// One that takes long may come when a later one is known already.
    private mutating func readList() async throws {
        let ledger = stage.ledger
        let kind = ListingKind.allCases.randomElement(using: &random) ?? .trigger
        let numbers = [await ledger.begin(kind)] + (chance(15) ? [await ledger.begin(kind)] : [])
        var readings: [(number: Int, listing: Listing)] = []
        for number in numbers {
            let previous = await ledger.listing(kind)
            let reading = try lists.reading(
                of: kind, sessions: sessions.keys.sorted(), previous: previous, at: await ledger.instant(), &random)
            readings.append((number, reading))
        }
        for (number, reading) in readings.reversed() {
            if chance(10) {
                await ledger.note(reading, number: number)
            } else {
                _ = try await ledger.take(reading, from: kind.reader.rawValue, number: number)
            }
        }
    }

    private mutating func steer() async throws {
        let names = ["failed", "waits", "merge", "stale", "many", "quarterly", "limited", "inbox", "broken", "asked"]
        let rule = names.randomElement(using: &random) ?? "failed"
        switch Int.random(in: 0..<5, using: &random) {
        case 0: _ = try await stage.ledger.grant(.pause(for: .seconds(300)), on: rule, by: "a")
        case 1: _ = try await stage.ledger.grant(.resume, on: rule, by: "a")
        case 2: _ = try await stage.ledger.grant(.run, on: rule, by: "a")
        case 3: _ = try await stage.ledger.acknowledge(rule, nil, by: "a")
        default: _ = try await stage.ledger.grant(.release, on: rule, by: "a")
        }
    }

    private mutating func readBoard() async throws {
        for id in sessions.keys.sorted() where chance(12) { change(id) }
        if sessions.count < 4 || chance(15) {
            sessions[nextID] = ("running", chance(50) ? "Alpha \(nextID)" : "Beta \(nextID)", nil, 0)
            nextID += 1
        }
        if chance(6), let id = archived.sorted().first {
            archived.remove(id)
            sessions[id] = ("needs_input", "Again \(id)", nil, 0)
        }
        let rows = try sessions.sorted { $0.key > $1.key }.map { try row($0.key, $0.value.status) }
        var singles: [Int64: Ledger.SingleReading] = [:]
        for id in await stage.ledger.missing(from: .whole(rows)) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: singles[id] = .failure(ZimmerError(.transport, message: "no answer", reach: .notSent))
            case 1: singles[id] = .success(nil)
            default: singles[id] = .success(try row(id, "archived"))
            }
        }
        _ = try await stage.ledger.take(.whole(rows), singles: singles)
    }

    private mutating func change(_ id: Int64) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            sessions[id] = nil
            archived.insert(id)
        case 1: sessions[id]?.ci = ["pass", "fail", "pending"].randomElement(using: &random)
        case 2: sessions[id]?.touched += 1
        default:
            let all = ["failed", "needs_input", "running", "waiting"]
            sessions[id]?.status = all.randomElement(using: &random) ?? "running"
        }
    }

    private func row(_ id: Int64, _ status: String) throws -> SessionRow {
        let session = sessions[id] ?? (status, "Gone \(id)", nil, 0)
        let url = "https://github.com/a/b/pull/\(id)"
        let pull = session.ci.map { ci in
            #""github_pull_request_urls": ["\#(url)"], "github_pull_request_statuses": {"\#(url)": "open"}, "#
                + #""github_pull_request_ci_statuses": {"\#(url)": "\#(ci)"}, "#
        }
        let json = """
            {"id": \(id), "status": "\(status)", "title": "\(session.title)", "created_at": "2026-10-09T08:00:00Z",
             "visibility": "visible", "effective_visibility": "visible",
             "custom_metadata": {\(pull ?? "") "note": "\(session.touched)"}}
            """
        return try #require(SessionDecoder(webURL: "https://z").row(JSONDocument(Array(json.utf8)).root))
    }

    private mutating func readHealth() async throws {
        if chance(20) {
            _ = try await stage.ledger.take(.failure(ZimmerError(.transport, message: "no answer", reach: .notSent)))
            return
        }
        let json = """
            {"health_report": {"timestamp": "2026-10-09T08:00:00Z"},
             "queue_recovery_mode": {"active": \(chance(30)), "paused_queues": []}}
            """
        let document = try JSONDocument(Array(json.utf8))
        let reading = HealthReading(document.root, readAt: await stage.ledger.instant(), serverDate: nil)
        _ = try await stage.ledger.take(.success(reading))
    }

    /// Carries out what stands at a write, with whatever end.
    private mutating func write() async throws {
        let ledger = stage.ledger
        for task in try await ledger.writeTasks(now: ledger.instant()).compactMap(\.first) {
            switch task {
            case .settle(let attempt):
                _ = try await ledger.finish(attempt, chance(50) ? .unknown("lost") : .done("found"), subject: nil)
            case .look(let run):
                guard let id = Int64(run.key.subject.id), chance(75) else {
                    try await ledger.withhold(run.key, .withdrawn("not any more"), now: ledger.instant())
                    continue
                }
                guard let name = await ledger.currentRules.rule(run.key.rule)?.write(of: run)?.name else { continue }
                let request = WriteRequest(name, session: id, kind: .appendNote("x"))
                guard let attempt = try await ledger.begin(run.key, request) else { continue }
                if chance(10) { continue }
                let ends: [Attempt.Outcome] = [
                    .done(""), .done(""), .done(""), .refused("no"), .retry("busy", after: nil), .unknown("lost"),
                    .unsettled("lost"),
                ]
                let subject = await ledger.latest(run.key.subject, for: ledger.currentRules.rule(run.key.rule)!)
                _ = try await ledger.finish(attempt, ends.randomElement(using: &random) ?? .done(""), subject: subject)
            }
        }
    }
}
