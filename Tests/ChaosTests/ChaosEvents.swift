import BotTestSupport
import DemoZimmer

/// What happens in a Zimmer meanwhile: sessions rest, fail and go on, and people write to them, at random.
struct ChaosEvents {
    private static let titles = [
        "asks", "notes", "stars", "hides", "ends", "fails", "sets", "turns", "fires", "naps", "stops", "waits",
        "models",
        "retries", "operates",
    ]
    private static let sessionsPerTitle = 3
    private var moments: Moments
    private var said = 0

    init(seed: UInt64) {
        moments = Moments(seed: seed)
    }

    static func populate(_ state: inout ZimmerState) {
        for title in titles {
            // A call about all of Zimmer does not say whose it is, so one session alone asks for them.
            for _ in 0..<(title == "operates" ? 1 : sessionsPerTitle) {
                state.addSession(title: title, status: .running)
            }
        }
        state.triggers = [
            Trigger(id: 3, name: "Nightly sweep", createdAt: state.now),
            Trigger(id: 4, name: "helps", createdAt: state.now),
        ]
        state.triggers[1].promptTemplate = "Do {{text}}."
        state.triggers[1].maximumPerMinute = .max
    }

    /// Turns the fate of a session or two.
    mutating func happen(on server: DemoServer) {
        for _ in 0..<Int.random(in: 1...3, using: &moments) {
            let rests = Int.random(in: 0..<10, using: &moments)
            let choice = Int.random(in: 0..<1_000, using: &moments)
            server.update { state in
                // What rules started is left alone.
                let ids = state.sessions.all.filter { $0.status != .archived && $0.title != "helps" }.map(\.id)
                guard !ids.isEmpty else { return }
                let id = ids[choice % ids.count]
                state.edit(id) { session in
                    session.turn = nil
                    session.status = rests < 5 ? .needsInput : rests < 8 ? .running : .failed
                    // It never ran, so it can be started.
                    if session.title == "waits", session.status == .running {
                        session.status = .waiting
                        session.runtimeSessionID = nil
                    }
                }
                // The trash fills up; others take their place.
                let ending = state.sessions.ids.count {
                    state.sessions[$0]?.title == "ends" && state.sessions[$0]?.status != .archived
                }
                if ending < Self.sessionsPerTitle { state.addSession(title: "ends", status: .running) }
            }
        }
    }

    /// Somebody writes to a session, and a line into its notes.
    mutating func speak(on server: DemoServer) {
        guard Int.random(in: 0..<4, using: &moments) == 0 else { return }
        let choice = Int.random(in: 0..<1_000, using: &moments)
        said += 1
        server.update { [said] state in
            let ids = state.sessions.all.filter { $0.status != .archived && $0.title != "helps" }.map(\.id)
            guard !ids.isEmpty else { return }
            state.edit(ids[choice % ids.count]) { session, now in
                session.conversation.append(
                    ConversationMessage(role: "user", content: "A person, \(said).", timestamp: now))
                session.notes = [session.notes, "A person wrote \(said)."].compactMap(\.self).joined(separator: "\n")
            }
        }
    }

    /// Every session goes on, so that everything that began comes to its end; those that are stopped when they do rest.
    static func end(on server: DemoServer) {
        server.update { state in
            for id in state.sessions.ids where state.sessions[id]?.status != .archived {
                state.edit(id) { session in
                    session.turn = nil
                    session.status = session.title == "stops" ? .needsInput : .running
                }
            }
        }
    }
}
