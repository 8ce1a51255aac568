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

    /// A simulation with one session whose pull request is as a follow-up wants it, and whose agent never merges.
    static func simulation(
        _ rules: String = rule, polls: String = "{board: 30s, health: 2m}", offset: Duration = .zero,
        _ configure: (inout Session) -> Void = { _ in }
    ) throws -> Simulation {
        let simulation = try Simulation(rules, polls: polls, offset: offset)
        simulation.server.update { state in
            let now = state.now
            state.agent.outcome = .rests(saying: "Not yet.")
            state.addSession(id: 7, title: "Paginate the log") { session in
                var pull = PullRequest(repository: "example/widgets", number: 487, ci: .pass)
                pull.authorization = .init(at: now, transcriptLineCount: 1)
                session.pullRequests = [pull]
                configure(&session)
            }
        }
        return simulation
    }

    @Test func `an authorized pull request that rests is reminded once, also after it came to rest again`() async throws
    {
        let simulation = try Self.simulation()
        await simulation.pass(.minutes(4))
        #expect(simulation.told(7).isEmpty)
        await simulation.pass(.minutes(2))
        #expect(simulation.told(7).count == 1)
        #expect(simulation.told(7).first?.hasSuffix("Merge https://github.com/example/widgets/pull/487 now.") == true)
        // Its turn is over after eight minutes; it rests as before, and nobody touched it.
        await simulation.pass(.minutes(40))
        #expect(simulation.server.state.sessions[7]?.status == .needsInput)
        #expect(simulation.told(7).count == 1)
        #expect(simulation.notices.isEmpty)
    }

    @Test func `it is reminded again after a person acted`() async throws {
        let simulation = try Self.simulation()
        await simulation.pass(.minutes(10))
        simulation.server.update { $0.apply(.says(session: 7, "Squash it first.")) }
        await simulation.pass(.minutes(60))
        #expect(simulation.told(7).count == 3)
        #expect(simulation.told(7).last?.contains("Merge") == true)
    }

    /// What is not as a follow-up wants it.
    enum Obstacle: CaseIterable {
        case unauthorized, red, pending, unread, merged, expired, running

        func apply(to session: inout Session) {
            switch self {
            case .unauthorized: session.pullRequests[0].authorization = nil
            case .red: session.pullRequests[0].ci = .fail
            case .pending: session.pullRequests[0].ci = .pending
            case .unread: session.pullRequests[0].ci = nil
            case .merged: session.pullRequests[0].state = .merged
            case .expired:
                session.pullRequests[0].authorization?.at = session.createdAt - .hours(25)
            case .running: session.status = .running
            }
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `nothing is sent while anything is missing`(obstacle: Obstacle) async throws {
        let simulation = try Self.simulation { obstacle.apply(to: &$0) }
        await simulation.pass(.minutes(30))
        #expect(simulation.writes.isEmpty)
        #expect(simulation.said.isEmpty)
    }

    @Test func `a conflict that no condition names does not matter`() async throws {
        let simulation = try Self.simulation { $0.pullRequests[0].hasConflict = true }
        await simulation.pass(.minutes(6))
        #expect(simulation.told(7).count == 1)
    }

    @Test(arguments: ["fail", "pending", "skipping", "cancel", "none", "brand_new_word"])
    func `CI that changed since the board was read withdraws it`(ci: String) async throws {
        let simulation = try Self.simulation()
        await simulation.pass(.minutes(4))
        simulation.server.inject(.alter { $0.replace("\"pass\"", with: "\"\(ci)\"") }, on: .session)
        await simulation.pass(.minutes(3))
        #expect(simulation.writes.isEmpty)
        #expect(try simulation.trail("finish").contains { $0.hasPrefix("withdrawn: ") })
        // Green all the time as far as the board was read, so the episode is the same one.
        await simulation.pass(.minutes(30))
        #expect(simulation.writes.isEmpty)
    }

    @Test func `after it was withdrawn it is sent when CI was red on the board and green again`() async throws {
        let simulation = try Self.simulation()
        await simulation.pass(.minutes(4))
        simulation.server.inject(.alter { $0.replace("\"pass\"", with: "\"fail\"") }, on: .session)
        await simulation.pass(.minutes(3))
        simulation.server.update { $0.apply(.ci(session: 7, .fail)) }
        await simulation.pass(.minutes(2))
        simulation.server.update { $0.apply(.ci(session: 7, .pass)) }
        await simulation.pass(.minutes(4))
        #expect(simulation.told(7).isEmpty)
        await simulation.pass(.minutes(3))
        #expect(simulation.told(7).count == 1)
    }

    @Test func `another pull request that came last withdraws it`() async throws {
        let simulation = try Self.simulation()
        await simulation.pass(.minutes(4))
        simulation.server.inject(.alter { $0.replace("pull/487", with: "pull/488") }, on: .session)
        await simulation.pass(.minutes(20))
        #expect(simulation.writes.isEmpty)
    }

    @Test func `CI that reads so for less than a poll is waited for`() async throws {
        let simulation = try Self.simulation(Self.rule.replacing("    for: 5m\n", with: ""))
        await simulation.pass(.seconds(20))
        #expect(simulation.writes.isEmpty)
        #expect(try simulation.trail("finish").contains("started: do"))
        await simulation.pass(.seconds(20))
        #expect(simulation.told(7).count == 1)
    }

    enum Halt: CaseIterable { case recovery, pausedPollers, unreadable }

    @Test(arguments: Halt.allCases)
    func `while what Zimmer knows of pull requests may be old it waits, then goes on`(halt: Halt) async throws {
        let simulation = try Self.simulation()
        await simulation.pass(.minutes(1))
        switch halt {
        case .recovery: simulation.server.update { $0.apply(.recoveryBegins(reason: "Stall", .hours(2))) }
        case .pausedPollers: simulation.server.update { $0.recovery.handPaused = ["pollers"] }
        case .unreadable: simulation.server.inject(.answer(.internalError), on: .health, times: nil)
        }
        await simulation.pass(.minutes(60))
        #expect(simulation.writes.isEmpty)
        simulation.server.clearFaults()
        simulation.server.update { state in
            state.recovery.handPaused = []
            state.recovery.exit()
        }
        await simulation.pass(.minutes(3))
        #expect(simulation.told(7).count == 1)
    }

    @Test func `what waits is looked at once a poll, however much else is written`() async throws {
        let notes = (1...5).map { "{note: {append: \"\($0)\"}}" }.joined(separator: ", ")
        let rules = """
            \(Self.rule)
              - name: remark
                watch: session
                if: session.title == "Sync the wiki"
                for: 10m
                do: [\(notes)]
            """
        let simulation = try Self.simulation(rules)
        simulation.server.update { state in
            state.apply(.recoveryBegins(reason: "Stall", .hours(2)))
            state.addSession(id: 8, title: "Sync the wiki")
        }
        await simulation.pass(.minutes(12))
        #expect(simulation.server.state.sessions[8]?.notes == "1\n2\n3\n4\n5")
        let looks = simulation.server.received(RequestPattern("GET", "/api/v1/sessions/7"))
        // From the fifth minute on, every 30 s.
        #expect(looks.count == 15)
    }

    @Test func `while one rule's write waits, another rule's goes on`() async throws {
        let rules = """
            \(Self.rule)
              - name: remark
                watch: session
                if: session.status == "needs_input"
                for: 10m
                do: [{note: {append: "rests"}}]
            """
        let simulation = try Self.simulation(rules)
        simulation.server.update { $0.apply(.recoveryBegins(reason: "Stall", .hours(2))) }
        await simulation.pass(.minutes(12))
        #expect(simulation.writes == ["PATCH sessions/7/notes"])
    }

    @Test func `a follow-up that counts as activity is not taken for a person's`() async throws {
        let simulation = try Self.simulation()
        simulation.server.update { $0.agent.followUpsTouch = true }
        await simulation.pass(.minutes(90))
        #expect(simulation.told(7).count == 1)
    }

    @Test(arguments: [("status", "\"dreaming\""), ("visibility", "\"pinned\"")])
    func `a session in a state that the bot does not know is never written to`(
        member: String, word: String
    ) async throws {
        let rule = """
              - name: hide
                watch: session
                if: session.title != ""
                do: [hide]
            """
        let simulation = try Self.simulation(rule) { $0.wireOverrides[member] = .string(word.filter { $0 != "\"" }) }
        await simulation.pass(.hours(1))
        #expect(simulation.writes.isEmpty)
    }

    @Test func `what was withdrawn before it wrote anything has no end to tell of`() async throws {
        let rule =
            Self.rule + """

                    resolved:
                      - post: ops
                        text: "{{ session.title }} is {{ session.status }} now."
                """
        let withdrawn = try Self.simulation(rule)
        withdrawn.server.inject(.alter { $0.replace("\"pass\"", with: "\"fail\"") }, on: .session)
        await withdrawn.pass(.minutes(10))
        withdrawn.server.update { $0.archive(7) }
        await withdrawn.pass(.minutes(5))
        #expect(withdrawn.said.isEmpty)

        let refused = try Self.simulation(rule)
        refused.server.inject(.answer(.refusal(422, "No", "Not this one.")), on: .followUp)
        await refused.pass(.minutes(10))
        refused.server.update { $0.archive(7) }
        await refused.pass(.minutes(5))
        #expect(refused.posts == ["ops: Paginate the log is archived now."])
    }
}
