import BotCore
import Foundation

/// Sessions as a busy Zimmer has them, of which some change when told to.
struct MadeUpBoard {
    private(set) var rows: [SessionRow] = []
    private var sessions: [(id: Int, status: String, turns: Int, ci: String, touched: Int64)] = []
    private let decoder = SessionDecoder(webURL: "https://zimmer.example.com", seed: 1)

    private static let states = ["running", "needs_input", "running", "waiting", "failed"]
    private static let checks = ["pending", "pass", "pending", "fail"]

    init(sessions count: Int, at now: Int64) throws {
        for number in 0..<count {
            sessions.append((count - number + 1_000, Self.states[number % 3], number, Self.checks[number % 4], now))
            rows.append(try row(number))
        }
    }

    /// Lets a session go on.
    mutating func change(_ number: Int, at now: Int64) throws {
        sessions[number].turns += 1
        let turns = sessions[number].turns
        sessions[number].status = Self.states[turns % 37 == 0 ? 4 : turns % 4]
        if turns % 3 == 0 { sessions[number].ci = Self.checks[turns % 4] }
        if turns % 5 == 0 { sessions[number].touched = now }
        rows[number] = try row(number)
    }

    private func row(_ number: Int) throws -> SessionRow {
        let (id, status, turns, ci, touched) = sessions[number]
        let url = "https://github.com/example/widgets/pull/\(id)"
        let prompt = String(repeating: "Look at what the report says and make the next step of it. ", count: 12)
        let json = """
            {"id": \(id), "slug": "task-\(id)", "title": "Task \(id): see what the report says", "status": "\(status)",
             "agent_runtime": "claude_code", "genesis": "user", "scheduling_class": "standard", "priority_class": "normal",
             "precedence": \(id), "prompt": "\(prompt)", "goal": "green-pr", "git_root": "https://github.com/example/widgets.git",
             "branch": "task-\(id)", "is_autonomous": true, "heartbeat_enabled": false, "favorited": false,
             "visibility": "visible", "effective_visibility": "visible", "created_at": "2026-10-01T08:00:00Z",
             "updated_at": "\(Self.text(touched + Int64(turns)))",
             "all_mcp_servers": ["issue-tracker", "zimmer-self"], "config": {"model": "opus"},
             "metadata": {"agent_root_key": "widgets", "last_user_activity_at": "\(Self.text(touched))",
              "turns": \(turns), "tokens": \(turns * 1_731), "working_directory": "/srv/zimmer/sessions/\(id)"},
             "custom_metadata": {"github_pull_request_urls": ["\(url)"],
              "github_pull_request_statuses": {"\(url)": "open"},
              "github_pull_request_ci_statuses": {"\(url)": "\(ci)"}}}
            """
        guard let row = decoder.row(try JSONDocument(Array(json.utf8)).root) else {
            throw BenchmarkFailure("a made-up session cannot be read")
        }
        return row
    }

    private static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
