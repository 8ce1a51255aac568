import BotTestSupport
import DemoZimmer
import Foundation
import Testing

/// A Zimmer that is not there, or does not know us: a state to report, not an end.
@Suite(.timeLimit(.minutes(10)))
struct ZimmerAwayTests {
    private static let failedSession = """
        - name: failed-session
          watch: session
          if: session.status == "failed"
          do: [{post: pager, text: "{{ session.title }} failed"}]
        """

    private struct Trouble: Sendable, CustomTestStringConvertible {
        var name: String
        var effect: Fault.Effect
        var signIn = "ok"
        var isReachable = false
        var testDescription: String { name }
    }

    private static let troubles = [
        Trouble(name: "no answer", effect: .dropRequest),
        Trouble(name: "an error", effect: .answer(.internalError), isReachable: true),
        Trouble(name: "a gateway with nothing behind it", effect: .answer(.badGateway)),
        Trouble(name: "half an answer", effect: .cutBody(after: 40)),
        Trouble(
            name: "a key that is not accepted", effect: .answer(.refusal(401, "Unauthorized", "Invalid API key")),
            signIn: "expired", isReachable: true),
        Trouble(name: "an edge that wants a login", effect: .answer(.edgeRedirect), signIn: "edge_refused"),
        Trouble(
            name: "a web page in its place",
            effect: .answer(HTTPResponse(status: 200, body: Array("<!DOCTYPE html><title>Welcome</title>".utf8)))),
    ]

    @Test(arguments: troubles)
    private func `from the start on, it is said, waited for, and over when it is over`(trouble: Trouble) async throws {
        let stage = try ProgramStage(Self.failedSession)
        stage.server.inject(trouble.effect, times: nil)
        stage.addSession("Fix login", .failed)
        let daemon = try stage.start()
        let line = await daemon.logged("Zimmer cannot be read")
        try await stage.polls(1)
        var status = try await stage.json("status")
        #expect(status["zimmer"]?["reachable"]?.flag == trouble.isReachable)
        let error = try #require(status["zimmer"]?["error"]?.text)
        #expect(line?.contains(" problem=\"\(error)\" what_to_do=\"") == true, "\(line ?? "") / \(error)")
        #expect(status["zimmer"]?["sign_in"]?.text == trouble.signIn)
        #expect(stage.webhook.messages.count == 0)

        stage.server.clearFaults()
        let message = try await stage.webhook.accepted(1)
        #expect(message.body == "Fix login failed")
        status = try await stage.json("status")
        #expect(status["zimmer"]?["reachable"]?.flag == true)
        #expect(status["zimmer"]?["sign_in"]?.text == "ok")
        #expect(await daemon.stop() == .exited(0))
        let output = await daemon.result().standardError
        #expect(output.components(separatedBy: "warning: Zimmer cannot be read").count == 2, "\(output)")
        #expect(output.components(separatedBy: "info: Zimmer can be read again").count == 2)
    }

    @Test func `a board that is not whole is said once, and by status in the same words`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let daemon = try stage.start()
        try await stage.polls(2)
        let few = #"{"sessions": [], "pagination": {"total_count": 5}}"#
        stage.server.inject(.answer(HTTPResponse(status: 200, body: Array(few.utf8))), on: .board, times: nil)
        await daemon.logged("a reading is not whole")
        try await stage.polls(4)
        let problem = "found 0 sessions, but Zimmer counts 5, then 5"
        let status = try await stage.command("status").standardOutput
        #expect(status.contains("reading board"))
        #expect(status.contains(problem))
        stage.server.clearFaults()
        await daemon.logged("a reading is whole again")
        #expect(await daemon.stop() == .exited(0))
        let output = await daemon.result().standardError
        #expect(output.components(separatedBy: "a reading is not whole").count == 2, "\(output)")
        #expect(output.contains("problem=\"\(problem)\""))
    }

    @Test func `an empty answer in between resolves nothing`() async throws {
        let stage = try ProgramStage(
            Self.failedSession + "\n  resolved: [{post: pager, text: \"{{ session.title }} goes on\"}]")
        stage.addSession("Fix login", .failed)
        let daemon = try stage.start()
        try await stage.webhook.accepted(1)
        stage.server.inject(.answer(.json(["sessions": []])), on: .board, times: nil)
        try await stage.polls()
        stage.server.clearFaults()
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        #expect(stage.webhook.messages.count == 1)
    }
}
