import BotTestSupport
import DemoZimmer
import Foundation
import Testing

/// Signals, the rules file changing, and who may have the state directory.
@Suite(.timeLimit(.minutes(10)))
struct SignalTests {
    private static let failedSession = """
        - name: failed-session
          watch: session
          if: session.status == "failed"
          do: [{post: pager, text: "{{ session.title }} failed"}]

        """

    @Test(arguments: [SIGTERM, SIGINT])
    func `a delivery under way is finished before the end`(signal: Int32) async throws {
        let stage = try ProgramStage(Self.failedSession)
        stage.webhook.answer(with: .hold(HTTPResponse(status: 200), for: nil))
        stage.addSession("Fix login", .failed)
        let first = try stage.start()
        try await stage.webhook.message(1)
        first.signal(signal)
        await first.logged("stopping")
        stage.webhook.releaseHeld()
        #expect(await first.exitStatus() == .exited(0))

        // Its outcome was written down: it does not go out again.
        let second = try stage.start()
        try await stage.polls()
        #expect(await second.stop() == .exited(0))
        #expect(stage.webhook.messages.count == 1)
    }

    @Test func `a write under way is finished before the end`() async throws {
        let stage = try ProgramStage(
            """
            - name: hide
              watch: session
              if: session.status == "needs_input"
              do: [hide]
            """)
        let session = stage.addSession("Fix login")
        stage.server.inject(.hold(nil), on: .visibility)
        let daemon = try stage.start()
        try await stage.server.request(matching: .visibility)
        daemon.signal(SIGTERM)
        await daemon.logged("stopping")
        stage.server.releaseHeld()
        #expect(await daemon.exitStatus() == .exited(0))
        let log = try await stage.command("log", "--session", "\(session)")
        #expect(log.standardOutput.contains(" done "), "\(log)")
    }

    @Test func `what does not end holds up the end for ten seconds, and is tried again`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        stage.webhook.answer(with: .hold(HTTPResponse(status: 200), for: nil))
        stage.addSession("Fix login", .failed)
        let first = try stage.start()
        let held = try await stage.webhook.message(1)
        #expect(await first.stop() == .exited(0))

        let second = try stage.start()
        let again = try await stage.webhook.message(2)
        #expect(again.id == held.id)
        #expect(await second.stop() == .exited(0))
    }

    @Test func `a second signal ends it at once`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        stage.webhook.answer(with: .hold(HTTPResponse(status: 200), for: nil))
        stage.addSession("Fix login", .failed)
        let first = try stage.start()
        let held = try await stage.webhook.message(1)
        first.signal(SIGTERM)
        await first.logged("stopping")
        // As soon as it is no longer taken for an echo of the first.
        let impatience = Task {
            while !Task.isCancelled {
                first.signal(SIGTERM)
                await Task.yield()
            }
        }
        #expect(await first.exitStatus() == .exited(128 + SIGTERM))
        impatience.cancel()

        let second = try stage.start()
        let again = try await stage.webhook.message(2)
        #expect(again.id == held.id)
        #expect(await second.stop() == .exited(0))
    }

    @Test func `a bad file leaves the old rules in force, and says what is wrong with it`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let daemon = try stage.start()
        try await stage.polls(1)
        try stage.write(rules: "- name: broken\n  watch: sessions\n")
        daemon.signal(SIGHUP)
        await #expect(daemon.logged("did you mean 'session'?") != nil)
        await #expect(daemon.logged("the old rules stay in force") != nil)
        stage.addSession("Fix login", .failed)
        let message = try await stage.webhook.accepted(1)
        #expect(message.body == "Fix login failed")
        #expect(await daemon.stop() == .exited(0))
    }

    @Test func `a file that changes is read without being asked`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let daemon = try stage.start()
        try await stage.polls(1)
        try stage.write(rules: Self.failedSession.replacing("failed\"}]", with: "is stuck\"}]"))
        await daemon.logged("the rules were read again")
        stage.addSession("Fix login", .failed)
        let message = try await stage.webhook.accepted(1)
        #expect(message.body == "Fix login is stuck")
        #expect(await daemon.stop() == .exited(0))
    }

    @Test func `however often the rules are read again, nothing is said twice or lost`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let daemon = try stage.start()
        try await stage.polls(1)
        let sessions = (1...5).map { number in
            for _ in 1...4 { daemon.signal(SIGHUP) }
            return stage.addSession("Session \(number)", .failed)
        }
        try await stage.webhook.accepted(sessions.count)
        for _ in 1...10 { daemon.signal(SIGHUP) }
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        #expect(stage.webhook.messages.elements.compactMap(\.session).sorted() == sessions)
    }

    @Test func `a second process is told who has the state directory`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let first = try stage.start()
        try await stage.polls(1)
        let second = await (try stage.start()).result()
        #expect(second.status == .exited(1))
        #expect(second.standardError.contains("\(stage.statePath) is in use by process \(first.processID) on "))
        #expect(await first.stop() == .exited(0))
    }
}
