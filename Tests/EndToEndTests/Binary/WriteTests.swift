import BotTestSupport
import DemoZimmer
import Testing

/// Writes to Zimmer: what is refused, lost, answered late, or too much at once.
@Suite(.timeLimit(.minutes(10)))
struct WriteTests {
    private static let ask = """
        - name: ask
          watch: session
          if: session.status == "needs_input"
          do:
            - follow_up: {prompt: "Please finish."}
            - {post: pager, text: "{{ session.title }} was asked"}
        """

    @Test func `a follow-up is sent once, and what comes after it follows`() async throws {
        let stage = try ProgramStage(Self.ask)
        let session = stage.addSession("Fix login")
        let daemon = try stage.start()
        let message = try await stage.webhook.accepted(1)
        #expect(message.body == "Fix login was asked")
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        let sent = stage.writes(.followUp)
        #expect(sent.count == 1 && sent.first?.sessionID == session)
        #expect(sent.first?.body?["prompt"]?.text?.hasSuffix("] Please finish.") == true)
    }

    @Test func `a call that ends its own episode before it is answered is said all the same`() async throws {
        let stage = try ProgramStage(Self.ask)
        stage.server.inject(.hold(nil), on: .followUp)
        let session = stage.addSession("Fix login")
        let daemon = try stage.start()
        try await stage.server.request(matching: .followUp)
        // Meanwhile the board says that the session no longer rests.
        try await stage.polls()
        stage.server.releaseHeld()
        let message = try await stage.webhook.accepted(1)
        #expect(message.body == "Fix login was asked")
        #expect(await daemon.stop() == .exited(0))
        let log = try await stage.command("log", "--session", "\(session)").standardOutput
        #expect(log.contains(" done ") && !log.contains(" withdrawn "), "\(log)")
    }

    @Test func `a refused follow-up is said and not repeated, and the chain stops`() async throws {
        let stage = try ProgramStage(Self.ask)
        stage.server.inject(.answer(.refusal(422, "Cannot follow up", "Not in this state.")), on: .followUp)
        let session = stage.addSession("Fix login")
        let daemon = try stage.start()
        try await stage.server.request(matching: .followUp)
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        #expect(stage.writes(.followUp).count == 1)
        #expect(stage.webhook.messages.count == 0)
        let log = try await stage.command("log", "--session", "\(session)").standardOutput
        #expect(log.contains(" refused ") && log.contains("Not in this state."), "\(log)")
    }

    @Test func `a refusal is noticed once, also when the bot ended right after it`() async throws {
        let stage = try ProgramStage(Self.ask, settings: "notices: {channels: [pager]}")
        stage.server.inject(.answer(.refusal(422, "Cannot follow up", "Not in this state.")), on: .followUp)
        stage.addSession("Fix login")
        for _ in 1...3 { #expect(await (try stage.start("--once")).exitStatus() == .exited(0)) }
        #expect(stage.server.received(.followUp).count == 1)
        #expect(stage.webhook.messages.count == 1)
        let notice = try await stage.webhook.message(1)
        #expect(notice.kind == "notice" && notice.body?.contains("was refused") == true, "\(notice.text)")
    }

    @Test func `a follow-up whose answer is lost is found again and not repeated`() async throws {
        let stage = try ProgramStage(Self.ask)
        stage.server.inject(.loseAnswer, on: .followUp)
        let session = stage.addSession("Fix login")
        let daemon = try stage.start()
        try await stage.webhook.accepted(1)
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        #expect(stage.writes(.followUp).count == 1)
        let log = try await stage.command("log", "--session", "\(session)").standardOutput
        #expect(log.contains("found by its mark in the conversation"), "\(log)")
    }

    @Test func `a follow-up that cannot be found again is unknown, and never repeated`() async throws {
        let stage = try ProgramStage(Self.ask, settings: "notices: {channels: [pager]}")
        // Zimmer never saw it, but who sent it cannot know.
        stage.server.inject(.dropRequest, on: .followUp)
        let session = stage.addSession("Fix login")
        let daemon = try stage.start()
        try await stage.server.request(matching: .followUp)
        try await stage.polls(2)
        stage.server.advance(by: .minutes(2))
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        let again = try stage.start()
        try await stage.polls()
        #expect(await again.stop() == .exited(0))
        #expect(stage.server.received(.followUp).count == 1)
        let log = try await stage.command("log", "--session", "\(session)").standardOutput
        #expect(log.contains(" unknown "), "\(log)")
        // The clock that was put forward is another notice.
        let notices = stage.webhook.messages.elements.filter { $0.text.contains("is unknown, and is not repeated") }
        #expect(notices.map(\.kind) == ["notice"])
    }

    @Test func `what Zimmer cannot do just now is tried again`() async throws {
        let stage = try ProgramStage(Self.ask)
        stage.server.inject(.answer(.databaseBusy), on: .followUp)
        stage.server.inject(.answer(.conflict), on: .followUp)
        stage.addSession("Fix login")
        let daemon = try stage.start()
        try await stage.webhook.accepted(1)
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        #expect(stage.server.received(.followUp).map(\.status) == [503, 409, 200])
    }

    @Test func `a write that is due but waits for its last look is looked at once a poll`() async throws {
        let stage = try ProgramStage(Self.ask)
        stage.server.inject(.answer(.databaseBusy), on: .followUp, times: nil)
        stage.addSession("Fix login")
        let daemon = try stage.start()
        try await stage.server.request(matching: .followUp)
        stage.server.inject(.answer(.internalError), on: .session, times: nil)
        // The back-off is over, and the look fails.
        try await stage.server.nextRequest(matching: .session)
        let mark = stage.server.requests.count
        try await stage.polls(3)
        let requests = stage.server.requests.elements.dropFirst(mark).map(\.request)
        let polls = requests.count(where: RequestPattern.boardPage(1).matches)
        #expect((1...polls + 2).contains(requests.count(where: RequestPattern.session.matches)))
        #expect(await daemon.stop() == .exited(0))
    }

    @Test func `a last look withdraws a write that no longer applies`() async throws {
        let stage = try ProgramStage(Self.ask)
        // The session is picked up between the board and the last look.
        stage.server.inject(
            .alter { response in
                let text = String(decoding: response.body, as: UTF8.self)
                response.body = Array(text.replacing("\"status\":\"needs_input\"", with: "\"status\":\"running\"").utf8)
            }, on: .session, times: nil)
        let session = stage.addSession("Fix login")
        let daemon = try stage.start()
        try await stage.server.request(matching: .session)
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        #expect(stage.server.writes.isEmpty)
        let log = try await stage.command("log", "--session", "\(session)").standardOutput
        #expect(log.contains(" withdrawn ") && log.contains("the condition no longer holds"), "\(log)")
    }

    @Test func `a new rule that matches much writes nothing until it is released, and then little by little`()
        async throws
    {
        let stage = try ProgramStage(
            """
            - name: hide-all
              watch: session
              if: session.status == "needs_input" && session.effective_visibility == "visible"
              do: [hide]
            """
        ) { state in
            for number in 1...300 { state.addSession(id: number, title: "Session \(number)") }
        }
        let first = try stage.start()
        try await stage.polls(2)
        #expect(await first.stop() == .exited(0))
        let second = try stage.start()
        try await stage.polls(2)
        #expect(stage.server.writes.isEmpty)
        let status = try await stage.json("status")
        #expect(status["rules"]?[0]?["awaits_release"]?.flag == true)

        let mark = stage.server.requests.count
        let release = try await stage.command("release", "hide-all")
        #expect(release.status == .exited(0))
        #expect(release.standardOutput.contains("at most 10 per poll"))
        try await stage.server.request(30, after: mark, matching: .visibility)
        #expect(await second.stop() == .exited(0))
        var polls = 1
        var writes = 0
        for request in stage.server.requests.elements.dropFirst(mark) {
            if RequestPattern.boardPage(1).matches(request.request) { polls += 1 }
            if RequestPattern.visibility.matches(request.request) { writes += 1 }
            #expect(writes <= 10 * polls)
        }
        #expect(Set(stage.server.writes.compactMap(\.sessionID)).count == stage.server.writes.count)
    }

    @Test func `releasing what does not wait says so`() async throws {
        let stage = try ProgramStage(Self.ask)
        let daemon = try stage.start()
        try await stage.polls(1)
        let answer = try await stage.json("release", "ask")
        #expect(answer["answered"] == .bool(true) && answer["message"]?.text != nil, "\(answer)")
        let waitsNot = try await stage.command("release", "ask")
        #expect(waitsNot.status == .exited(1))
        #expect(waitsNot.standardOutput == "rule 'ask' does not wait for a release\n")
        let unknown = try await stage.command("release", "aks")
        #expect(unknown.status == .exited(1))
        #expect(unknown.standardOutput == "there is no rule 'aks', did you mean 'ask'?\n")
        #expect(await daemon.stop() == .exited(0))
    }
}
