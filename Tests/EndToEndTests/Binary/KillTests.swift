import BotTestSupport
import DemoZimmer
import Testing

/// `kill -9` at moments that nobody chose: nothing is lost, and nothing is done twice that the other side can tell apart.
///
/// The only pauses of a test that take real time are here. They choose where the program is struck; nothing waits for them.
@Suite(.timeLimit(.minutes(10)))
struct KillTests {
    @Test func `killed fifty times, it says every episode and every end of one exactly once`() async throws {
        let stage = try ProgramStage(
            """
            - name: failed-session
              watch: session
              if: session.status == "failed"
              limit: {per_poll: 100, per_hour: 1000, per_subject_per_day: 1000}
              do: [{post: pager, text: "{{ session.title }} failed"}]
              resolved: [{post: pager, text: "{{ session.title }} goes on"}]
            """)
        var moments = Moments(seed: 2026)
        var fates = Fates(stage, sessions: 6)
        for round in 0..<50 {
            if round % 5 == 4 { stage.webhook.answer(statuses: 503) }
            let seen = (requests: stage.server.requests.count, messages: stage.webhook.messages.count)
            let bot = try stage.start()
            switch round % 3 {
            case 1: try await stage.server.request(after: seen.requests, matching: .boardPage(1))
            case 2: try await stage.webhook.message(seen.messages + 1)
            default: break
            }
            // Just after a message came, while its outcome is being written down, or anywhere.
            try await moments.pass(atMost: round % 3 == 2 ? 5 : 400)
            await bot.kill()
            fates.turn(&moments)
        }
        let bot = try stage.start()
        try await fates.end()
        try await stage.polls()
        #expect(await bot.stop() == .exited(0))
        fates.expectEachOnce()
    }

    @Test func `killed while follow-ups are under way, it sends none twice and says which it cannot know`() async throws
    {
        let stage = try ProgramStage(
            """
            - name: ask
              watch: session
              if: session.status == "needs_input"
              limit: {per_poll: 100, per_hour: 1000}
              do: [{follow_up: {prompt: "Please finish."}}]
            """)
        let sessions = (1...24).map { stage.addSession("Session \($0)") }
        stage.server.inject(.hold(nil), on: .followUp, skip: 1, times: nil)
        try await kill(10, stage, while: .followUp)
        stage.server.clearFaults()

        let bot = try stage.start()
        try await stage.polls()
        stage.server.advance(by: .minutes(2))
        try await stage.polls()
        let trail = try await Trail(stage)
        #expect(await bot.stop() == .exited(0))
        for session in sessions {
            let sent = stage.server.received(.followUp).count { $0.sessionID == session }
            let ends = trail.kinds(of: session).filter { ["done", "unknown"].contains($0) }
            #expect(ends.count == 1, "session \(session): \(trail.kinds(of: session))")
            #expect(ends == ["done"] ? sent == 1 : sent <= 1, "session \(session): \(sent) sent, \(ends)")
        }
    }

    @Test(arguments: ["hide", "snooze: {for: 7d}"])
    func `killed while visibilities are being written, every session ends up as it should`(step: String) async throws {
        let stage = try ProgramStage(
            """
            - name: away
              watch: session
              if: session.status == "needs_input" && session.effective_visibility == "visible"
              limit: {per_poll: 100, per_hour: 1000}
              do:
                - \(step)
                - {post: pager, text: "{{ session.title }} is away"}
            """)
        let sessions = (1...20).map { stage.addSession("Session \($0)") }
        stage.server.inject(.hold(nil), on: .visibility, skip: 1, times: nil)
        try await kill(8, stage, while: .visibility)
        stage.server.clearFaults()

        let bot = try stage.start()
        try await stage.polls()
        // A call that was interrupted is made again after a while, by Zimmer's clock.
        stage.server.advance(by: .minutes(2))
        for session in sessions { try await stage.webhook.messages.wait { $0.session == session } }
        try await stage.polls()
        let trail = try await Trail(stage)
        #expect(await bot.stop() == .exited(0))
        #expect(stage.delivered.count == sessions.count)
        let wanted: Session.Visibility = step == "hide" ? .hidden : .snoozed
        for session in sessions {
            #expect(stage.server.state.sessions[session]?.visibility == wanted)
            #expect(trail.kinds(of: session).count { $0 == "done" } == 1, "\(trail.kinds(of: session))")
        }
    }

    /// Kills the bot again and again, each time soon after a call of this kind was carried out whose answer it may not have.
    private func kill(_ times: Int, _ stage: ProgramStage, while call: RequestPattern) async throws {
        var moments = Moments(seed: 7)
        for round in 0..<times {
            let mark = stage.server.requests.count
            let bot = try stage.start()
            let awaited: RequestPattern = round < 3 ? call : .boardPage(1)
            try await stage.server.request(after: mark, matching: awaited)
            try await moments.pass(atMost: 150)
            await bot.kill()
        }
    }
}

/// Sessions that fail and recover, each only after the last turn of its fate was said: so it is known what has to be said.
private struct Fates {
    private struct Fate {
        var session: Int
        var episode = 1
        var hasFailed = true

        var kind: String { hasFailed ? "firing" : "resolved" }
    }

    private let stage: ProgramStage
    private var fates: [Fate]

    init(_ stage: ProgramStage, sessions: Int) {
        self.stage = stage
        fates = (1...sessions).map { Fate(session: stage.addSession("Session \($0)", .failed)) }
    }

    /// Turns some of the fates that were said. At least one is left of which nothing was said.
    mutating func turn(_ moments: inout Moments) {
        let said = fates.indices.filter { isSaid(fates[$0]) }
        let turned = said.filter { _ in Bool.random(using: &moments) }
        for index in turned.isEmpty && said.count == fates.count ? [0] : turned { turn(index) }
    }

    private mutating func turn(_ index: Int) {
        if !fates[index].hasFailed { fates[index].episode += 1 }
        fates[index].hasFailed.toggle()
        stage.set(fates[index].hasFailed ? .failed : .running, fates[index].session)
    }

    private func isSaid(_ fate: Fate) -> Bool {
        stage.webhook.messages.elements.contains { Self.says($0, fate) }
    }

    private static func says(_ message: RecordingWebhook.Message, _ fate: Fate) -> Bool {
        message.status == 200 && message.session == fate.session && message.kind == fate.kind
            && message.episode == fate.episode
    }

    /// Waits until all is said, with every session going again.
    mutating func end() async throws {
        for index in fates.indices {
            if fates[index].hasFailed {
                let fate = fates[index]
                try await stage.webhook.messages.wait { Self.says($0, fate) }
                turn(index)
            }
            let fate = fates[index]
            try await stage.webhook.messages.wait { Self.says($0, fate) }
        }
    }

    func expectEachOnce() {
        let delivered = stage.delivered
        for fate in fates {
            let said = delivered.filter { $0.session == fate.session }.map { "\($0.kind ?? "") \($0.episode ?? 0)" }
            let expected = (1...fate.episode).flatMap { ["firing \($0)", "resolved \($0)"] }
            #expect(said == expected)
        }
        #expect(delivered.count == fates.reduce(0) { $0 + 2 * $1.episode })
        for copies in Dictionary(grouping: stage.webhook.messages.elements, by: \.id).values {
            #expect(Set(copies.map(\.text)).count == 1)
        }
    }
}

/// What `log --json` says.
private struct Trail {
    private var entries: [JSON] = []

    init(_ stage: ProgramStage) async throws {
        let lines = try await stage.command("log", "--json").standardOutput.split(separator: "\n")
        entries = lines.compactMap { JSON(parsing: Array($0.utf8)) }
    }

    func kinds(of session: Int) -> [String] {
        entries.filter { $0["subject"]?["id"]?.text == "\(session)" }.compactMap { $0["kind"]?.text }
    }
}
