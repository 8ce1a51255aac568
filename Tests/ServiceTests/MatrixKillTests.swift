import BotTestSupport
import DemoZimmer
import Testing

@testable import MatrixAdapter

/// The real program and a real Synapse.
@Suite(.timeLimit(.minutes(10)))
struct MatrixKillTests {
    @Test func `killed in the middle of 500 messages, it brings each into the room exactly once`() async throws {
        let homeserver = try await Homeserver()
        let alice = MatrixPerson(homeserver: homeserver, number: 2)
        let room = try #require(homeserver.values["MATRIX_ROOM_JOINED"])
        let stage = try ProgramStage(
            """
            - name: failed-session
              watch: session
              if: session.status == "failed"
              limit: {per_poll: 1000, per_hour: 10000}
              do: [{post: chat, thread: none, text: "session {{ session.id }} failed"}]
            """,
            channels:
                "chat: {adapter: matrix, homeserver: \"\(homeserver.address)\", access_token: {env: TOKEN}, room: \"\(room)\"}",
            variables: ["TOKEN": homeserver.values["MATRIX_TOKEN_1"] ?? ""])
        let sessions = (1...500).map { stage.addSession("Session \($0)", .failed) }
        let timeline = MatrixTimeline(alice, room)
        var moments = Moments(seed: 7)
        for round in 1...8 {
            let bot = try stage.start()
            try await timeline.wait(for: round * 40)
            try await moments.pass(atMost: 200)
            await bot.kill()
        }
        let bot = try stage.start()
        try await timeline.wait(for: sessions.count)
        // What could come twice would come now.
        try await stage.polls()
        #expect(await bot.stop() == .exited(0))
        try await timeline.read()
        #expect(timeline.texts == sessions.map { "session \($0) failed" })
    }
}

/// What the bot says in a room, as its members see it.
private final class MatrixTimeline {
    private let person: MatrixPerson
    private let room: String
    private var position: String?
    private(set) var texts: [String] = []

    init(_ person: MatrixPerson, _ room: String) {
        self.person = person
        self.room = room
    }

    /// Reads on to the end.
    func read() async throws {
        while true {
            let page = try await person.page(of: room, from: position)
            guard !page.events.isEmpty else { return }
            position = page.end
            texts += page.events.filter { $0["sender"]?.string == "@bot:localhost" }
                .compactMap { $0["content"]?["body"]?.string }
        }
    }

    /// Returns when there are so many messages. The homeserver says when there is something new.
    func wait(for count: Int) async throws {
        try await read()
        var since: String?
        while texts.count < count {
            since = try await person.sync(since: since)
            try await read()
        }
    }
}
