import BotTestSupport
import DemoZimmer
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
    ]

    @Test(arguments: troubles)
    private func `from the start on, it is said, waited for, and over when it is over`(trouble: Trouble) async throws {
        let stage = try ProgramStage(Self.failedSession)
        stage.server.inject(trouble.effect, times: nil)
        stage.addSession("Fix login", .failed)
        let daemon = try stage.start()
        await #expect(daemon.logged("Zimmer cannot be read") != nil)
        try await stage.polls(1)
        var status = try await stage.json("status")
        #expect(status["zimmer"]?["reachable"]?.flag == trouble.isReachable)
        #expect(status["zimmer"]?["error"]?.text?.isEmpty == false)
        #expect(status["zimmer"]?["sign_in"]?.text == trouble.signIn)
        #expect(stage.webhook.messages.count == 0)

        stage.server.clearFaults()
        let message = try await stage.webhook.accepted(1)
        #expect(message.body == "Fix login failed")
        status = try await stage.json("status")
        #expect(status["zimmer"]?["reachable"]?.flag == true)
        #expect(status["zimmer"]?["sign_in"]?.text == "ok")
        #expect(await daemon.stop() == .exited(0))
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
