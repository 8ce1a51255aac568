import BotTestSupport
import DemoZimmer
import Testing

/// The commands as a person uses them, beside a running bot and without one.
@Suite(.timeLimit(.minutes(10)))
struct CommandLineTests {
    private static let rules = """
        - name: failed-session
          watch: session
          if: session.status == "failed"
          do: [{post: pager, text: "{{ session.title }} failed"}]
        - name: hide-resting
          watch: session
          if: session.status == "needs_input" && session.effective_visibility == "visible"
          do: [hide]
        """

    @Test func `one poll delivers what is due, writes, and ends`() async throws {
        let stage = try ProgramStage(Self.rules)
        let session = stage.addSession("Fix login", .failed)
        let resting = stage.addSession("Rests")
        for _ in 1...2 {
            let once = await (try stage.start("--once")).result()
            #expect(once.status == .exited(0), "\(once)")
        }
        #expect(stage.webhook.messages.elements.map(\.session) == [session])
        #expect(stage.server.writes.map(\.sessionID) == [resting])
    }

    @Test func `a dry run says what it would do, does nothing, and leaves no trace`() async throws {
        let stage = try ProgramStage(Self.rules)
        let session = stage.addSession("Fix login", .failed)
        let dry = await (try stage.start("--dry-run", "--once")).result()
        #expect(dry.status == .exited(0))
        #expect(dry.standardOutput.contains("would failed-session session \(session)"), "\(dry)")
        #expect(!stage.directory.exists("state"))

        let real = await (try stage.start("--once")).result()
        #expect(real.status == .exited(0))
        let before = try stage.directory.contents(of: "state")
        let beside = await (try stage.start("--dry-run", "--once")).result()
        #expect(beside.status == .exited(0))
        #expect(try stage.directory.contents(of: "state") == before)
        #expect(stage.webhook.messages.count == 1)
    }

    @Test func `with --json a dry run prints a line of JSON for each thing that it would do`() async throws {
        let stage = try ProgramStage(Self.rules)
        let session = stage.addSession("Fix login", .failed)
        let dry = await (try stage.start("--dry-run", "--once", "--json")).result()
        let lines = dry.standardOutput.split(separator: "\n").map { JSON(parsing: Array($0.utf8)) }
        #expect(lines.map { $0?["rule"]?.text } == ["failed-session"], "\(dry)")
        #expect(lines.first??["subject"]?["id"]?.text == "\(session)")
    }

    @Test func `what cannot be printed is not printed into whatever else is open`() async throws {
        let stage = try ProgramStage(Self.rules)
        stage.addSession("Fix login", .failed)
        let command = "exec '\(ChildProcess.zimmerBot)' plan -c '\(stage.rulesPath)' --state '\(stage.statePath)' >&-"
        let plan = await (try ChildProcess(["-c", command], program: "/bin/sh", environment: stage.environment))
            .result()
        #expect(plan.status == .exited(1))
        #expect(plan.standardError.contains("cannot write the result"), "\(plan)")
    }

    @Test func `plan shows what would be done beside a running bot, and does nothing`() async throws {
        let stage = try ProgramStage(Self.rules)
        let daemon = try stage.start()
        try await stage.polls(1)
        let nothing = try await stage.command("plan", "-c", stage.rulesPath, "--exit-code")
        #expect(nothing.status == .exited(0))
        #expect(nothing.standardOutput == "nothing to do\n")
        #expect(await daemon.stop() == .exited(0))

        let failed = stage.addSession("Fix login", .failed)
        let resting = stage.addSession("Rests")
        let plan = try await stage.command("plan", "-c", stage.rulesPath)
        #expect(plan.status == .exited(0))
        #expect(
            plan.standardOutput == """
                failed-session session \(failed): post pager: Fix login failed
                hide-resting session \(resting): hide session \(resting)

                """)
        #expect(try await stage.command("plan", "-c", stage.rulesPath, "--exit-code").status == .exited(2))
        let json = try await stage.json("plan", "-c", stage.rulesPath)
        #expect(json["would"]?.elements?.compactMap { $0["rule"]?.text } == ["failed-session", "hide-resting"])
        #expect(json["would"]?[0]?["subject"]?["id"]?.text == "\(failed)")
        #expect(stage.server.writes.isEmpty && stage.webhook.messages.count == 0)
    }

    @Test func `plan knows which activity was the bot's own`() async throws {
        let stage = try ProgramStage(
            """
            - name: ask
              watch: session
              if: session.status == "needs_input"
              do: [{follow_up: {prompt: "Please finish."}}]
            """
        ) { $0.agent.followUpsTouch = true }
        let session = stage.addSession("Fix login")
        let daemon = try stage.start()
        try await stage.server.request(matching: .followUp)
        try await stage.polls()
        #expect(await daemon.stop() == .exited(0))
        stage.set(.needsInput, session)
        let plan = try await stage.command("plan", "-c", stage.rulesPath, "--exit-code")
        #expect(plan.status == .exited(0))
        #expect(plan.standardOutput == "held: ask session \(session): ran before for this value of 'once'\n")
    }

    @Test func `one poll that cannot read is a failure`() async throws {
        let stage = try ProgramStage(Self.rules)
        stage.server.inject(.answer(.internalError), on: .board, times: nil)
        for options in [["--once"], ["--once", "--dry-run"]] {
            let once = await (try stage.start(options)).result()
            #expect(once.status == .exited(1))
            #expect(once.standardError.contains("board was not read"), "\(once)")
        }
    }

    @Test func `what one poll could not deliver, the next one does under the same id`() async throws {
        let stage = try ProgramStage(Self.rules)
        stage.webhook.answer(statuses: 503)
        stage.addSession("Fix login", .failed)
        // A message that failed is not due for a moment, so it may take more than two.
        while stage.delivered.isEmpty {
            let once = await (try stage.start("--once")).result()
            #expect(once.status == .exited(0), "\(once)")
        }
        #expect(stage.webhook.messages.elements.map(\.status) == [503, 200])
        #expect(Set(stage.webhook.messages.elements.map(\.id)).count == 1)
    }

    @Test func `plan fails when Zimmer cannot be read`() async throws {
        let stage = try ProgramStage(Self.rules)
        stage.server.inject(.answer(.internalError), on: .board, times: nil)
        let plan = try await stage.command("plan", "-c", stage.rulesPath)
        #expect(plan.status == .exited(1))
        #expect(plan.standardError.contains("board was not read"), "\(plan)")
    }

    @Test func `the trail says what was decided and done, by rule and by session`() async throws {
        let stage = try ProgramStage(Self.rules)
        let failed = stage.addSession("Fix login", .failed)
        let resting = stage.addSession("Rests")
        let run = await (try stage.start("--once")).result()
        #expect(run.status == .exited(0))
        let bySession = try await stage.command("log", "--session", "\(failed)").standardOutput.split(separator: "\n")
        #expect(bySession.map(Self.kind) == ["started", "finished", "delivered"])
        let byRule = try await stage.command("log", "--rule", "hide-resting").standardOutput.split(separator: "\n")
        let time = #/[-0-9]{10}T[:0-9]{8}Z /#
        #expect((bySession + byRule).allSatisfy { $0.prefixMatch(of: time) != nil })
        #expect(byRule.map(Self.kind) == ["first_sight", "started", "attempting", "done", "finished"])

        let json = try await stage.command("log", "--json", "--session", "\(resting)")
        let lines = json.standardOutput.split(separator: "\n").compactMap { JSON(parsing: Array($0.utf8)) }
        #expect(lines.map { $0["kind"]?.text } == ["started", "attempting", "done", "finished"])
        #expect(lines.allSatisfy { $0["subject"]?["type"]?.text == "session" && $0["episode"]?.integer == 1 })
        #expect(lines.first?["values"]?["session.status"]?.text == "needs_input")
        let later = try await stage.command("log", "--since", "2100-01-01T00:00:00Z")
        #expect(later.status == .exited(0) && later.standardOutput.isEmpty)
    }

    private static func kind(_ line: Substring) -> String {
        line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }

    @Test func `the trail can be followed`() async throws {
        let stage = try ProgramStage(Self.rules)
        let daemon = try stage.start()
        try await stage.polls(1)
        let follower = try ChildProcess(
            ["log", "--follow", "--state", stage.statePath], environment: stage.environment)
        stage.addSession("Fix login", .failed)
        var following: [String] = []
        for await line in follower.lines {
            following.append(line)
            if line.contains(" delivered ") { break }
        }
        #expect(following.contains { $0.contains(" started failed-session") })
        await follower.kill()
        #expect(await daemon.stop() == .exited(0))
    }

    @Test func `the state has the fields that monitors read`() async throws {
        let stage = try ProgramStage(Self.rules)
        stage.webhook.answer(with: .hold(HTTPResponse(status: 200), for: nil))
        stage.addSession("Fix login", .failed)
        let daemon = try stage.start()
        try await stage.webhook.message(1)
        try await stage.polls(2)
        let status = try await stage.json("status")
        #expect(status["zimmer"]?["reachable"]?.flag == true)
        #expect(status["zimmer"]?["last_read_at"]?.text?.hasSuffix("Z") == true)
        #expect(status["zimmer"]?["error"] == .null)
        #expect(status["zimmer"]?["sign_in"]?.text == "ok")
        #expect(status["readers"]?[0]?["name"]?.text == "board")
        #expect(status["channels"]?[0]?["name"]?.text == "pager")
        #expect(status["channels"]?[0]?["waiting"]?.integer == 1)
        #expect(status["rules"]?.elements?.compactMap { $0["name"]?.text } == ["failed-session", "hide-resting"])
        #expect(status["rules"]?[0]?["active"]?.integer == 1)
        #expect(status["held"]?.elements?.isEmpty == true)
        let text = try await stage.command("status")
        #expect(text.status == .exited(0) && text.standardOutput.contains("failed-session"))
        await daemon.kill()
    }

    @Test func `a test message goes out past the queue, or says why not`() async throws {
        let stage = try ProgramStage(Self.rules)
        let sent = try await stage.command("send", "-c", stage.rulesPath, "pager", "hello **there**")
        #expect(sent.status == .exited(0), "\(sent)")
        let message = try await stage.webhook.accepted(1)
        #expect(message.body == "hello there")
        stage.webhook.answer(statuses: 500)
        let failed = try await stage.command("send", "-c", stage.rulesPath, "pager", "hello")
        #expect(failed.status == .exited(1))
        #expect(failed.standardError.contains("pager: ") && failed.standardError.contains("500"), "\(failed)")
        let unknown = try await stage.command("send", "-c", stage.rulesPath, "page", "hello")
        #expect(unknown.status == .exited(1))
        #expect(unknown.standardError.contains("did you mean 'pager'?"))
    }

    @Test(arguments: ["run", "run --bogus", "plan", "log --since soon", "send -c rules.yaml pager"])
    func `a wrong command line is 64`(line: String) async throws {
        try await Self.expect(.exited(64), of: line)
    }

    @Test(arguments: ["run -c missing.yaml", "plan -c missing.yaml", "send -c missing.yaml pager hello"])
    func `a configuration that cannot be used is 78`(line: String) async throws {
        try await Self.expect(.exited(78), of: line)
    }

    private static func expect(_ status: ChildProcess.ExitStatus, of line: String) async throws {
        let directory = try TemporaryDirectory()
        let arguments = line.split(separator: " ").map(String.init) + ["--state", directory.path("state")]
        let result = try await ChildProcess.run(arguments, environment: ["HOME": directory.path])
        #expect(result.status == status, "\(result)")
        #expect(result.standardOutput.isEmpty && !result.standardError.isEmpty)
    }

    @Test func `a secret that is missing stops the bot and is named, and one that is there is never shown`()
        async throws
    {
        let stage = try ProgramStage(Self.rules)
        var environment = stage.environment
        environment["PAGER_URL"] = nil
        let missing = try await ChildProcess.run(
            ["run", "-c", stage.rulesPath, "--state", stage.statePath], environment: environment)
        #expect(missing.status == .exited(78))
        #expect(missing.standardError.contains("PAGER_URL"), "\(missing)")

        stage.webhook.answer(statuses: 410)
        stage.addSession("Fix login", .failed)
        let run = await (try stage.start("--once")).result()
        let log = try await stage.command("log")
        for text in [run.standardError, run.standardOutput, log.standardOutput] {
            #expect(!text.contains(stage.server.apiKey) && !text.contains("/hook"), "\(text)")
        }
    }
}
