import Rules
import Testing

@testable import BotCore

/// What the rules do in a test is what the daemon would do.
@Suite struct ScenarioRunTests {
    private static let failed = """
          - name: failed
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: "{{ session.title }} failed"}]
            resolved: [{post: ops, text: "{{ session.title }} is {{ session.status }}"}]

        """

    @Test func `what a step says is read at once, between the polls too`() {
        let outcome = Play.steps(
            """
              - at: 10s
                sessions: [{id: 7, status: failed}]
                expect: [{rule: failed, post: ops, kind: firing, text: Session 7 failed, session: 7}]
              - at: 25s
                sessions: [{id: 7, status: running, title: Fix login}]
                expect: [{rule: failed, post: ops, kind: resolved, text: Fix login is running}]
            """, rules: Self.failed)
        #expect(outcome.problems == [])
    }

    @Test func `a session is put together from all steps`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, title: Fix login, pr: {url: "https://github.com/a/b/pull/3", ci: pending}}]
              - at: 1m
                sessions: [{id: 7, pr: {ci: fail}}, {id: 8}]
                expect: [{post: ops, text: "Fix login: a/b 3 fail open, 1 in all"}]
              - at: 2m
                sessions: [{id: 7, pr: {url: "https://github.com/a/b/pull/4", ci: fail}}]
                expect: [{post: ops, text: "Fix login: a/b 4 fail open, 2 in all"}]
              - at: 3m
                sessions: [{id: 7, pr: null}]
                expect: []
            """,
            rules: """
                  - name: red
                    watch: session
                    if: session.pr.ci == "fail"
                    key: session.pr.url
                    do:
                      - post: ops
                        text: "{{ session.title }}: {{ session.pr.repo }} {{ session.pr.number }} {{ session.pr.ci }}
                          {{ session.pr.state }}, {{ size(session.prs) }} in all"
                """)
        #expect(outcome.problems == [])
    }

    @Test(arguments: [("gone: [7]", "gone"), ("sessions: [{id: 7, status: archived}]", "archived")])
    func `a session leaves the board`(step: String, ending: String) {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{post: ops, kind: firing}]
              - at: 1m
                \(step)
                expect: [{post: ops, kind: resolved, text: \(ending)}]
            """,
            rules: """
                  - name: failed
                    watch: session
                    if: session.status == "failed"
                    do: [{post: ops, text: failed}]
                    resolved: [{post: ops, text: "{{ episode.ended }}"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `Zimmer that cannot be reached fails every reader until it can`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{rule: failed, post: ops}]
              - at: 1m
                zimmer: {reachable: false}
                expect:
                  - {rule: away, post: ops, text: Zimmer cannot be reached}
                  - {rule: failed, cannot_tell: cannot be reached}
              - at: 2m
                sessions: [{id: 7, status: running}]
                expect: []
              - at: 3m
                zimmer: {reachable: true}
                expect: [{rule: failed, post: ops, kind: resolved}]
            """,
            rules: Self.failed + """
                  - name: away
                    watch: zimmer
                    if: "!zimmer.reachable"
                    do: [{post: ops, text: "{{ zimmer.error }}"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `a channel that is down is seen`() {
        let outcome = Play.steps(
            """
              - at: 0m
                expect: []
              - at: 1m
                channels: [{name: pager, state: down, error: no route}]
                expect: [{post: ops, text: "pager: no route"}]
            """,
            rules: """
                  - name: down
                    watch: channel
                    if: channel.state == "down"
                    do: [{post: ops, text: "{{ channel.name }}: {{ channel.error }}"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `sections in trouble are problems`() {
        let outcome = Play.steps(
            """
              - at: 0m
                health: {egress_health: {status: {status: critical, message: no DNS}}}
                expect: [{post: ops, text: "egress_health: no DNS"}]
              - at: 1m
                health: {egress_health: {status: {status: healthy}}}
              - at: 10m
                health: {auth_health: {status: {status: warning}}}
                expect: [{post: ops, text: "auth_health:"}]
            """,
            rules: """
                  - name: trouble
                    watch: health
                    if: size(health.problems) > 0
                    do: [{post: ops, text: "{{ health.problems[0].section }}: {{ health.problems[0].message }}"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `what belongs to a session shows it, until it is gone`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, title: Fix login}]
                notifications: [{id: 3, session_id: 7, notification_type: session_failed}]
                expect: [{rule: news, post: ops, text: session_failed of Fix login, notification: 3}]
              - at: 1m
                fail: [inbox]
                expect: [{rule: news, cannot_tell: failed}]
              - at: 10m
                gone: {notifications: [3]}
                works: inbox
                expect: [{rule: news, post: ops, kind: resolved}]
            """,
            rules: """
                  - name: news
                    watch: notification
                    if: "!notification.read"
                    do: [{post: ops, text: "{{ notification.notification_type }} of {{ notification.session.title }}"}]
                    resolved: [{post: ops, text: "{{ notification.id }} is over"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `a list is put together from all steps, too`() {
        let outcome = Play.steps(
            """
              - at: 0m
                triggers: [{id: 4, last_error: no such branch}, {id: 5}]
                expect: []
              - at: 1m
                triggers: [{id: 4, status: failed}]
                expect: [{post: ops, text: "Trigger 4: no such branch https://zimmer.example.com/triggers/4"}]
            """,
            rules: """
                  - name: broken
                    watch: trigger
                    if: trigger.status == "failed"
                    do: [{post: ops, text: "{{ trigger.name }}: {{ trigger.last_error }} {{ trigger.url }}"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `tools that are not signed in follow from the tools`() {
        let outcome = Play.steps(
            """
              - at: 0m
                expect: []
              - at: 1m
                clis: {tools: {gh: {authenticated: false, auth_method: token}, jq: {}}}
                expect: [{post: ops, text: "gh by token"}]
            """,
            rules: """
                  - name: tools
                    watch: clis
                    if: size(clis.unauthenticated) > 0
                    do: [{post: ops, text: "{{ clis.unauthenticated }} by {{ clis.tools['gh'].auth_method }}"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `what is read of a session by itself is given like the rest`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, last_message: All done., children: [8, 9]}]
                expect: [{post: ops, text: "2: All done."}]
            """,
            rules: """
                  - name: done
                    watch: session
                    if: session.last_message.contains("done")
                    do: [{post: ops, text: "{{ size(session.children) }}: {{ session.last_message }}"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `costs are those of every window until others are given`() {
        let outcome = Play.steps(
            """
              - at: 0m
                costs: {totals: {cost_usd: 5}}
                expect: []
              - at: 1m
                costs: {totals: {cost_usd: 12.5}}
                expect: [{post: ops, text: "$12.50 since 2026-10-09 00:00"}]
              - at: 2m
                fail: [costs]
                expect: [{rule: dear, cannot_tell: failed}]
            """,
            rules: """
                  - name: dear
                    watch: costs
                    if: costs.totals.cost_usd > 10.0
                    do: [{post: ops, text: "{{ usd(costs.totals.cost_usd) }} since {{ date(costs.from, 'yyyy-MM-dd HH:mm') }}"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `a restart keeps timers, and time while the bot is down does not count`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
              - at: 6m
                restart: {down: 1h}
                expect: []
              - at: 1h9m30s
                expect: []
              - at: 1h11m
                expect: [{rule: slow, post: ops}]
              - at: 1h12m
                restart: true
                expect: []
              - at: 2h
                expect: []
            """,
            rules: """
                  - name: slow
                    watch: session
                    if: session.status == "failed"
                    for: 10m
                    do: [{post: ops, text: failed}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `other rules come in force`() {
        let other = Self.failed.replacing("failed\"}", with: "has failed\"}").replacing(
            "name: failed", with: "name: other")
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{rule: failed, post: ops, text: Session 7 failed}]
              - at: 1m
                reload: other.yaml
                expect: [{rule: other, post: ops, text: Session 7 has failed}]
              - at: 2m
                expect: []
            """, rules: Self.failed, other: other)
        #expect(outcome.problems == [])
    }

    @Test func `rules that take no part do nothing`() {
        let text = """
            rules: rules.yaml
            start: 2026-10-09T12:00:00Z
            tests:
              - name: it
                only: other
                steps:
                  - at: 0m
                    sessions: [{id: 7, status: failed}]
                    expect: [{rule: other, post: ops}]
            """
        let rules = Self.failed + Self.failed.replacing("name: failed", with: "name: other")
        let file = Play.load(text, rules: rules).file
        #expect(file.map { Play.Outcome(ScenarioRun.run($0.tests[0], rules: $0.rules)).problems } == [])
    }

    @Test func `what is not listed and what does not happen are both told`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}, {id: 8, status: failed}]
                expect: [{post: ops, session: 8}, {post: ops, session: 9}]
            """, rules: Self.failed)
        #expect(outcome.problems.count == 2)
        #expect(outcome.problems[0] == "missing: {post: ops, session: 9}")
        #expect(outcome.problems[1].contains("Session 7 failed"))
    }

    @Test func `a general expectation leaves to a narrower one what that needs`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}, {id: 8, status: failed}, {id: 9, status: failed}]
                expect: [{post: ops}, {rule: failed, post: ops, text_contains: "9"}, {post: ops, text_contains: "7"}]
              - at: 1m
                sessions: [{id: 7, status: running}, {id: 8, status: running}, {id: 9, status: running}]
                expect: [{post: ops, kind: resolved, count: 3}]
            """, rules: Self.failed)
        #expect(outcome.problems == [])
    }

    @Test func `a step without 'expect' is not compared`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
              - at: 1m
                expect: []
            """, rules: Self.failed)
        #expect(outcome.problems == [])
    }
}
