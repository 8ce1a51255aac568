import CEL
import Rules
import Testing

@testable import BotCore

/// What people ask of the bot in a test.
@Suite struct ScenarioWishTests {
    private static func failed(_ more: String = "") -> String {
        """
          - name: failed
            watch: session
            if: session.status == "failed"
            \(more)
            do: [{post: ops, text: failed}, {wait: 15m}, {post: pager, text: still}]
            resolved: [{post: ops, text: over}]

        """
    }

    @Test func `a paused rule says nothing until it is resumed, over a restart too`() {
        let outcome = Play.steps(
            """
              - at: 0m
                pause: failed
                sessions: [{id: 7, status: failed}]
                expect: []
              - at: 1h
                restart: true
              - at: 2h
                expect: []
              - at: 3h
                resume: failed
                expect: [{rule: failed, post: ops}]
            """, rules: Self.failed())
        #expect(outcome.problems == [])
    }

    @Test func `a pause has an end`() {
        let outcome = Play.steps(
            """
              - at: 0m
                pause: {rule: failed, for: 5m}
                sessions: [{id: 7, status: failed}]
              - at: 4m
                expect: []
              - at: 5m
                expect: [{rule: failed, post: ops}]
            """, rules: Self.failed())
        #expect(outcome.problems == [])
    }

    @Test func `a paused rule does not write what it has begun`() {
        let outcome = Play.steps(
            """
              - at: 0m
                writes: unavailable
                sessions: [{id: 7, status: failed}]
                expect: [{rule: note, retrying: note session 7}]
              - at: 10s
                pause: note
                writes: done
              - at: 1h
                expect: [{rule: note, held: pause}]
              - at: 2h
                resume: note
                expect: [{rule: note, note: 7}]
            """,
            rules: """
                  - name: note
                    watch: session
                    if: session.status == "failed"
                    do: [{note: {append: failed}}]
                """)
        #expect(outcome.problems == [])
    }

    @Test(arguments: ["failed", "{rule: failed, session: 7}", "true", "[{rule: failed, session: 7}]"])
    func `what somebody has in hand calls nobody else, and still is resolved`(ack: String) {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{post: ops}]
              - at: 5m
                ack: \(ack)
                expect: [{rule: failed, withdrawn: acknowledged by a person}]
              - at: 20m
                expect: []
              - at: 21m
                sessions: [{id: 7, status: running}]
                expect: [{post: ops, kind: resolved}]
            """, rules: Self.failed())
        #expect(outcome.problems == [])
    }

    @Test func `others than the one in hand are still called for`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}, {id: 8, status: failed}]
                expect: [{post: ops, count: 2}]
              - at: 5m
                ack: {rule: failed, session: 7}
              - at: 20m
                expect: [{post: pager, session: 8}]
            """, rules: Self.failed())
        #expect(outcome.problems == [])
    }

    @Test func `a rule runs when it is asked to`() {
        let outcome = Play.steps(
            """
              - at: 1m
                sessions: [{id: 7, status: failed}]
                run-rule: report
                expect: [{rule: report, post: ops}, {rule: failed, post: ops}]
              - at: 2m
                run-rule: failed
                expect: [{rule: failed, declined: not done}]
              - at: 20m
                expect: [{post: pager}]
              - at: 21m
                run-rule: failed
                expect: [{rule: failed, post: ops, kind: repeat, session: 7}]
            """,
            rules: Self.failed() + """
                  - name: report
                    schedule: "0 9 * * *"
                    do: [{post: ops, text: "{{ board.size() }} sessions"}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `while the bot is muted only what is urgent goes; the rest goes as one at the end`() {
        let urgent = """
              - name: urgent
                watch: session
                if: session.status == "failed"
                do: [{post: pager, urgency: high, text: urgent}]
            """
        let outcome = Play.steps(
            """
              - at: 0m
                mute: 1h
                sessions: [{id: 7, status: failed}]
                expect: [{rule: urgent, post: pager}, {rule: failed, held: quiet}]
              - at: 1m
                sessions: [{id: 8, status: failed}]
                expect: [{rule: urgent, post: pager}, {rule: failed, held: quiet}]
              - at: 59m
                restart: true
                expect: [{rule: failed, held: quiet, count: 2}]
              - at: 1h
                expect:
                  - {post: ops, kind: digest, title_contains: 2 messages}
                  - {post: pager, kind: digest, title_contains: 2 messages}
            """, rules: Self.failed() + urgent)
        #expect(outcome.problems == [])
    }

    @Test func `the end of a mute lets go what waits, and groups wait with the rest`() {
        let outcome = Play.steps(
            """
              - at: 0m
                mute: 1h
                sessions: [{id: 7, status: failed}]
                expect: [{rule: failed, held: group}]
              - at: 5m
                expect: []
              - at: 10m
                mute: 0s
                expect: [{post: ops, text: failed}]
            """, rules: Self.failed("group: {by: \"'all'\", wait: 30s}"))
        #expect(outcome.problems == [])
    }

    @Test func `quiet hours outlast a mute that ends in them`() {
        let outcome = Play.steps(
            """
              - at: 0m
                mute: 30m
                sessions: [{id: 7, status: failed}]
                expect: [{rule: failed, held: quiet}]
              - at: 5m
                mute: 0s
                expect: []
              - at: 1h
                expect: [{post: ops, kind: firing}, {post: pager}]
            """, rules: Self.failed("quiet: \"08:00-13:00\""))
        #expect(outcome.problems == [])
    }

    @Test func `what is asked of a bot that is down is done when it is back`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{post: ops}]
              - at: 1m
                restart: {down: 1h}
              - at: 10m
                pause: failed
                expect: []
              - at: 3h
                expect: []
            """, rules: Self.failed())
        #expect(outcome.problems == [])
        #expect(outcome.trace.contains("1h1m paused"))
    }

    @Test(arguments: [
        ("resume: failed", "is not paused"), ("ack: failed", "nothing is active there"),
        ("run-rule: failed", "is active for nothing"), ("release: failed", "does not wait for a release"),
        ("approve: failed", "nothing waits for an answer there"),
        ("{pause: failed, run-rule: failed}", "is paused: resume it first"),
    ])
    func `a wish that cannot be granted has to be expected`(wish: String, answer: String) {
        func play(_ expected: String) -> [String] {
            let keys = wish.trimmed(of: "{}").replacing(", ", with: "\n    ")
            let steps = "  - at: 1m\n    \(keys)\n    expect: [\(expected)]"
            return Play.steps(steps, rules: Self.failed()).problems
        }
        #expect(play("{rule: failed, declined: '\(answer)'}") == [])
        #expect(play("").count == 1)
    }
}

extension Play.Outcome {
    /// When something was asked for or noted, with its word.
    var trace: [String] {
        happenings.compactMap { happening -> String? in
            guard let start else { return nil }
            if case .wish(let word, _) = happening.what { return "\((happening.at - start).compact) \(word)" }
            return nil
        }
    }
}

extension String {
    fileprivate func trimmed(of characters: String) -> String {
        String(drop { characters.contains($0) }.reversed().drop { characters.contains($0) }.reversed())
    }
}
