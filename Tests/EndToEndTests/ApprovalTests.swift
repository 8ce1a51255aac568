import BotTestSupport
import CEL
import DemoZimmer
import Rules
import Testing

/// Steps that wait for a person's word. Until chat brings one, only a row in the store says yes.
@Suite struct ApprovalTests {
    private static let rule = """
        watch: elicitation
        do:
          - answer: {accept: {name: "bucket-{{ elicitation.session_id }}"}}
            confirm: {in: ops, by: [ann, bob, "jos\u{E9}"], within: 10m}
          - {post: ops, text: answered}
        """

    private static func simulation() async throws -> Simulation {
        let simulation = try Simulation(
            "  - name: it\n" + rule.indented(by: 4), polls: "{board: 30s, elicitations: 30s}")
        simulation.server.update { state in
            state.addSession(id: 8, title: "Rename it", status: .running)
            state.apply(.asks(session: 8, "Rename it?", tool: "rename_bucket"))
        }
        await simulation.pass(.minutes(2))
        return simulation
    }

    private func approve(
        _ simulation: Simulation, by person: String, to target: WriteTarget? = nil, usedAt: Timestamp? = nil
    ) throws {
        let question = try #require(simulation.server.state.elicitations.first)
        let request = WriteRequest(
            "answer", to: target ?? .elicitation(Int64(question.id)),
            kind: .answer("accept", content: [WireMember("name", .text("bucket-8"))]))
        try simulation.approve(request, by: person, usedAt: usedAt)
    }

    @Test func `without a word nothing is sent, and the run says what it waits for`() async throws {
        let simulation = try await Self.simulation()
        #expect(simulation.writes.isEmpty)
        await simulation.pass(.minutes(20))
        #expect(simulation.writes.isEmpty)
        #expect(try simulation.trail("it").contains { $0.contains("nobody confirmed it within 10 min") })
    }

    @Test func `with the word of one who may, it is sent as they saw it, once`() async throws {
        let simulation = try await Self.simulation()
        try approve(simulation, by: "bob")
        await simulation.pass(.minutes(10))
        #expect(simulation.writes.count == 1)
        #expect(simulation.posts == ["ops: answered"])
        #expect(simulation.server.state.elicitations[0].content["name"]?.text == "bucket-8")
    }

    @Test func `a second answer after a lost one is unknown, not a success`() async throws {
        let simulation = try await Self.simulation()
        simulation.server.inject(.loseAnswer, on: .init("PATCH"))
        try approve(simulation, by: "bob")
        await simulation.pass(.minutes(10))
        #expect(simulation.posts.isEmpty)
        #expect(simulation.server.state.elicitations[0].content["name"]?.text == "bucket-8")
    }

    @Test func `the word of somebody else, about something else or used before does not count`() async throws {
        for (person, target, usedAt) in [
            // The second looks like one of those that the rule names, and is another account.
            ("eve", nil, nil), ("jose\u{301}", nil, nil), ("ann", WriteTarget.elicitation(999), nil),
            ("ann", nil, Timestamp(seconds: 1)),
        ] as [(String, WriteTarget?, Timestamp?)] {
            let simulation = try await Self.simulation()
            try approve(simulation, by: person, to: target, usedAt: usedAt)
            await simulation.pass(.minutes(10))
            #expect(simulation.writes.isEmpty)
            #expect(try simulation.trail("it").contains { $0.hasPrefix("withdrawn") })
        }
    }
}
