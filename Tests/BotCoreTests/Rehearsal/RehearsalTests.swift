import AdapterKit
import CEL
import Rules
import Testing

@testable import BotCore

/// What becomes of messages and writes in a rehearsal.
@Suite struct RehearsalTests {
    private static let snooze = """
          - name: snooze
            watch: session
            if: session.status == "needs_input" && session.visibility == "visible"
            do: [{snooze: {for: 7d}}, {post: ops, text: "snoozed {{ session.id }}"}]

        """

    // MARK: - Writes

    @Test func `a write is done at once, and what follows it goes on`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: needs_input}]
                expect: [{rule: snooze, snooze: 7, for: 7d, until: "2026-10-16T12:00:00Z"}, {post: ops, text: snoozed 7}]
              - at: 1h
                expect: []
            """, rules: Self.snooze)
        #expect(outcome.problems == [])
    }

    @Test(arguments: [(30, false), (90, true)])
    func `what a person did counts, what our own write moved does not`(seconds: Int, isPerson: Bool) {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: needs_input, idle: 1h}]
                expect: [{snooze: 7}, {post: ops}]
              - at: 2m
                sessions: [{id: 7, visibility: snoozed, touched_at: "2026-10-09T12:0\(seconds / 60):\(seconds % 60)Z"}]
              - at: 3m
                sessions: [{id: 7, visibility: visible}]
                expect: \(isPerson ? "[{snooze: 7}, {post: ops}]" : "[{rule: snooze, held: once}]")
            """, rules: Self.snooze)
        #expect(outcome.problems == [])
    }

    @Test func `a session of an unknown visibility is not written to until it is known`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: needs_input, effective_visibility: veiled}]
                expect: [{rule: snooze, held: last_look, session: 7}]
              - at: 1m
                sessions: [{id: 7, effective_visibility: visible}]
                expect: [{snooze: 7}, {post: ops}]
            """, rules: Self.snooze)
        #expect(outcome.problems == [])
    }

    @Test func `checks have to stand for one poll before a write rests on them`() {
        let rule = """
              - name: merge
                watch: session
                if: session.pr.ci == "pass"
                do: [{follow_up: {prompt: Merge it.}}]
            """
        let steps = """
              - at: 0m
                sessions: [{id: 7, status: needs_input, pr: {ci: pass}}]
                expect: [{rule: merge, held: last_look}]
              - at: 30s
                expect: [{rule: merge, follow_up: 7, prompt: Merge it.}]
              - at: 1m
                sessions: [{id: 8, status: needs_input, pr: {ci: pass, ci_since: -5m}}]
                expect: [{rule: merge, follow_up: 8}]
            """
        #expect(Play.steps(steps, rules: rule).problems == [])
    }

    @Test func `a new rule that matches much waits for its release, and is held to its limit then`() {
        let sessions = (1...12).map { "{id: \($0), status: needs_input}" }.joined(separator: ", ")
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [\(sessions)]
                expect: [{rule: snooze, held: release, count: 12}]
              - at: 1m
                release: snooze
                expect: [{rule: snooze, held: limit, count: 2}, \(Self.snoozed(1...10))]
              - at: 2m
                expect: [\(Self.snoozed(11...12))]
            """, rules: Self.snooze)
        #expect(outcome.problems == [])
    }

    private static func snoozed(_ ids: ClosedRange<Int>) -> String {
        ids.map { "{snooze: \($0)}, {post: ops, text: snoozed \($0)}" }.joined(separator: ", ")
    }

    @Test func `zimmer's limit holds what goes beyond it for an hour`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 1, status: needs_input}, {id: 2, status: needs_input}]
                expect: [{snooze: 1}, {post: ops}, {rule: snooze, held: zimmer.limit, session: 2}]
              - at: 59m
                expect: []
              - at: 61m
                expect: [{snooze: 2}, {post: ops}]
            """, rules: Self.snooze,
            head: "zimmer: {url: \"https://z.example.com\", api_key: {env: KEY}, limit: {per_hour: 1}}\n")
        #expect(outcome.problems == [])
    }

    @Test func `a write that is not wanted any more is withdrawn`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: running}]
                expect: [{rule: trash, withdrawn: the session is running}]
            """,
            rules: """
                  - name: trash
                    watch: session
                    if: session.status == "running"
                    do: [archive]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `a dry run says what it would do`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: needs_input}]
                expect: [{rule: snooze, would: snooze session 7, session: 7}]
            """, rules: Self.snooze + "    mode: dry_run\n")
        #expect(outcome.problems == [])
    }

    // MARK: - Messages

    private static func failed(_ key: String) -> String {
        """
          - name: failed
            watch: session
            if: session.status == "failed"
            \(key)
            do: [{post: ops, title: Failed, text: "{{ session.title }}"}]
            resolved: [{post: ops, text: "{{ session.title }} is well"}]

        """
    }

    @Test func `a group is one message, without what was over before it went`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}, {id: 8, status: failed}, {id: 9, status: failed}]
                expect: [{rule: failed, held: group, count: 3}]
              - at: 1m
                sessions: [{id: 8, status: running}]
                expect: [{rule: failed, held: group}]
              - at: 2m
                expect: [{post: ops, kind: digest, title: Failed, text_contains: Session 9}]
              - at: 3m
                sessions: [{id: 7, status: running}]
                expect: []
              - at: 7m
                expect: [{post: ops, kind: resolved, text: Session 7 is well}]
            """, rules: Self.failed("group: {by: \"'all'\", wait: 2m, interval: 5m}"))
        #expect(outcome.problems == [])
        let digest = outcome.happenings.compactMap { happening -> String? in
            if case .post(let message) = happening.what, message.kind == .digest { message.body.plainText } else { nil }
        }
        #expect(digest.count == 1)
        #expect(digest.first?.contains("Session 8") == false)
    }

    @Test func `quiet hours end with one message`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{rule: failed, held: quiet, session: 7}]
              - at: 30m
                sessions: [{id: 8, status: failed}]
                expect: [{rule: failed, held: quiet}]
              - at: 59m
                expect: []
              - at: 1h
                expect: [{post: ops, kind: digest, title_contains: 2 messages from}]
              - at: 2h
                sessions: [{id: 9, status: failed}]
                expect: [{post: ops, kind: firing, session: 9}]
            """, rules: Self.failed("quiet: \"08:00-13:00\""))
        #expect(outcome.problems == [])
    }

    @Test func `what another rule silences goes when that is over, and not at all when it is over first`() {
        let outcome = Play.steps(
            """
              - at: 0m
                health: {queue_recovery_mode: {active: true}}
                sessions: [{id: 7, status: failed}, {id: 8, status: failed}]
                expect: [{rule: recovery, post: ops}, {rule: failed, held: suppress, count: 2}]
              - at: 5m
                sessions: [{id: 8, status: running}]
                expect: []
              - at: 10m
                health: {queue_recovery_mode: {active: false}}
                expect: [{rule: failed, post: ops, text: Session 7}]
            """,
            rules: Self.failed("suppress: recovery") + """
                  - name: recovery
                    watch: health
                    if: health.queue_recovery_mode.active
                    do: [{post: ops, text: recovery}]
                """)
        #expect(outcome.problems == [])
    }

    @Test func `a repeated message is told from the first`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{post: ops, kind: firing}]
              - at: 9h
                expect: [{post: ops, kind: repeat, count: 2}]
            """, rules: Self.failed("repeat: {every: 4h, times: 2}"))
        #expect(outcome.problems == [])
    }

    @Test func `a message to a channel that is none goes nowhere`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed, title: nowhere}]
                expect: [{rule: failed, withdrawn: there is no channel 'nowhere'}]
            """,
            rules: """
                  - name: failed
                    watch: session
                    if: session.status == "failed"
                    do: [{post: "{{ session.title }}", text: x}]
                """)
        #expect(outcome.problems == [])
    }

    // MARK: - Schedules

    private static let daily = """
          - name: daily
            schedule: "0 9 * * *"
            do: [{post: ops, text: "{{ slot.date }} {{ size(board) }}{{ slot.missed ? ' late' : '' }}"}]
        """

    @Test func `a slot happens at its instant, with the board as it is then`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7}]
              - at: 20h59m
                sessions: [{id: 8}]
                expect: []
              - at: 21h
                expect: [{rule: daily, post: ops, kind: report, text: 2026-10-10 2}]
            """, rules: Self.daily)
        #expect(outcome.problems == [])
    }

    @Test func `a slot that cannot be told stays due, and one that passed without the bot is run late`() {
        let outcome = Play.steps(
            """
              - at: 20h
                sessions: [{id: 7}]
                fail: [health]
              - at: 20h30m
                fail: [board]
              - at: 21h10m
                expect: [{rule: daily, cannot_tell: stale}]
              - at: 21h20m
                works: [board]
                expect: [{rule: daily, post: ops, text: 2026-10-10 1 late}]
              - at: 40h
                restart: {down: 6h}
                expect: []
              - at: 47h
                expect: [{rule: daily, post: ops, text: 2026-10-11 1 late}]
            """, rules: Self.daily)
        #expect(outcome.problems == [])
    }

    // MARK: - The engine itself

    @Test func `a reading that is handed in again decides nothing new`() throws {
        let file = try #require(Play.rules(Self.failed("for: 1m")))
        let start = Timestamp(seconds: 1_800_000_000)
        var rehearsal = Rehearsal(RuleSet(file.rules), delivery: DeliveryRules(file), polling: .init(), start: start)
        rehearsal.take(.whole([try LedgerStage.row(7, "failed")]), at: start)
        for poll in 1...20 { rehearsal.repeatBoard(at: start + .seconds(poll * 30)) }
        let posts = rehearsal.takeHappenings().filter { if case .post = $0.what { true } else { false } }
        #expect(posts.map(\.at) == [start + .seconds(60)])
        #expect(posts.first?.subject == SubjectID(type: "session", id: "7"))
        #expect(rehearsal.takeHappenings().isEmpty)
    }

    @Test func `recorded readings and departures are used as they are`() throws {
        let file = try #require(Play.rules(Self.failed("")))
        let start = Timestamp(seconds: 1_800_000_000)
        var tracker = SessionTracker()
        func reading(_ status: String) throws -> SessionReading {
            let object = tracker.reading(of: try LedgerStage.row(7, status), previous: nil, at: start).object
            return try #require(SessionReading(object))
        }
        var rehearsal = Rehearsal(RuleSet(file.rules), delivery: DeliveryRules(file), polling: .init(), start: start)
        rehearsal.take(BoardReading(sessions: [try reading("failed")], isWhole: true), at: start)
        #expect(rehearsal.missing(from: { _ in false }) == [7])
        rehearsal.take(
            BoardReading(sessions: [], isWhole: true), departed: [7: try reading("archived")],
            at: start + .seconds(30))
        let kinds = rehearsal.takeHappenings().compactMap { happening in
            if case .post(let message) = happening.what { message.kind.rawValue } else { nil }
        }
        #expect(kinds == ["firing", "resolved"])
    }
}
