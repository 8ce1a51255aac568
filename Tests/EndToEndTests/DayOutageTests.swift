import BotTestSupport
import DemoZimmer
import Testing

/// Rules that watch Zimmer itself, and what the bot says, in every state that Zimmer can be in.
@Suite struct DayOutageTests {
    private static let rules = """
          - name: standing
            watch: zimmer
            if: "true"
            key: string(zimmer.reachable) + " " + zimmer.sign_in
            do: [{post: pager, text: "{{ zimmer.reachable }} {{ zimmer.sign_in }} {{ has(zimmer.error) }}"}]
          - name: stale
            watch: zimmer
            if: zimmer.stale_for > duration("5m")
            do: [{post: pager, text: "stale since {{ zimmer.last_read_at }}"}]
            resolved: [{post: pager, text: fresh}]
        """

    struct Trouble: Sendable, CustomTestStringConvertible {
        var name: String
        var effect: Fault.Effect
        /// As the first rule says it.
        var standing: String
        /// How the notice begins.
        var notice: String
        var testDescription: String { name }
    }

    static let troubles = [
        Trouble(
            name: "nobody there", effect: .dropRequest, standing: "false ok true", notice: "Zimmer cannot be reached: "),
        Trouble(
            name: "a proxy with nothing behind it", effect: .answer(.badGateway), standing: "false ok true",
            notice: "Zimmer cannot be reached: what stands before Zimmer answered 502"),
        Trouble(
            name: "a database that is away", effect: .answer(.databaseBusy), standing: "",
            notice: "Zimmer cannot do its work: "),
        Trouble(
            name: "a key that is not accepted",
            effect: .answer(.refusal(401, "Unauthorized", "Invalid or missing API key")),
            standing: "true expired true",
            notice: "Zimmer does not accept the API key: Invalid or missing API key. Give the bot a new API key"
                + " (in Zimmer: Settings → API keys): set ZIMMER_API_KEY"),
        Trouble(
            name: "a gate", effect: .answer(.edgeRedirect), standing: "false edge_refused true",
            notice: "The gate in front of Zimmer refused the request"),
        Trouble(
            name: "a tunnel", effect: .answer(.tunnelNotFound), standing: "false ok true",
            notice: "The tunnel in front of Zimmer does not route this path"),
    ]

    @Test(arguments: troubles)
    func `values, notice and end are right`(trouble: Trouble) async throws {
        let simulation = try Simulation(Self.rules)
        await simulation.pass(.minutes(2))
        #expect(simulation.posts == ["pager: true ok false"])
        simulation.server.inject(trouble.effect, times: nil)
        await simulation.pass(.minutes(30))
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.hasPrefix("ops: \(trouble.notice)") == true, "\(simulation.notices)")
        let seen = simulation.posts.dropFirst()
        if !trouble.standing.isEmpty { #expect(seen.first == "pager: \(trouble.standing)") }
        #expect(seen.last?.hasPrefix("pager: stale since 2026-10-09T11:0") == true)
        try simulation.restart(after: .minutes(1))
        await simulation.pass(.minutes(5))
        #expect(simulation.notices.count == 1)
        simulation.server.clearFaults()
        await simulation.pass(.minutes(30))
        #expect(simulation.notices.count == 2)
        #expect(simulation.notices.last?.hasPrefix("ops: Zimmer can be read again. It was away for ") == true)
        #expect(simulation.posts.last == "pager: fresh" || simulation.posts.last == "pager: true ok false")
    }

    @Test func `a reader that fails alone is no outage`() async throws {
        let simulation = try Simulation(
            Self.rules + """

                  - name: recovery
                    watch: health
                    if: health.queue_recovery_mode.active
                    do: [{post: ops, text: recovery}]
                """)
        await simulation.pass(.minutes(3))
        simulation.server.inject(.answer(.gatewayTimeout), on: .health, times: nil)
        await simulation.pass(.hours(1))
        // Seen as an outage at most until somebody else is answered.
        #expect(simulation.notices.count == 1)
        #expect(simulation.notices.first?.contains("Nothing can be decided about 'health'") == true)
        #expect(!simulation.posts.contains { $0.contains("stale") })
    }
}
