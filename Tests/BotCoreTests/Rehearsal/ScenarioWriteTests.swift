import Testing

@testable import BotCore

/// Writes that do not work out at once.
@Suite struct ScenarioWriteTests {
    private static func rule(_ steps: String) -> String {
        """
          - name: it
            watch: session
            if: session.status == "needs_input"
            do: [\(steps)]
            resolved: [{post: ops, text: over}]

        """
    }

    private static let ask = rule("{follow_up: {prompt: Go on.}}, {post: ops, text: asked}")
    private static let snooze = rule("{snooze: {for: 7d}}, {post: ops, text: slept}")

    @Test func `a refused write ends the run, and is noticed`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: {follow_up: refused}
                sessions: [{id: 7, status: needs_input}]
                expect:
                  - {rule: it, refused: "Zimmer answered 422", session: 7}
                  - {notice: "Rule it: follow_up for session 7 was refused"}
              - at: 1m
                sessions: [{id: 7, status: running}]
                expect: [{rule: it, post: ops, kind: resolved, text: over}]
            """, rules: Self.ask)
        #expect(outcome.problems == [])
    }

    @Test func `a refusal has to be expected`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: refused
                sessions: [{id: 7, status: needs_input}]
                expect: []
            """, rules: Self.ask)
        #expect(outcome.problems.count == 1)
    }

    @Test func `a chain goes on after a step with 'on_error: continue', with no result`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: {favorite: refused}
                sessions: [{id: 7, status: needs_input, favorited: false}]
                expect: [{rule: it, refused: favorite}, {post: ops, text: none}]
            """,
            rules: Self.rule(
                "{favorite: true, on_error: continue}, {post: ops, text: '{{ result == null ? \"none\" : \"one\" }}'}"))
        #expect(outcome.problems == [])
    }

    @Test func `what is refused because it is so already was done`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: refused
                sessions: [{id: 7, status: needs_input, visibility: hidden}]
                expect: [{rule: it, hide: 7}]
            """, rules: Self.rule("hide"))
        #expect(outcome.problems == [])
    }

    @Test func `a write that cannot be done just now is tried again until it can`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: unavailable
                sessions: [{id: 7, status: needs_input}]
                expect: [{rule: it, retrying: "Zimmer answered 503"}]
              - at: 2h
                writes: done
                expect: []
              - at: 2h5m
                expect: [{rule: it, follow_up: 7}, {post: ops, text: asked}]
            """, rules: Self.ask)
        #expect(outcome.problems == [])
    }

    @Test func `it is not tried any more when it is not wanted any more`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: unavailable
                sessions: [{id: 7, status: needs_input}]
              - at: 1h
                sessions: [{id: 7, status: running}]
                writes: done
                expect: [{rule: it, withdrawn: the episode ended}, {rule: it, post: ops, kind: resolved}]
              - at: 2h
                expect: []
            """, rules: Self.ask)
        #expect(outcome.problems == [])
    }

    @Test func `it is tried for a day`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: unavailable
                sessions: [{id: 7, status: needs_input}]
              - at: 24h
                expect: []
              - at: 24h10m
                expect: [{rule: it, gave_up: "Zimmer answered 503", session: 7}]
              - at: 26h
                writes: done
                expect: []
            """, rules: Self.ask)
        #expect(outcome.problems == [])
    }

    @Test func `attempts that had no effect use up no limit`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: unavailable
                sessions: [{id: 7, status: needs_input}]
              - at: 1h
                writes: done
              - at: 1h10m
                expect: [{snooze: 7}, {post: ops}]
            """, rules: Self.snooze,
            head: "zimmer: {url: \"https://z.example.com\", api_key: {env: KEY}, limit: {per_hour: 1}}\n")
        #expect(outcome.problems == [])
    }

    @Test func `a text of which nothing is found is never sent again, and noticed`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: lost
                sessions: [{id: 7, status: needs_input}]
                expect: []
              - at: 1m
                expect: [{rule: it, unknown: follow_up session 7, session: 7}]
              - at: 90s
                writes: done
                expect: [{notice: is not repeated}]
              - at: 2h
                expect: []
            """, rules: Self.ask)
        #expect(outcome.problems == [])
    }

    @Test func `a text that is found was sent`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: {follow_up: found}
                sessions: [{id: 7, status: needs_input}]
                expect: [{rule: it, follow_up: 7}, {post: ops, text: asked}]
            """, rules: Self.ask)
        #expect(outcome.problems == [])
    }

    @Test func `a text may be found later, after a restart too, and though it ended the episode`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: lost
                sessions: [{id: 7, status: needs_input}]
              - at: 10s
                sessions: [{id: 7, status: running}]
                restart: true
                expect: [{post: ops, kind: resolved}]
              - at: 20s
                writes: found
              - at: 40s
                expect: [{rule: it, follow_up: 7}, {post: ops, text: asked}]
            """, rules: Self.ask)
        #expect(outcome.problems == [])
    }

    @Test func `while Zimmer cannot be read, what became of a text is looked for longer`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: lost
                sessions: [{id: 7, status: needs_input}]
              - at: 10s
                zimmer: {reachable: false}
              - at: 50m
                expect: []
              - at: 61m
                expect: [{rule: it, unknown: follow_up}]
            """, rules: Self.ask)
        #expect(outcome.problems == [])
    }

    @Test func `a state whose answer is lost is asked for again, unless it is so by then`() {
        let lost = """
              - at: 0m
                writes: lost
                sessions: [{id: 7, status: needs_input}]
                expect: []

            """
        let rule = Self.rule("hide, {post: ops, text: away}")
        let found = """
              - at: 30s
                sessions: [{id: 7, visibility: hidden}]
                expect: [{rule: it, hide: 7}, {post: ops, text: away}]
            """
        #expect(Play.steps(lost + found, rules: rule).problems == [])
        // It may still be on its way for a minute.
        let again = """
              - at: 59s
                expect: []
              - at: 61s
                writes: done
                expect: [{rule: it, retrying: it had no effect}, {rule: it, hide: 7}, {post: ops, text: away}]
            """
        #expect(Play.steps(lost + again, rules: rule).problems == [])
    }

    @Test func `what waits for the end of a call is written after it, in order`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: {follow_up: lost}
                sessions: [{id: 7, status: needs_input}]
                expect: []
              - at: 59s
                expect: []
              - at: 1m
                expect: [{rule: it, unknown: follow_up}, {rule: second, note: 7}]
            """,
            rules: Self.ask + """
                  - name: second
                    watch: session
                    if: session.status == "needs_input"
                    do: [{note: {append: asked}}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `a step that is passed over is told`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: needs_input}]
                expect: [{rule: it, skipped: step 1, session: 7}, {post: ops}]
            """, rules: Self.rule("{hide: , if: session.favorited == true}, {post: ops, text: x}"))
        #expect(outcome.problems == [])
    }

    @Test func `a step is expected by what it is to, and 'true' where that is Zimmer as a whole`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: needs_input}]
                triggers: [{id: 3, name: Nightly, status: enabled}]
                expect:
                  - {rule: it, set: 7, title: Better, precedence: 5}
                  - {rule: it, heartbeat: 7, enabled: true, interval: 5m}
                  - {rule: it, model: 7, value: opus}
                  - {rule: it, start: true, prompt_contains: session 7, agent_root: web}
                  - {rule: it, trigger: 3, enabled: false}
                  - {rule: it, push: 7, message_contains: Look}
                  - {rule: it, enter_recovery: true, reason: Too much, ttl: 30m}
              - at: 1m
                sessions: [{id: 7, status: running}]
                expect: [{rule: it, post: ops, kind: resolved, text: over}]
            """,
            rules: Self.rule(
                """
                {set: {title: Better, precedence: 5}}, {heartbeat: {enabled: true, interval: 5m}}, {model: opus},
                    {start: {agent_root: web, prompt: "Look at session {{ session.id }}"}},
                    {trigger: {id: 3, enabled: false}}, {push: {message: Look at it}},
                    {enter_recovery: {reason: Too much, ttl: 30m}}
                """))
        #expect(outcome.problems == [])
    }

    @Test func `a step to something that is not there is withdrawn`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: needs_input}]
                triggers: []
                expect: [{rule: it, withdrawn: trigger}]
            """, rules: Self.rule("{trigger: {id: 3, enabled: false}}"))
        #expect(outcome.problems == [])
    }
}
