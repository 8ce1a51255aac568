import BotTestSupport
import DemoZimmer
import Rules
import Testing

/// A person's word that a pull request may be merged, from the rule to Zimmer, under that person's sign-in.
@Suite struct MergeApprovalTests {
    private static let pat = "@pat:example.org"
    private static let rules = """
        zimmer:
          url: http://127.0.0.1
          api_key: {env: ZIMMER_API_KEY}
          sign_in: {client: zimmer-ios, person: "@pat:example.org"}
          poll: {board: 30s, health: 30s}
        channels: {ops: {adapter: recording}}
        notices: {channels: [ops]}
        rules:
          - name: merge
            watch: session
            if: session.status == "needs_input"
            do:
              - authorize_merge:
                confirm: {in: ops, by: ["@ann:example.org", "@pat:example.org"], within: 10m}
              - {post: ops, text: authorized}
        """

    private func simulation(signedIn: Bool = true, actsForPerson: Bool = true) async throws -> Simulation {
        let simulation = try Simulation(file: Self.rules, on: DemoServer())
        simulation.server.update { state in
            state.addSession(id: 8, title: "Fix login") { session in
                session.pullRequests = [PullRequest(url: "https://github.com/acme/web/pull/7", state: .open, ci: .pass)]
            }
        }
        if signedIn { try await simulation.signIn(actsForPerson: actsForPerson) }
        await simulation.pass(.minutes(2))
        return simulation
    }

    private func approve(_ simulation: Simulation, by person: String) throws {
        try simulation.approve(WriteRequest("authorize_merge", to: .session(8), kind: .authorizeMerge), by: person)
    }

    private func authorized(_ simulation: Simulation) -> [String] {
        simulation.server.state.sessions[8]?.humanMessages.map(\.author) ?? []
    }

    @Test func `the word of the person who signed in is passed on, once, as theirs`() async throws {
        let simulation = try await simulation()
        #expect(simulation.server.received(.authorizeMerge).isEmpty)
        try approve(simulation, by: Self.pat)
        await simulation.pass(.minutes(5))
        #expect(authorized(simulation) == ["Pat"])
        #expect(simulation.posts.contains("ops: authorized"))
        let calls = simulation.server.received(.authorizeMerge)
        #expect(calls.count == 1)
        #expect(calls[0].request.header("x-api-key") == nil)
    }

    @Test(arguments: [Fault.Effect.loseAnswer, .dropRequest])
    func `a lost answer is settled, and nobody's word goes out twice`(effect: Fault.Effect) async throws {
        let simulation = try await simulation()
        simulation.server.inject(effect, on: .authorizeMerge)
        try approve(simulation, by: Self.pat)
        await simulation.pass(.minutes(9))
        #expect(authorized(simulation) == ["Pat"])
        #expect(simulation.posts.contains("ops: authorized"))
    }

    /// The last looks like the person who signed in, and is another.
    @Test(arguments: ["@ann:example.org", "@eve:example.org", "@pat:example.org "])
    func `the word of another does not count, though the rule names them`(person: String) async throws {
        let simulation = try await simulation()
        try approve(simulation, by: person)
        await simulation.pass(.minutes(15))
        #expect(simulation.server.received(.authorizeMerge).isEmpty)
        #expect(try simulation.trail("merge").contains { $0.contains("does not count for this") })
    }

    @Test func `without a sign-in the word is not passed on, and it is said what to do`() async throws {
        let simulation = try await simulation(signedIn: false)
        #expect(simulation.notices.count { $0.contains("nobody has signed in to Zimmer") } == 1)
        try approve(simulation, by: Self.pat)
        await simulation.pass(.minutes(5))
        #expect(simulation.server.received(.authorizeMerge).isEmpty)
        #expect(try simulation.trail("merge").contains { $0.contains("zimmer-bot login") })
    }

    @Test func `a sign-in that only relays is refused by Zimmer, and stays`() async throws {
        let simulation = try await simulation(actsForPerson: false)
        try approve(simulation, by: Self.pat)
        await simulation.pass(.minutes(5))
        #expect(authorized(simulation).isEmpty)
        #expect(try simulation.trail("merge").contains { $0.contains("the sign-in is relay only") })
        #expect(simulation.server.state.oauth.connections.map(\.isRevoked) == [false])
    }
}
