import BotTestSupport
import Foundation
import Testing

@testable import zimmer_bot

@Suite struct TestCommandTests {
    private let directory: TemporaryDirectory
    private static let rules = """
        channels: {ops: {adapter: webhook, url: {env: NOT_SET}}}
        rules:
          - name: failed-session
            watch: session
            if: session.status == "failed"
            for: 1m
            do: [{post: ops, text: "{{ session.title }} failed"}]

        """
    private static let tests = """
        rules: rules.yaml
        start: 2026-10-09T12:00:00Z
        tests:
          - name: a failed session is told
            steps:
              - at: 0m
                sessions: [{id: 7, status: failed}]
              - at: 1m
                expect: [{rule: failed-session, post: ops, text_contains: Session 7}]
          - name: nothing else is
            steps:
              - at: 1h
                expect: []

        """

    init() throws {
        directory = try TemporaryDirectory()
        _ = try directory.write(Self.rules, to: "rules.yaml")
    }

    private func file(replacing old: String = "", with new: String = "") throws -> String {
        try directory.write(old.isEmpty ? Self.tests : Self.tests.replacing(old, with: new), to: "rules.test.yaml")
    }

    @Test func `tests that pass are listed, without a word about secrets, and the code is 0`() async throws {
        let call = await Call("test", try file())
        #expect(call.code == .success)
        #expect(call.errors.isEmpty)
        #expect(call.output == "ok      a failed session is told\nok      nothing else is\n2 tests passed\n")
    }

    @Test func `a test that fails shows what was expected, what came, and how it came to that`() async throws {
        let path = try file(replacing: "text_contains: Session 7", with: "text: All is well")
        let call = await Call("test", path)
        #expect(call.code == .findings)
        #expect(
            call.output == """
                FAILED  a failed session is told
                  \(path):8:9: at 1m 1 expected did not happen, 1 happened that is not expected
                    - {rule: failed-session, post: ops, text: All is well}  \(path):9:18
                    + {rule: failed-session, post: ops, session: 7, text: "Session 7 failed"}
                  what happened:
                    1m       failed-session, session 7: 'do' starts  session.status = failed, session.title = Session 7, since 0m
                    1m       {rule: failed-session, post: ops, session: 7, text: "Session 7 failed"}
                ok      nothing else is
                1 of 2 tests failed

                """)
    }

    @Test func `what happened in a step that expects nothing is pointed out`() async throws {
        let path = try file(replacing: "- at: 1m\n", with: "- at: 2m\n      - at: 3m\n")
        let call = await Call("test", path)
        #expect(call.output.contains("    at 1m this happened, in a step without 'expect'\n"))
    }

    @Test func `a test without anything says so`() async throws {
        let path = try file(replacing: "expect: []", with: "expect: [{post: ops}]")
        let call = await Call("test", path)
        #expect(call.output.contains("  what happened:\n    nothing\n1 of 2 tests failed\n"))
    }

    @Test func `what people did and how writes ended are told by the words in which they are expected`() async throws {
        let rules = Self.rules.replacing("do: [{post: ops,", with: "do: [{note: {append: failed}}, {post: ops,")
        _ = try directory.write(rules, to: "rules.yaml")
        let path = try file(
            replacing: "sessions: [{id: 7, status: failed}]",
            with: """
                sessions: [{id: 7, status: failed}]
                        pause: {rule: failed-session, for: 30s}
                        run-rule: failed-session
                        writes: refused
                        expect: []
                """)
        let call = await Call("test", path)
        #expect(call.code == .findings)
        #expect(
            call.output.contains("    0m       failed-session: paused by a person: paused until 2026-10-09T12:00:30Z\n")
        )
        #expect(
            call.output.contains(
                "    + {rule: failed-session, declined: \"rule 'failed-session' is paused: resume it first\"}\n"))
        let later = try file(
            replacing: "sessions: [{id: 7, status: failed}]",
            with: "sessions: [{id: 7, status: failed}]\n        writes: refused")
        let refused = await Call("test", later, "--json")
        let refusal = "note session 7: append failed: Zimmer answered 422: it is refused in this test"
        #expect(refused.output.contains(#""what":"refused","text":"\#(refusal)""#), "\(refused.output)")
    }

    @Test func `only the tests of a filter run`() async throws {
        let call = await Call("test", try file(), "--filter", "nothing")
        #expect(call.output == "ok      nothing else is\n1 test passed\n")
        let none = await Call("test", try file(), "--filter", "something")
        #expect(none.code == .failure)
        #expect(none.errors.contains("no test has 'something' in its name"))
    }

    @Test func `several files have one summary, and mistakes in one do not keep the others from running`() async throws
    {
        let good = try file()
        let bad = try directory.write(Self.tests.replacing("post: ops", with: "post: opps"), to: "bad.test.yaml")
        let call = await Call("test", bad, good)
        #expect(call.code == .findings)
        #expect(call.output.hasSuffix("2 tests passed; 1 file has errors\n"))
        #expect(
            call.errors == """
                \(bad):9:47: error: there is no channel 'opps', did you mean 'ops'?
                            expect: [{rule: failed-session, post: opps, text_contains: Session 7}]
                                                                  ^~~~

                """)
    }

    @Test func `errors of the rules are shown, their warnings are not`() async throws {
        _ = try directory.write(Self.rules.replacing("session.status", with: "session.statsu"), to: "rules.yaml")
        let call = await Call("test", try file())
        #expect(call.code == .findings)
        #expect(call.output == "0 tests passed; 1 file has errors\n")
        #expect(call.errors.contains("rules.yaml:5:17: error: undefined field 'statsu' of session"))
        #expect(!call.errors.contains("warning"))
    }

    @Test func `files that are not there are named`() async throws {
        let missing = directory.path + "/none.yaml"
        let call = await Call("test", missing)
        #expect(call.code == .findings)
        #expect(call.errors.contains("\(missing):1:1: error: the file cannot be read: No such file or directory"))
        let call2 = await Call("test", try file(replacing: "rules: rules.yaml", with: "rules: other.yaml"))
        #expect(call2.code == .findings)
        #expect(call2.errors.contains("other.yaml:1:1: error: the file cannot be read"))
    }

    @Test func `without a file the command line is wrong`() async {
        let call = await Call("test")
        #expect(call.code == .usage)
    }

    @Test func `JSON has the tests, what failed in them, and what happened`() async throws {
        let path = try file(replacing: "text_contains: Session 7", with: "text: All is well")
        let call = await Call("test", path, "--json")
        #expect(call.code == .findings)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(call.output.utf8)) as? [String: Any])
        #expect(report["passed"] as? Int == 1)
        #expect(report["failed"] as? Int == 1)
        let tests = try #require(report["tests"] as? [[String: Any]])
        #expect(tests.map { $0["name"] as? String } == ["a failed session is told", "nothing else is"])
        let failures = try #require(tests[0]["failures"] as? [[String: Any]])
        #expect(failures.map { $0["at"] as? String } == ["2026-10-09T12:01:00Z"])
        let missing = try #require(failures[0]["missing"] as? [[String: Any]])
        #expect(missing[0]["expected"] as? String == "{rule: failed-session, post: ops, text: All is well}")
        #expect(missing[0]["line"] as? Int == 9)
        let unexpected = try #require(failures[0]["unexpected"] as? [[String: Any]])
        #expect(unexpected[0]["what"] as? String == "post")
        #expect(unexpected[0]["channel"] as? String == "ops")
        #expect(unexpected[0]["text"] as? String == "Session 7 failed")
    }

    @Test func `every test of the example rules passes`() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let call = await Call("test", root.appending(path: "rules.example.test.yaml").path)
        #expect(call.code == .success, "\(call.output)\(call.errors)")
        let tests = call.output.split(separator: "\n").filter { $0.hasPrefix("ok") }
        #expect(tests.count > 5)
    }
}
