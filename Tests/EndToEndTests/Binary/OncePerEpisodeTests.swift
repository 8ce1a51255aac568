import BotTestSupport
import DemoZimmer
import Foundation
import Testing

/// One episode, one message: over polls, restarts, reloads, retries and bad pages.
@Suite(.timeLimit(.minutes(10)))
struct OncePerEpisodeTests {
    private static let failedSession = """
        - name: failed-session
          watch: session
          if: session.status == "failed"
          do: [{post: pager, text: "{{ session.title }} failed"}]
          resolved: [{post: pager, text: "{{ session.title }} goes on"}]

        """

    @Test func `a failed session is said once, over polls, a restart and an edit of another rule`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let session = stage.addSession("Fix login", .failed)
        let first = try stage.start()
        let firing = try await stage.webhook.accepted(1)
        #expect(firing.kind == "firing" && firing.session == session && firing.body == "Fix login failed")
        try await stage.polls()
        #expect(await first.stop() == .exited(0))

        let second = try stage.start()
        try await stage.polls()
        try stage.write(
            rules: Self.failedSession + """
                - name: another
                  watch: session
                  if: session.title == "nobody's"
                  do: [{post: pager, text: hello}]
                """)
        second.signal(SIGHUP)
        await second.logged("the rules were read again")
        try await stage.polls()
        #expect(stage.webhook.messages.count == 1)

        stage.set(.running, session)
        let resolved = try await stage.webhook.accepted(2)
        #expect(resolved.kind == "resolved" && resolved.body == "Fix login goes on")
        #expect(resolved.episode == firing.episode && resolved.id != firing.id)
        try await stage.polls()
        #expect(await second.stop() == .exited(0))
        #expect(stage.webhook.messages.count == 2)
    }

    @Test func `what ended while the bot was down is said when it is back, once`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        let recovers = stage.addSession("Recovers", .failed)
        let trashed = stage.addSession("Trashed", .failed)
        let first = try stage.start()
        try await stage.webhook.accepted(2)
        #expect(await first.stop() == .exited(0))
        stage.set(.running, recovers)
        stage.server.update { $0.archive(trashed) }

        let second = try stage.start()
        try await stage.webhook.accepted(4)
        try await stage.polls()
        #expect(await second.stop() == .exited(0))
        let resolved = stage.webhook.messages.elements.dropFirst(2)
        #expect(resolved.count == 2)
        #expect(resolved.allSatisfy { $0.kind == "resolved" })
        #expect(Set(resolved.compactMap(\.session)) == [recovers, trashed])
    }

    @Test func `a delivery keeps its id and its words however often it is tried`() async throws {
        let stage = try ProgramStage(Self.failedSession)
        stage.webhook.answer(statuses: 500, 503)
        stage.addSession("Fix login", .failed)
        let daemon = try stage.start()
        try await stage.webhook.accepted(1)
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        let tries = stage.webhook.messages.elements
        #expect(tries.map(\.status) == [500, 503, 200])
        #expect(Set(tries.map(\.id)).count == 1)
        #expect(Set(tries.map(\.text)).count == 1)
    }

    @Test func `a wait goes on over a kill, and its end comes once`() async throws {
        let stage = try ProgramStage(
            """
            - name: failed-session
              watch: session
              if: session.status == "failed"
              do:
                - {post: pager, text: first}
                - wait: 3s
                - {post: pager, text: second}
            """)
        stage.addSession("Fix login", .failed)
        let first = try stage.start()
        try await stage.webhook.accepted(1)
        await first.kill()
        let second = try stage.start()
        try await stage.webhook.messages.wait { $0.body == "second" }
        try await stage.polls()
        #expect(await second.stop() == .exited(0))
        #expect(stage.delivered.map(\.body) == ["first", "second"])
    }

    @Test func `a board whose second page fails decides nothing`() async throws {
        let stage = try ProgramStage(Self.failedSession) { state in
            for number in 1...150 { state.addSession(id: number, title: "Session \(number)") }
        }
        // The newest are on the first page.
        stage.set(.failed, 150)
        stage.set(.failed, 1)
        let daemon = try stage.start()
        try await stage.webhook.accepted(2)

        stage.server.inject(.answer(.internalError), on: .boardPage(2), times: nil)
        stage.set(.running, 150)
        stage.set(.failed, 149)
        try await stage.polls()
        #expect(stage.webhook.messages.count == 2)

        stage.server.clearFaults()
        try await stage.webhook.accepted(4)
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        let later = stage.webhook.messages.elements.dropFirst(2).map { "\($0.kind ?? "") \($0.session ?? 0)" }
        #expect(Set(later) == ["resolved 150", "firing 149"] && later.count == 2)
    }
}
