import BotCore
import CEL
import DemoZimmer
import Rules

/// How often per second a condition is evaluated, over the sessions of a board.
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
    private static let rounds = 5
    private static let roundTime: Duration = .milliseconds(200)

    static func all() async throws -> [ConditionBenchmark] {
        var state = ZimmerState(now: DemoServer.morning)
        state.addBulk(sessions)
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
        let board = tracker.reading(of: rows, previous: nil, at: now)
        return try conditions.map { name, condition in
            ConditionBenchmark(name: name, condition: condition, perSecond: try rate(of: condition, on: board, now))
        }
    }

    private static func rate(of condition: String, on board: BoardReading, _ now: Timestamp) throws -> Double {
        let file = try BenchmarkRules.load(BenchmarkRules.text(condition: condition))
        guard let rule = RuleSet(file.rules).rules.first, let program = rule.rule.condition else {
            throw BenchmarkFailure("the rule has no condition")
        }
        let world = World(now: now, variables: ["board": World.Variable(board.value, revision: 1)])
        let activations = board.sessions.map { session in
            var evaluator = Evaluator(rule, world: world)
            evaluator.bind(session.object)
            return evaluator.activation
        }
        return median((0..<rounds).map { _ in rate(of: program, over: activations) })
    }

    private static func rate(of program: Program, over activations: [Activation]) -> Double {
        let start = ContinuousClock.now
        var count = 0
        var elapsed = Duration.zero
        while elapsed < roundTime {
            for activation in activations { _ = program.evaluate(activation) }
            count += activations.count
            elapsed = ContinuousClock.now - start
        }
        return Double(count) / (elapsed / .seconds(1))
    }
}
