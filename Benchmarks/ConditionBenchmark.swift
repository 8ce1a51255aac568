import BotCore
import CEL
import DemoZimmer
import Rules

/// How often per second a condition is evaluated on one session, for which all parts of every condition hold.
struct ConditionBenchmark: Codable {
    var name: String
    var condition: String
    var perSecond: Double

    private static let conditions = [
        ("equality", "session.status == 'needs_input' && session.agent_root == 'web' && !session.favorited"),
        (
            "merge ready",
            "size(session.prs) > 0 && session.prs.all(p, p.state == 'open' && p.ci == 'pass' && !p.conflict)"
        ),
        ("pattern", "session.title.startsWith('Fix') && session.branch.matches('^(fix|hotfix)/[a-z0-9-]+$')"),
        ("stale", "now - session.touched_at > duration('72h')"),
        ("filter", "board.filter(s, s.status == 'failed' && s.priority_class == 'priority').size() > 3"),
    ]

    /// How many sessions the board has that `filter` goes through.
    static let sessions = 200
    private static let session: Int64 = 7
    private static let rounds = 5
    private static let roundTime: Duration = .milliseconds(200)

    static func all() async throws -> [ConditionBenchmark] {
        let (board, now) = try await board()
        return try conditions.map { name, condition in
            ConditionBenchmark(name: name, condition: condition, perSecond: try rate(of: condition, on: board, now))
        }
    }

    /// The conditions and what they are evaluated on, as JSON, for other implementations to do the same.
    static func data() async throws -> String {
        let (board, now) = try await board()
        let data: [(String, Value)] = [
            ("now", .timestamp(now)), ("board", board.value),
            ("session", board.sessions.first { $0.id == session }.map { .object($0.object) } ?? .null),
            ("conditions", .map(MapValue(named: conditions.map { ($0, .string($1)) }))),
        ]
        return Value.map(MapValue(named: data)).json
    }

    private static func board() async throws -> (BoardReading, now: Timestamp) {
        var state = ZimmerState(now: DemoServer.morning)
        state.addBulk(sessions - 1)
        addSession(to: &state)
        let server = try DemoServer(state: state, recordsReads: false)
        defer { server.stop() }
        guard let address = ZimmerAddress(server.url) else { throw BenchmarkFailure("\(server.url) is not an address") }
        let client = ZimmerClient(
            address, key: APIKey(server.apiKey), transport: CurlTransport(), version: "benchmark",
            allowed: ZimmerCall.reads)
        let now = Timestamp(seconds: DemoServer.morning.millisecondsSince1970 / 1_000)
        let rows = await BoardReader(client, decoder: SessionDecoder(webURL: server.url), now: { now })
            .read(previous: nil, timeout: .seconds(60))
        var tracker = SessionTracker()
        return (tracker.reading(of: rows, previous: nil, at: now), now)
    }

    private static func addSession(to state: inout ZimmerState) {
        let (now, prompt) = (state.now, state.sessions.ids.first.flatMap { state.sessions[$0]?.prompt })
        state.addSession(id: Int(session), title: "Fix the login page", status: .needsInput) { session in
            session.prompt = prompt ?? ""
            session.branch = "fix/login-page"
            session.agentRoot = "web"
            session.createdAt = now - .days(5)
            session.lastUserActivityAt = now - .days(4)
            session.pullRequestsReadAt = now
            session.pullRequests = (1...2).map { PullRequest(repository: "example/widgets", number: $0, ci: .pass) }
        }
    }

    private static func rate(of condition: String, on board: BoardReading, _ now: Timestamp) throws -> Double {
        let file = try BenchmarkRules.load(BenchmarkRules.text(condition: condition))
        guard let rule = RuleSet(file.rules).rules.first, let program = rule.rule.condition else {
            throw BenchmarkFailure("the rule has no condition")
        }
        let world = World(now: now, variables: ["board": World.Variable(board.value, revision: 1)])
        guard let session = board.sessions.first(where: { $0.id == session }) else {
            throw BenchmarkFailure("the session is not on the board")
        }
        var evaluator = Evaluator(rule, world: world)
        evaluator.bind(Subject(SubjectID(type: "session", id: String(session.id)), session.object))
        let activation = evaluator.activation
        guard case .bool = program.evaluate(activation) else { throw BenchmarkFailure("\(condition) has no value") }
        return median((0..<rounds).map { _ in rate(of: program, on: activation) })
    }

    private static func rate(of program: Program, on activation: Activation) -> Double {
        let start = ContinuousClock.now
        var count = 0
        var elapsed = Duration.zero
        while elapsed < roundTime {
            for _ in 0..<100 { _ = program.evaluate(activation) }
            count += 100
            elapsed = ContinuousClock.now - start
        }
        return Double(count) / (elapsed / .seconds(1))
    }
}
