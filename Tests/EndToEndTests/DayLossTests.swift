import BotTestSupport
import DemoZimmer
import Testing

/// Answers that are lost on the way: nothing happens twice, and what cannot be found out is said.
@Suite struct DayLossTests {
    /// How a call goes wrong, and whether Zimmer carried it out.
    enum Loss: CaseIterable {
        case answerLost, answerCut, errorAfterEffect, answerGarbled, requestDropped, serverError, gatewayTimeout,
            loginPage

        var effect: Fault.Effect {
            switch self {
            case .answerLost: .loseAnswer
            case .answerCut: .cutBody(after: 20)
            case .errorAfterEffect: .alter { $0.status = 500 }
            case .answerGarbled: .alter { $0.body = Array(#"{"session": {"id": "#.utf8) }
            case .requestDropped: .dropRequest
            case .serverError: .answer(.internalError)
            case .gatewayTimeout: .answer(.gatewayTimeout)
            case .loginPage: .answer(Self.page)
            }
        }

        var wasApplied: Bool {
            switch self {
            case .answerLost, .answerCut, .errorAfterEffect, .answerGarbled: true
            case .requestDropped, .serverError, .gatewayTimeout, .loginPage: false
            }
        }

        private static let page = HTTPResponse(status: 200, body: Array("<html>Sign in</html>".utf8))
    }

    private static func rule(_ step: String, if condition: String = #"session.status == "needs_input""#) -> String {
        """
          - name: act
            watch: session
            if: \(condition)
            do:
              - \(step)
              - post: ops
                text: "done with {{ session.title }}"
        """
    }

    private static let followUp = rule(#"follow_up: {prompt: "Go on."}"#)

    private static func simulation(_ rule: String, _ configure: (inout Session) -> Void = { _ in }) throws -> Simulation
    {
        let simulation = try Simulation(rule)
        simulation.server.update { state in
            state.agent.outcome = .keepsRunning
            state.addSession(id: 7, title: "Sync the wiki", configure)
        }
        return simulation
    }

    // MARK: - Follow-ups

    @Test(arguments: Loss.allCases)
    func `a follow-up with a lost answer is looked for by its mark, and never repeated`(loss: Loss) async throws {
        let simulation = try Self.simulation(Self.followUp)
        simulation.server.inject(loss.effect, on: .followUp)
        await simulation.pass(.hours(1))
        #expect(simulation.writes == ["POST sessions/7/follow_up"])
        #expect(simulation.told(7).count == (loss.wasApplied ? 1 : 0))
        #expect(simulation.posts == (loss.wasApplied ? ["ops: done with Sync the wiki"] : []))
        #expect(simulation.notices.count == (loss.wasApplied ? 0 : 1))
        if !loss.wasApplied {
            #expect(
                simulation.notices.first?.contains("follow_up for session 7 is unknown, and is not repeated") == true)
        }
    }

    @Test func `a follow-up that waits behind a running turn is found in the queue`() async throws {
        let simulation = try Self.simulation(
            Self.rule(#"follow_up: {prompt: "Go on."}"#, if: #"session.status == "running""#)
        ) {
            $0.status = .running
        }
        simulation.server.inject(.loseAnswer, on: .followUp)
        await simulation.pass(.minutes(10))
        #expect(simulation.writes.count == 1)
        #expect(simulation.server.state.queue.count == 1)
        #expect(simulation.posts.count == 1)
        #expect(simulation.notices.isEmpty)
    }

    @Test func `a lost answer is still looked into when the session has gone on meanwhile`() async throws {
        let simulation = try Self.simulation(Self.followUp)
        simulation.server.inject(.loseAnswer, on: .followUp)
        let conversation = RequestPattern("GET", "/api/v1/sessions/*/conversation")
        simulation.server.inject(.answer(.internalError), on: conversation, times: nil)
        await simulation.pass(.minutes(10))
        #expect(simulation.server.state.sessions[7]?.status == .running)
        simulation.server.clearFaults()
        await simulation.pass(.minutes(5))
        #expect(simulation.writes.count == 1)
        #expect(simulation.notices.isEmpty)
        #expect(try simulation.trail("act").contains { $0.hasPrefix("done: ") && $0.contains("found by its mark") })
    }

    @Test func `a lost answer that can never be looked into is said to be unknown`() async throws {
        let simulation = try Self.simulation(Self.followUp)
        simulation.server.inject(.loseAnswer, on: .followUp)
        let conversation = RequestPattern("GET", "/api/v1/sessions/*/conversation")
        simulation.server.inject(.answer(.internalError), on: conversation, times: nil)
        await simulation.pass(.minutes(80))
        #expect(simulation.writes.count == 1)
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.contains("is unknown, and is not repeated") == true)
    }

    @Test(arguments: [422, 404, 403])
    func `what Zimmer refuses is said once and not repeated`(status: Int) async throws {
        let simulation = try Self.simulation(Self.followUp)
        simulation.server.inject(.answer(.refusal(status, "No", "Not this one.")), on: .followUp, times: nil)
        await simulation.pass(.hours(2))
        #expect(simulation.writes.count == 1)
        #expect(simulation.posts.isEmpty)
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.contains("was refused") == true)
    }

    @Test func `what is busy is asked again, not before Zimmer wants it`() async throws {
        let simulation = try Self.simulation(Self.followUp)
        simulation.server.inject(.answer(.tooManyRequests(retryAfter: 100)), on: .followUp)
        simulation.server.inject(.answer(.conflict), on: .followUp)
        await simulation.pass(.seconds(95))
        #expect(simulation.writes.count == 1)
        await simulation.pass(.minutes(3))
        #expect(simulation.writes.count == 3)
        #expect(simulation.told(7).count == 1)
        #expect(simulation.posts.count == 1)
        #expect(simulation.notices.isEmpty)
    }

    /// Somebody takes our mark off, or words it anew.
    @Test(arguments: [
        ("Go on.", "found by its text"), ("  Go on.\n", "found by its text"), ("Go on, please.", nil),
        ("[zimmer-bot 0-1] Go on.", nil),
    ])
    func `a follow-up whose mark is gone is found by its whole text`(text: String, found: String?) async throws {
        let simulation = try Self.simulation(Self.followUp) { session in
            // The same words, from another time.
            session.conversation = [ConversationMessage(role: "user", content: "Go on.", timestamp: DemoServer.morning)]
        }
        simulation.server.advance(by: .minutes(5))
        simulation.server.inject(.loseAnswer, on: .followUp)
        simulation.server.inject(.answer(.internalError), on: .conversation)
        await simulation.pass(.zero)
        simulation.server.update { state in
            state.edit(7) { $0.conversation[$0.conversation.count - 1].content = text }
        }
        await simulation.pass(.minutes(5))
        #expect(simulation.writes == ["POST sessions/7/follow_up"])
        #expect(simulation.posts == (found == nil ? [] : ["ops: done with Sync the wiki"]))
        let kind = found == nil ? "unknown" : "done"
        #expect(
            try simulation.trail("act").contains {
                $0.hasPrefix("\(kind): act_1 ") && $0.contains(found ?? "no message")
            })
    }

    @Test func `a write that is given up after a day tells people, once`() async throws {
        let simulation = try Simulation(Self.followUp, polls: "{board: 10m, health: 10m}")
        simulation.server.update { state in
            state.agent.outcome = .keepsRunning
            state.addSession(id: 7, title: "Sync the wiki")
        }
        simulation.server.inject(.answer(.databaseBusy), on: .followUp, times: nil)
        await simulation.pass(.hours(23))
        #expect(simulation.notices.isEmpty)
        await simulation.pass(.hours(3))
        let calls = simulation.writes.count
        #expect(calls > 20)
        #expect(simulation.notices.count == 1)
        #expect(
            simulation.notices.first?.contains("Rule act: a write for session 7 was given up after a day: Zimmer")
                == true)
        try simulation.restart(after: .minutes(10))
        simulation.server.clearFaults()
        await simulation.pass(.hours(3))
        #expect(simulation.notices.count == 1)
        #expect(simulation.writes.count == calls)
        #expect(simulation.posts.isEmpty)
    }

    // MARK: - Calls that say how a session is to be

    /// A step, and whether the session is as the step wants it.
    static let states: [(step: String, isSo: @Sendable (Session) -> Bool)] = [
        ("snooze: {for: 7d}", { $0.visibility == .snoozed }),
        ("hide", { $0.visibility == .hidden }),
        ("archive", { $0.status == .archived }),
        ("favorite: true", { $0.favorited }),
        (#"note: {append: "seen by the bot"}"#, { $0.notes == "old\nseen by the bot" }),
        (#"note: {replace: "seen by the bot"}"#, { $0.notes == "seen by the bot" }),
    ]

    @Test(arguments: states.indices, Loss.allCases)
    func `a state that was asked for comes about once, and the chain goes on`(index: Int, loss: Loss) async throws {
        let (step, isSo) = Self.states[index]
        // A condition that the step itself makes false.
        let condition = #"session.status == "needs_input" && session.effective_visibility == "visible""#
        let simulation = try Self.simulation(Self.rule(step, if: condition)) { $0.notes = "old" }
        // Twice: a connection that closes is tried once more at once.
        simulation.server.inject(loss.effect, on: RequestPattern("PATCH"), times: 2)
        simulation.server.inject(loss.effect, on: RequestPattern("POST"))
        await simulation.pass(.minutes(20))
        #expect(isSo(try #require(simulation.server.state.sessions[7])))
        #expect((loss.wasApplied ? 1...2 : 2...3).contains(simulation.writes.count))
        #expect(simulation.posts == ["ops: done with Sync the wiki"])
        #expect(simulation.notices.isEmpty)
    }

    @Test func `a note is not appended twice when Zimmer was away after it`() async throws {
        let simulation = try Self.simulation(Self.rule(#"note: {append: "seen"}"#))
        simulation.server.inject(.loseAnswer, on: RequestPattern("PATCH"), times: 2)
        await simulation.pass(.zero)
        simulation.server.clearFaults()
        simulation.server.inject(.dropRequest, on: .session, times: 20)
        await simulation.pass(.hours(1))
        #expect(simulation.server.state.sessions[7]?.notes == "seen")
        #expect(simulation.posts.count == 1)
    }

    @Test(arguments: Loss.allCases)
    func `a line for the log is found by its mark`(loss: Loss) async throws {
        let simulation = try Self.simulation(Self.rule(#"log: {text: "reminded", level: info}"#))
        simulation.server.inject(loss.effect, on: RequestPattern("POST"))
        await simulation.pass(.minutes(10))
        #expect(simulation.server.state.logs.count { $0.content.hasSuffix("reminded") } == (loss.wasApplied ? 1 : 0))
        #expect(simulation.writes.count == 1)
        #expect(simulation.posts.count == (loss.wasApplied ? 1 : 0))
        #expect(simulation.notices.count == (loss.wasApplied ? 0 : 1))
    }
}
