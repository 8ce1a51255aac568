import Testing

@testable import BotCore

/// Steps with `confirm` and rules with `command`, which `run` does not do yet.
@Suite struct ScenarioConfirmTests {
    private static func trash(_ step: String = "archive:") -> String {
        """
          - name: trash
            watch: session
            if: session.status == "failed"
            do:
              - \(step)
                confirm: {in: ops, by: [ann], within: 8h}
              - {post: pager, text: gone}

        """
    }

    @Test(arguments: ["trash", "{rule: trash, session: 7}"])
    func `a write waits for a person, then for its last look`(answer: String) {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{rule: trash, held: confirm, session: 7}]
              - at: 4h
                expect: []
              - at: 5h
                approve: \(answer)
                expect: [{rule: trash, archive: 7}, {rule: trash, post: pager}]
            """, rules: Self.trash())
        #expect(outcome.problems == [])
    }

    @Test func `no is no`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}, {id: 8, status: failed}]
                expect: [{rule: trash, held: confirm, count: 2}]
              - at: 1h
                deny: {rule: trash, session: 8}
                approve: {rule: trash, session: 7}
                expect: [{rule: trash, withdrawn: a person said no, session: 8}, {archive: 7}, {post: pager}]
              - at: 12h
                expect: []
            """, rules: Self.trash())
        #expect(outcome.problems == [])
    }

    @Test func `what nobody answers is withdrawn`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
              - at: 7h
                restart: true
                expect: []
              - at: 8h
                expect: [{rule: trash, withdrawn: nobody confirmed it within 8 h}]
              - at: 9h
                approve: trash
                expect: [{declined: nothing waits for an answer}]
            """, rules: Self.trash())
        #expect(outcome.problems == [])
    }

    @Test func `an answer that comes when nothing is wanted any more changes nothing`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
              - at: 1h
                sessions: [{id: 7, status: running}]
                expect: [{rule: trash, withdrawn: the episode ended}]
              - at: 2h
                approve: trash
                expect: [{declined: nothing waits for an answer}]
            """, rules: Self.trash())
        #expect(outcome.problems == [])
    }

    @Test func `a message waits for a person too, and is said as things are then`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed, title: Old}]
                expect: [{rule: trash, held: confirm}]
              - at: 1h
                sessions: [{id: 7, title: New}]
                expect: []
              - at: 2h
                approve: trash
                expect: [{post: ops, text: New}, {post: pager, text: gone}]
            """, rules: Self.trash("post: ops\n        text: '{{ session.title }}'"))
        #expect(outcome.problems == [])
    }

    @Test func `each step asks for itself`() {
        let rule = """
              - name: both
                watch: session
                if: session.status == "failed"
                do:
                  - {hide: , confirm: {in: ops, by: [ann]}}
                  - {archive: , confirm: {in: ops, by: [ann]}}
            """
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{held: confirm}]
              - at: 10m
                approve: both
                expect: [{hide: 7}, {held: confirm}]
              - at: 20m
                approve: both
                expect: [{archive: 7}]
            """, rules: rule)
        #expect(outcome.problems == [])
    }

    private static let command = """
          - name: back
            command: back
            do: [unarchive]

        """

    @Test func `rules that a person calls do not keep others from being tested`() {
        let outcome = Play.steps(
            """
              - at: 0m
                sessions: [{id: 7, status: failed}]
                expect: [{rule: trash, held: confirm}]
            """, rules: Self.command + Self.trash())
        #expect(outcome.problems == [])
    }

    @Test(arguments: ["expect: [{rule: back, unarchive: 7}]", "run-rule: back"])
    func `what a rule that a person calls does cannot be tested yet, and that is said`(line: String) {
        let outcome = Play.steps("  - at: 0m\n    \(line)", rules: Self.command + Self.trash())
        #expect(outcome.problems.count == 1)
        #expect(outcome.problems.first?.contains("rule 'back' has 'command', and a test cannot call it yet") == true)
    }
}
