import CEL
import Foundation
import Testing

@testable import Rules

@Suite struct ExampleTests {
    private func example() throws -> RuleFile {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let path = folder.appending(path: "../../../rules.example.yaml")
        let (file, diagnostics) = TestWorld.load(try String(contentsOf: path, encoding: .utf8))
        #expect(diagnostics.map(\.description) == [])
        return try #require(file)
    }

    @Test func `the example loads without a word`() throws {
        let file = try example()
        #expect(
            file.rules.map(\.name) == [
                "failed-session", "finish-authorized-merge", "snooze-stale", "queue-recovery", "daily-costs",
            ])
        #expect(file.channels.map(\.name) == ["ops", "pager"])
        #expect(file.notices?.channels == ["ops"])
        #expect(file.secrets.map(\.description) == ["{env: ZIMMER_API_KEY}", "{env: PAGER_URL}"])
        #expect(file.zimmer?.polling.inbox == .seconds(60))
    }

    @Test func `rules that write to their session do so once until a person acts`() throws {
        let file = try example()
        let kinds = file.rules.map { rule in
            if case .value(let program) = rule.once { program.source } else { "episode" }
        }
        #expect(kinds == ["episode", "session.touched_at", "session.touched_at", "episode", "episode"])
    }

    @Test func `its message says what happened`() throws {
        let rule = try #require(try example().rules.first)
        var activation = Activation(rule.environment)
        activation[try #require(rule.environment.slot(of: "session"))] = .object(
            Object(
                TestWorld.session,
                named: [
                    "title": .string("Fix\nlogin"), "failure_reason": .null, "url": .string("https://z.example.com/7"),
                ]))
        guard case .post(let post) = rule.steps.first?.action else {
            Issue.record("the first step is a post")
            return
        }
        #expect(post.text.render(activation).plain == "**Fix login** failed: -\nhttps://z.example.com/7")
    }
}
