import BotTestSupport
import DemoZimmer
import Testing

/// Steps that put a session into a state or write on it.
@Suite struct DayLabelTests {
    private static func simulation(
        _ step: String, _ configure: (inout Session) -> Void = { _ in }
    ) throws -> Simulation {
        let rule = """
              - name: act
                watch: session
                if: session.title != ""
                do: [{\(step)}]
            """
        let simulation = try Simulation(rule)
        simulation.server.update { $0.addSession(id: 7, title: "Sync the wiki", configure) }
        return simulation
    }

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func `the star is turned over only where it is not as wanted`(wanted: Bool, before: Bool) async throws {
        let simulation = try Self.simulation("favorite: \(wanted)") { $0.favorited = before }
        await simulation.pass(.minutes(5))
        #expect(simulation.server.state.sessions[7]?.favorited == wanted)
        #expect(simulation.writes.count == (wanted == before ? 0 : 1))
    }

    @Test func `a star that a person takes back is not fought over`() async throws {
        let simulation = try Self.simulation("favorite: true")
        await simulation.pass(.minutes(5))
        simulation.server.update { $0.edit(7) { $0.favorited = false } }
        await simulation.pass(.hours(1))
        #expect(simulation.writes.count == 1)
    }

    @Test func `what rules write to a session at the same poll is written in their order`() async throws {
        let words = ["one", "two", "three", "four", "five", "six"]
        let rules = words.map { word in
            """
              - name: \(word)
                watch: session
                if: session.title != ""
                do: [{note: {append: "\(word)"}}]
            """
        }
        let simulation = try Simulation(rules.joined(separator: "\n"))
        simulation.server.update { $0.addSession(id: 7, title: "Sync the wiki") }
        await simulation.pass(.minutes(5))
        #expect(simulation.server.state.sessions[7]?.notes == words.joined(separator: "\n"))
    }

    /// Changes what is said of a session when it is read by itself.
    private static func misread(_ text: String, as other: String, on server: DemoServer) {
        server.inject(
            .alter { response in
                let body = String(decoding: response.body, as: UTF8.self)
                response.body = Array(body.replacing(text, with: other).utf8)
            }, on: .session, times: nil)
    }

    @Test func `a star that somebody turns over at the same moment is said and left`() async throws {
        let simulation = try Self.simulation("favorite: true") { $0.favorited = true }
        // Read just before the other one's click.
        Self.misread(#""favorited":true"#, as: #""favorited":false"#, on: simulation.server)
        await simulation.pass(.hours(1))
        #expect(simulation.writes.count == 1)
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.contains("at the same moment") == true)
    }

    @Test func `a star of which nothing is known is not turned over`() async throws {
        let simulation = try Self.simulation("favorite: true") { $0.favorited = true }
        Self.misread(#""favorited":true"#, as: #""starred":true"#, on: simulation.server)
        await simulation.pass(.hours(1))
        #expect(simulation.writes.isEmpty)
    }

    @Test func `a star whose turning arrives late is not turned back`() async throws {
        let simulation = try Self.simulation("favorite: true")
        simulation.server.inject(.dropRequest, on: RequestPattern("POST"))
        await simulation.pass(.seconds(45))
        simulation.server.update { $0.edit(7) { $0.favorited = true } }
        await simulation.pass(.minutes(5))
        #expect(simulation.server.state.sessions[7]?.favorited == true)
        #expect(simulation.writes.count == 1)
        #expect(try simulation.trail("act").contains("done: act_1 favorite session 7: true: read back"))
    }

    @Test func `nothing is appended to notes that cannot be read`() async throws {
        let simulation = try Self.simulation(#"note: {append: "seen"}"#) { $0.notes = "before" }
        Self.misread(#""session_notes":"before""#, as: #""session_notes":["before"]"#, on: simulation.server)
        await simulation.pass(.hours(1))
        #expect(simulation.writes.isEmpty)
        simulation.server.clearFaults()
        await simulation.pass(.minutes(1))
        #expect(simulation.server.state.sessions[7]?.notes == "before\nseen")
    }

    @Test func `what several subjects write to one session is written one after the other`() async throws {
        let rule = """
              - name: act
                watch: session
                if: session.id != 7
                do:
                  - {note: {append: "{{ session.title }}"}, session: 7}
                  - {favorite: true, session: 7}
            """
        let simulation = try Simulation(rule)
        simulation.server.update { state in
            for id in 1...8 { state.addSession(id: id, title: "Session \(id)") }
        }
        await simulation.pass(.minutes(5))
        let session = try #require(simulation.server.state.sessions[7])
        let lines = (session.notes ?? "").split(separator: "\n").map(String.init)
        #expect(lines.sorted() == [1, 2, 3, 4, 5, 6, 8].map { "Session \($0)" })
        #expect(session.favorited)
        #expect(simulation.writes.count == 8)
    }

    @Test(arguments: [(nil, "seen"), ("", "seen"), ("before", "before\nseen"), ("seen", "seen\nseen")])
    func `a note is appended to what is there`(before: String?, after: String) async throws {
        let simulation = try Self.simulation(#"note: {append: "seen"}"#) { $0.notes = before }
        await simulation.pass(.minutes(5))
        #expect(simulation.server.state.sessions[7]?.notes == after)
        #expect(simulation.writes.count == 1)
    }

    @Test func `a line for the log carries our mark`() async throws {
        let simulation = try Self.simulation(#"log: {text: "seen {{ session.id }}", level: info}"#)
        await simulation.pass(.minutes(5))
        let lines = simulation.server.state.logs.filter { $0.sessionID == 7 }.map(\.content)
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("[zimmer-bot ") == true)
        #expect(lines.first?.hasSuffix("] seen 7") == true)
    }

    @Test func `hide and show change what boards draw and nothing else`() async throws {
        let hiding = try Self.simulation("hide: ")
        await hiding.pass(.minutes(5))
        #expect(hiding.server.state.sessions[7]?.visibility == .hidden)
        let showing = try Self.simulation("show: ") { $0.visibility = .hidden }
        await showing.pass(.minutes(5))
        #expect(showing.server.state.sessions[7]?.visibility == .visible)
        #expect(hiding.writes + showing.writes == ["PATCH sessions/7/visibility", "PATCH sessions/7/visibility"])
    }

    @Test(arguments: Session.Status.allCases)
    func `only a session that rests or failed is archived`(status: Session.Status) async throws {
        let simulation = try Self.simulation("archive: ") { $0.status = status }
        await simulation.pass(.minutes(10))
        let mayBe = status == .needsInput || status == .failed
        #expect(simulation.writes == (mayBe ? ["POST sessions/7/archive"] : []))
        #expect((simulation.server.state.sessions[7]?.status == .archived) == (mayBe || status == .archived))
    }
}
