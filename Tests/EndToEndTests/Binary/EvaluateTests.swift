import BotTestSupport
import DemoZimmer
import Testing

@Suite struct EvaluateTests {
    private static let rules = """
          - {name: watch-all, watch: session, do: [{post: pager, text: hello}]}
        """

    private func evaluate(_ arguments: String...) async throws -> ChildProcess.Result {
        let stage = try ProgramStage(Self.rules, settings: "vars: {patience: 3}") { state in
            state.addSession(id: 7, title: "Fix login", status: .failed)
        }
        return try await stage.command(["eval", "-c", stage.rulesPath] + arguments)
    }

    @Test func `a field of a session is shown as rules see it now`() async throws {
        let result = try await evaluate("session.title + ' ' + session.status", "--watch", "session", "7", "--json")
        #expect(result.standardOutput == "{\"t\":\"string\",\"v\":\"Fix login failed\"}\n")
        #expect(result.status == .exited(0))
    }

    @Test func `the board, the clock and constants are bound`() async throws {
        let source = "board.size() == 1 && board[0].age >= duration('0s') && vars.patience == 3"
        #expect(try await evaluate(source, "--json").standardOutput == "{\"t\":\"bool\",\"v\":true}\n")
    }

    @Test(arguments: [
        ("session.last_message", ["session", "7"], "Hello"),
        ("notification.session.title", ["notification", "1"], "Fix login"),
        ("clis.tools.gh.auth_instructions", ["clis"], "gh login"),
    ])
    func `details of a session and other lists are read too`(
        source: String, subject: [String], value: String
    ) async throws {
        let stage = try ProgramStage(Self.rules) { state in
            state.addSession(id: 7, title: "Fix login", status: .failed) { session in
                session.conversation = [ConversationMessage(role: "user", content: "Hello", timestamp: nil)]
            }
            state.notify("session_failed", about: 7)
        }
        var subject = subject
        if subject.first == "notification" { subject[1] = String(stage.server.state.notifications[0].id) }
        let result = try await stage.command(["eval", "-c", stage.rulesPath, source, "--watch"] + subject)
        #expect(result.standardOutput.hasPrefix("\"\(value)\"") || result.standardOutput.hasPrefix(value), "\(result)")
    }

    @Test func `a session that is not there is said`() async throws {
        let result = try await evaluate("session.title", "--watch", "session", "8")
        #expect(result.status == .exited(1))
        #expect(result.standardError.contains("no session 8"))
    }

    @Test(arguments: [
        ["1", "--watch", "sesion", "7"], ["1", "--watch", "session"], ["1", "2"], ["1", "--watch", "health", "7"],
    ])
    func `a subject that is none is a usage error`(arguments: [String]) async throws {
        let stage = try ProgramStage(Self.rules)
        let result = try await stage.command(["eval", "-c", stage.rulesPath] + arguments)
        #expect(result.status == .exited(64), "\(result)")
    }
}
