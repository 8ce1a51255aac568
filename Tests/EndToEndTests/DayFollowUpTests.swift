import BotTestSupport
import DemoZimmer
import Testing

/// Follow-ups are what the bot must never send twice, nor without a person's word.
@Suite struct DayFollowUpTests {
    static let rule = """
          - name: finish
            watch: session
            if: |
              session.status == "needs_input" && session.pr.state == "open" && session.pr.ci == "pass"
              && session.pr.authorized && now - session.pr.authorized_at < duration("24h")
            for: 5m
            key: session.pr.url
            do:
              - follow_up: {prompt: "Merge {{ session.pr.url }} now."}
        """

    /// A stage with one session whose pull request is as a follow-up wants it, and whose agent never merges.
    static func stage(
        _ rules: String = rule, _ configure: (inout Session) -> Void = { _ in }
    ) throws -> Stage {
        let stage = try Stage(rules)
        stage.server.update { state in
            let now = state.now
            state.agent.outcome = .rests(saying: "Not yet.")
            state.addSession(id: 7, title: "Paginate the log") { session in
                var pull = PullRequest(repository: "example/widgets", number: 487, ci: .pass)
                pull.authorization = .init(at: now, transcriptLineCount: 1)
                session.pullRequests = [pull]
                configure(&session)
            }
        }
        return stage
    }

    @Test func `an authorized pull request that rests is reminded once, also after it came to rest again`() async throws
    {
        let stage = try Self.stage()
        await stage.pass(.minutes(4))
        #expect(stage.told(7).isEmpty)
        await stage.pass(.minutes(2))
        #expect(stage.told(7).count == 1)
        #expect(stage.told(7).first?.hasSuffix("Merge https://github.com/example/widgets/pull/487 now.") == true)
        // Its turn is over after eight minutes; it rests as before, and nobody touched it.
        await stage.pass(.minutes(40))
        #expect(stage.server.state.sessions[7]?.status == .needsInput)
        #expect(stage.told(7).count == 1)
        #expect(stage.notices.isEmpty)
    }

    @Test func `it is reminded again after a person acted`() async throws {
        let stage = try Self.stage()
        await stage.pass(.minutes(10))
        stage.server.update { $0.apply(.says(session: 7, "Squash it first.")) }
        await stage.pass(.minutes(60))
        #expect(stage.told(7).count == 3)
        #expect(stage.told(7).last?.contains("Merge") == true)
    }
}
