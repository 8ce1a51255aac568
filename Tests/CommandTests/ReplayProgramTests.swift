import BotTestSupport
import DemoZimmer
import Foundation
import Testing

/// `replay` of what the real program recorded, killed while it did.
@Suite(.timeLimit(.minutes(10)))
struct ReplayProgramTests {
    private static func rules(
        if condition: String = #"session.status == "failed""#, says text: String = "failed"
    ) -> String {
        """
        - name: failed
          watch: session
          if: \(condition)
          limit: {per_poll: 100}
          do: [{post: pager, text: "{{ session.title }} \(text)"}]
          resolved: [{post: pager, text: "{{ session.title }} goes on"}]
        """
    }

    /// Sessions fail one after the other under a program that is killed at every other, soon after a poll began.
    private func recorded() async throws -> ProgramStage {
        let stage = try ProgramStage(Self.rules())
        let sessions = (1...4).map { stage.addSession("Session \($0)", .running) }
        var moments = Moments(seed: 3)
        var bot = try stage.start()
        try await stage.polls()
        for (number, session) in sessions.enumerated() {
            stage.set(.failed, session)
            try await stage.webhook.messages.wait { $0.session == session && $0.status == 200 }
            guard number % 2 == 0 else { continue }
            let mark = stage.server.requests.count
            try await stage.server.request(after: mark, matching: .boardPage(1))
            // The only pause that takes real time: it chooses where the recording is struck.
            try await moments.pass(atMost: 60)
            await bot.kill()
            bot = try stage.start()
        }
        stage.set(.running, sessions[0])
        try await stage.webhook.messages.wait { $0.session == sessions[0] && $0.kind == "resolved" }
        try await stage.polls()
        #expect(await bot.stop() == .exited(0))
        return stage
    }

    @Test func `the same rules over what a killed program recorded make no difference, others make theirs`()
        async throws
    {
        let stage = try await recorded()
        let same = try await stage.command("replay", "-c", stage.rulesPath)
        #expect(same.status == .exited(0), "\(same)")
        #expect(same.standardOutput.hasSuffix("0 added, 0 removed, 5 unchanged\n"), "\(same.standardOutput)")

        try stage.write(rules: Self.rules(says: "is broken"))
        let changed = try await stage.command("replay", "-c", stage.rulesPath)
        #expect(changed.status == .exited(2), "\(changed)")
        #expect(changed.standardOutput.hasSuffix("0 added, 0 removed, 4 changed, 1 unchanged\n"), "\(changed)")
        let session = "    then: post pager: Session 3 failed\n    now:  post pager: Session 3 is broken\n"
        #expect(changed.standardOutput.contains(session), "\(changed)")

        // One session less, and a rule more.
        try stage.write(
            rules: Self.rules(if: #"session.status == "failed" && session.title != "Session 3""#) + Self.idle)
        let other = try await stage.command("replay", "-c", stage.rulesPath)
        #expect(other.status == .exited(2), "\(other)")
        let lines = other.standardOutput.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("- ") }.map(\.named) == [#"- failed "Session 3""#])
        #expect(lines.contains { $0.named == #"+ idle "Session 2""# })
        #expect(lines.contains("    post pager: Session 2 runs"))
        #expect(lines.last?.contains(" added, 1 removed, 4 unchanged") == true, "\(other.standardOutput)")
        try await expectJSON(of: stage)
    }

    private static let idle = """

        - name: idle
          watch: session
          if: session.status == "running"
          do: [{post: pager, text: "{{ session.title }} runs"}]
        """

    private func expectJSON(of stage: ProgramStage) async throws {
        let result = try await stage.command("replay", "-c", stage.rulesPath, "--json")
        #expect(result.status == .exited(2))
        let data = Data(result.standardOutput.utf8)
        let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let removed = try #require(report["removed"] as? [[String: Any]])
        #expect(removed.map { $0["rule"] as? String } == ["failed"])
        #expect(removed.map { $0["messages"] as? [String] } == [["pager: Session 3 failed"]])
        let added = try #require(report["added"] as? [[String: Any]])
        #expect(added.allSatisfy { $0["rule"] as? String == "idle" })
        #expect(added.contains { $0["title"] as? String == "Session 2" })
        #expect(report["unchanged"] as? Int == 4)
        #expect((report["changed"] as? [Any])?.isEmpty == true)
        #expect((report["polls"] as? Int ?? 0) > 6)
    }
}

extension String {
    /// A line of a difference without its time and the number of its session.
    fileprivate var named: String {
        let words = split(separator: " ")
        return (words.prefix(1) + words.dropFirst(2).prefix(1) + words.dropFirst(5)).joined(separator: " ")
    }
}
