import BotTestSupport
import DemoZimmer
import Foundation
import Testing

/// `explain` and `status --rules`, with the real program and a Zimmer.
@Suite(.timeLimit(.minutes(10)))
struct ExplainTests {
    private static let rules = """
        - name: failed-session
          watch: session
          if: session.status == "failed" && session.id > 0
          for: 1h
          do: [{post: pager, text: "{{ session.title }} failed"}]
        - name: star
          watch: session
          if: session.status == "needs_input" && !session.favorited
          limit: {per_poll: 50}
          do:
            - favorite: true
            - post: pager
              text: "{{ session.title }} has a star"
        - name: merged
          watch: session
          if: session.status == "running" && session.pr.state == "merged"
          do: [hide]
        - name: recovery
          watch: health
          if: health.queue_recovery_mode.active
          do: [{post: pager, text: "on"}]
        - name: channel-down
          watch: channel
          if: channel.state == "down"
          do: [{post: ops, text: "{{ channel.name }}"}]
        - name: daily
          schedule: "0 9 * * *"
          costs: yesterday
          do: [{post: pager, text: "{{ usd(costs.totals.cost_usd) }}"}]
        """

    private func stage(_ configure: @Sendable (inout ZimmerState) -> Void = { _ in }) throws -> ProgramStage {
        try ProgramStage(Self.rules, channels: "ops: {adapter: console}", configure)
    }

    @Test func `each clause is shown with what it read, and what is in the way`() async throws {
        let stage = try stage()
        let id = stage.addSession("Fix \u{1B}[31mlogin\u{202E}", .failed)
        let result = try await stage.command("explain", "-c", stage.rulesPath, "failed-session", "\(id)")
        #expect(result.status == .exited(0), "\(result)")
        let text = result.standardOutput
        #expect(
            text.hasPrefix("failed-session for session \(id) \"Fix [31mlogin\": holds, but does not run: 'for: 1h'"))
        #expect(text.contains("    true  session.status == \"failed\"\n"))
        #expect(text.contains("session.status = \"failed\"\n"))
        #expect(text.contains("\nwould do\n  1. post pager: Fix [31mlogin failed\n"))
        #expect(!text.unicodeScalars.contains("\u{1B}") && !text.unicodeScalars.contains("\u{202E}"))
        // Nothing was written, here or there.
        #expect(!FileManager.default.fileExists(atPath: stage.databasePath))
        #expect(stage.server.requests.elements.allSatisfy { $0.method == "GET" })
        #expect(stage.webhook.messages.count == 0)
    }

    @Test(arguments: ["#", "session:", "session "])
    func `a subject is written in any way that is seen elsewhere`(prefix: String) async throws {
        let stage = try stage()
        let id = stage.addSession("Fix login", .needsInput)
        let json = try await stage.json("explain", "-c", stage.rulesPath, "star", "\(prefix)\(id)")
        #expect(json["subject"]?["id"]?.text == "\(id)")
        #expect(json["would_run"]?.flag == true)
        #expect(json["if"]?["parts"]?[0]?["outcome"]?.text == "true")
        #expect(json["steps"]?[0]?["text"]?.text == "favorite session \(id): true")
    }

    @Test func `without a subject everything that is watched is summed up`() async throws {
        let stage = try stage()
        let failed = stage.addSession("Fix login", .failed)
        stage.addSession("Sleep", .waiting)
        let json = try await stage.json("explain", "-c", stage.rulesPath, "failed-session")
        #expect(json["total"]?.integer == 2)
        #expect(json["going_on"]?[0]?["subject"]?["id"]?.text == "\(failed)")
        #expect(json["going_on"]?[0]?["phase"]?.text == "pending")
        #expect(json["near"]?[0]?["clause"]?["text"]?.text == "session.status == \"failed\"")
        #expect(json["kept_away"]?[0]?["count"]?.integer == 1)
        let text = try await stage.command("explain", "-c", stage.rulesPath, "failed-session")
        #expect(text.standardOutput.contains("one clause away\n  but for session.status == \"failed\"\n"))
    }

    @Test(arguments: [["recovery"], ["recovery", "health"], ["daily"]])
    func `what has one subject or none needs no more words`(words: [String]) async throws {
        let stage = try stage()
        let json = try await stage.json(["explain", "-c", stage.rulesPath] + words)
        #expect(json["rule"]?.text == words[0])
        #expect(json["summary"]?.text?.isEmpty == false)
        #expect(json["slots"]?["next"]?.elements?.count == (words[0] == "daily" ? 5 : nil))
    }

    @Test func `what only the bot knows is in the way too`() async throws {
        let stage = try stage { $0.recovery.enter(reason: "stall", by: "ada", for: .minutes(60), at: $0.now) }
        stage.webhook.answer(statuses: 503)
        stage.addSession("Fix login")
        let bot = try stage.start()
        _ = try await stage.webhook.message(1)
        try await stage.polls(2)
        let id = stage.addSession("Fix login", .running)
        try await stage.polls(2)
        let muted = try await stage.command("mute", "1h")
        #expect(muted.status == .exited(0), "\(muted)")
        let star = try await stage.json("explain", "-c", stage.rulesPath, "star", "\(id)")
        let kinds = star["blocks"]?.elements?.compactMap { $0["kind"]?.text } ?? []
        #expect(kinds.contains("mute"), "\(kinds)")
        let merged = try await stage.json("explain", "-c", stage.rulesPath, "merged", "\(id)")
        #expect(merged["blocks"]?.elements?.compactMap { $0["kind"]?.text } == ["pull_requests"])
        await bot.kill()
    }

    @Test func `the story of a write is told from what was stored with it`() async throws {
        let stage = try stage()
        let id = stage.addSession("Fix login")
        let once = await (try stage.start("--once")).result()
        #expect(once.status == .exited(0), "\(once)")
        let log = try await stage.command("log")
        #expect(log.standardOutput.contains("act_1 favorite session \(id): true"))
        let story = try await stage.json("explain", "act_1")
        #expect(story["run"]?["rule"]?.text == "star")
        #expect(story["run"]?["state"]?.text == "done")
        #expect(story["if"]?["parts"]?[0]?["reads"]?["session.status"]?.text == "\"needs_input\"")
        #expect(story["values"]?["session.status"]?.text == "needs_input")
        #expect(story["calls"]?[0]?["state"]?.text == "done")
        #expect(story["messages"]?[0]?["state"]?.text == "delivered")
        let kinds = story["trail"]?.elements?.compactMap { $0["kind"]?.text }
        #expect(kinds == ["started", "attempting", "done", "finished", "delivered"])
        // What the last look read stands with the call.
        #expect(story["trail"]?[1]?["if"]?["outcome"]?.text == "true")
        let delivery = try #require(story["messages"]?[0]?["id"]?.text)
        let text = try await stage.command("explain", delivery)
        #expect(text.standardOutput.contains("* \(delivery) step 2: firing to pager: Fix login has a star"))
    }

    @Test func `each rule's past is shown, and what never matched`() async throws {
        let stage = try stage()
        stage.addSession("Fix login")
        _ = await (try stage.start("--once")).result()
        let json = try await stage.json("status", "--rules", "-c", stage.rulesPath)
        let star = try #require(json["rules"]?.elements?.first { $0["name"]?.text == "star" })
        #expect(star["mode"]?.text == "live")
        #expect(star["runs_in_week"]?.integer == 1)
        #expect(star["matched_at"]?.text != nil)
        #expect(star["last_run"]?["state"]?.text == "done")
        let merged = try #require(json["rules"]?.elements?.first { $0["name"]?.text == "merged" })
        #expect(merged["matched_at"]?.text == nil)
        let text = try await stage.command("status", "--rules")
        #expect(text.standardOutput.contains("never matched anything\n"))
        #expect(!text.standardOutput.contains("near misses"))
    }

    @Test func `what missed a rule by one clause is shown beside a running bot, and after it`() async throws {
        let stage = try stage()
        let id = stage.addSession("Fix login")
        stage.addSession("Sleep", .failed)
        let bot = try stage.start()
        try await stage.polls(3)
        for isRunning in [true, false] {
            if !isRunning { _ = await bot.stop() }
            let json = try await stage.json("status", "--rules", "-c", stage.rulesPath)
            #expect(json["near_misses"]?["note"]?.text == nil)
            #expect(json["near_misses"]?["recorded_since"]?.text != nil)
            let rules = json["rules"]?.elements ?? []
            let misses = try #require(rules.first { $0["name"]?.text == "failed-session" }?["near_misses"])
            #expect(misses["count"]?.integer == 1)
            #expect(misses["clauses"]?[0]?["clause"]?.text == "session.status == \"failed\"")
            let example = misses["clauses"]?[0]?["examples"]?[0]
            #expect(example?["subject"]?["id"]?.text == "\(id)")
            #expect(example?["clause"]?["reads"]?["session.status"]?.text == "\"needs_input\"")
            #expect(rules.first { $0["name"]?.text == "merged" }?["near_misses"]?["count"]?.integer == 0)
            #expect(rules.first { $0["name"]?.text == "daily" }?["near_misses"]?.elements == nil)
        }
        let text = try await stage.command("status", "--rules", "-c", stage.rulesPath)
        #expect(text.standardOutput.contains("\nnear misses over the last "), "\(text)")
        #expect(text.standardOutput.contains("; recorded since "))
        #expect(text.standardOutput.contains("  failed-session: 1 but for session.status == \"failed\"\n"))
        #expect(text.standardOutput.contains("    session \(id) \"Fix login\"  session.status = \"needs_input\"\n"))
    }

    @Test func `what there is none of is said with the nearest name`() async throws {
        let stage = try stage()
        let rule = try await stage.command("explain", "-c", stage.rulesPath, "faild-session")
        #expect(rule.status == .exited(1))
        #expect(rule.standardError.contains("there is no rule 'faild-session' in"))
        #expect(rule.standardError.contains("did you mean 'failed-session'?"))
        let subject = try await stage.command("explain", "-c", stage.rulesPath, "star", "99999")
        #expect(subject.status == .exited(1))
        #expect(subject.standardError.contains("there is no session '99999'"))
        let other = try await stage.command("explain", "-c", stage.rulesPath, "star", "health")
        #expect(other.status == .exited(1))
        #expect(other.standardError.contains("'star' watches 'session', not 'health'"))
        let bare = try await stage.command("explain", "star")
        #expect(bare.status == .exited(64))
        try stage.write(rules: "- name: star\n  wach: session")
        let broken = try await stage.command("explain", "-c", stage.rulesPath, "star")
        #expect(broken.status == .exited(78))
        let action = try await stage.command("explain", "act_1")
        #expect(action.status == .exited(1))
    }
}
