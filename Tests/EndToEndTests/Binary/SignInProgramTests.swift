import BotCore
import BotTestSupport
import DemoZimmer
import Foundation
import Testing

/// `login`, `logout` and a bot that is signed in, as the real program.
@Suite(.timeLimit(.minutes(10)))
struct SignInProgramTests {
    private static let rules = """
        - name: failed-session
          watch: session
          if: session.status == "failed"
          do: [{post: pager, text: "{{ session.title }} failed"}]

        """

    /// With `zimmer.sign_in`, which `ProgramStage` has not.
    private func stage(_ keys: String = "sign_in: {client: zimmer-ios, person: \"@pat:example.org\"}") throws
        -> ProgramStage
    {
        let stage = try ProgramStage(Self.rules, variables: ["EDGE_TOKEN": "edge_hunter2"])
        let text = try String(contentsOfFile: stage.rulesPath, encoding: .utf8)
        try stage.directory.write(
            text.replacing("  poll:", with: keys.split(separator: "\n").map { "  \($0)\n" }.joined() + "  poll:"),
            to: "rules.yaml")
        return stage
    }

    private func login(_ stage: ProgramStage, _ options: String...) throws -> ChildProcess {
        try ChildProcess(
            ["login", "-c", stage.rulesPath, "--state", stage.statePath] + options, environment: stage.environment,
            input: nil, companion: stage)
    }

    /// The address that it prints for a browser.
    private func address(_ child: ChildProcess) async throws -> String {
        for await line in child.lines where line.contains("/oauth/authorize?") { return line }
        throw CancellationError()
    }

    private func signIn(_ stage: ProgramStage, actsForPerson: Bool = true) async throws -> ChildProcess.Result {
        let child = try login(stage)
        let url = try await address(child)
        child.enter(try #require(stage.server.decide(.approve(actsForPerson: actsForPerson), at: url)))
        return await child.result()
    }

    private func file(_ stage: ProgramStage) throws -> JSON {
        try #require(JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: stage.statePath + "/sign-in.json")))))
    }

    /// Its last minute has begun.
    private func letExpire(_ stage: ProgramStage) throws {
        let path = stage.statePath + "/sign-in.json"
        let due = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(/"expires_at":"[^"]*"/, with: "\"expires_at\":\"2026-01-01T00:00:00Z\"")
        try due.write(toFile: path, atomically: false, encoding: .utf8)
    }

    @Test func `a person signs the bot in, and out again`() async throws {
        let stage = try stage()
        let result = try await signIn(stage)
        #expect(result.status == .exited(0))
        #expect(result.standardOutput.contains("shows as \"Zimmer for iOS\""))
        #expect(result.standardOutput.contains("60 seconds"))
        #expect(result.standardOutput.contains("@pat:example.org"))
        #expect(result.standardOutput.hasSuffix("Signed in: acts on the person's behalf.\n"))
        let tokens = try ["access_token", "refresh_token"].map { try #require(file(stage)[$0]?.text) }
        for token in tokens { #expect(!(result.standardOutput + result.standardError).contains(token)) }

        let out = try await stage.command("logout", "-c", stage.rulesPath)
        #expect(out.status == .exited(0))
        #expect(out.standardOutput == "Signed out.\n")
        #expect(stage.server.state.oauth.connections.map(\.isRevoked) == [true])
        #expect(!stage.directory.exists("state/sign-in.json"))
        let again = try await stage.command("logout")
        #expect(again.standardOutput == "Nobody is signed in.\n")
    }

    @Test func `the demo's page lets a person say yes`() async throws {
        let stage = try stage()
        let child = try login(stage)
        let url = try await address(child)
        let transport = CurlTransport()
        let page = try await transport.send(HTTPRequest(.get, url, isRepeatable: true))
        #expect(String(decoding: page.body, as: UTF8.self).contains("<button name=\"decision\" value=\"act\">"))
        let yes = HTTPRequest(.post, url, body: Array("decision=act".utf8), isRepeatable: false)
        child.enter(try #require(try await transport.send(yes).header("location")))
        await transport.shutdown()
        #expect(await child.result().standardOutput.hasSuffix("Signed in: acts on the person's behalf.\n"))
    }

    @Test func `what is wrong is said, and another paste may be right`() async throws {
        let stage = try stage()
        let child = try login(stage)
        let url = try await address(child)
        let right = try #require(stage.server.decide(.approve(actsForPerson: false), at: url))
        child.enter("")
        child.enter(url)
        child.enter(right.replacing("state=", with: "state=x"))
        child.enter(right)
        let result = await child.result()
        #expect(result.status == .exited(0))
        let complaints = result.standardError.split(separator: "\n").filter { $0.hasPrefix("zimmer-bot:") }
        #expect(complaints.count == 3)
        #expect(complaints.last?.contains("answers another sign-in") == true)
        #expect(result.standardOutput.contains("Signed in: relay only.\nWith this level nothing counts as your word"))
    }

    @Test(arguments: [
        ("iss=", "iss=https%3A%2F%2Fevil.example%2F", "does not come from"), ("", "", "nothing was pasted"),
        ("code=", "code=x", "Zimmer did not take the code (invalid_grant"),
    ])
    func `what is no yes signs nobody in`(from: String, to: String, reason: String) async throws {
        let stage = try stage()
        let child = try login(stage)
        let url = try await address(child)
        let right = try #require(stage.server.decide(.approve(actsForPerson: true), at: url))
        if !from.isEmpty { child.enter(right.replacing(from, with: to)) }
        child.endInput()
        let result = await child.result()
        #expect(result.status == .exited(1))
        #expect(result.standardError.contains(reason), "\(result)")
        #expect(!stage.directory.exists("state/sign-in.json"))
    }

    @Test func `a person who says no is heard, and a Zimmer of another name is noticed before`() async throws {
        let stage = try stage()
        let child = try login(stage)
        child.enter(try #require(stage.server.decide(.deny, at: try await address(child))))
        let denied = await child.result()
        #expect(denied.status == .exited(1))
        #expect(denied.standardError.contains("the person did not approve"))

        stage.server.update { $0.oauth.issuer = "https://zimmer.example.com" }
        let other = await (try login(stage)).result()
        #expect(other.status == .exited(1))
        #expect(other.standardError.contains("Zimmer calls itself https://zimmer.example.com"))
    }

    @Test func `without 'sign_in' nobody can sign in`() async throws {
        let stage = try ProgramStage(Self.rules)
        let result = try await stage.command("login", "-c", stage.rulesPath)
        #expect(result.status == .exited(78))
        #expect(result.standardError.contains("has no zimmer.sign_in"))
        #expect(stage.server.requests.count == 0)
    }

    @Test func `a client of its own is registered, and what it cannot do is said`() async throws {
        let stage = try ProgramStage(Self.rules)
        let made = try await stage.json("login", "-c", stage.rulesPath, "--register")
        let client = try #require(made["client"]?.text)
        #expect(client.hasPrefix("zmc_"))
        let other = try self.stage("sign_in: {client: \(client), person: pat}")
        // Another Zimmer, which does not know it: its page says so, and nothing is pasted.
        let child = try login(other)
        let url = try await address(child)
        #expect(other.server.decide(.approve(actsForPerson: true), at: url) == nil)
        child.endInput()
        let result = await child.result()
        #expect(result.standardOutput.contains("whose sign-ins open /mcp alone"))
        #expect(result.status == .exited(1))
    }

    @Test func `a sign-in that Zimmer cannot be told of stays, unless it is to be forgotten`() async throws {
        let stage = try stage()
        _ = try await signIn(stage)
        stage.server.inject(.answer(.databaseBusy), on: RequestPattern("POST", "/oauth/revoke"))
        let kept = try await stage.command("logout", "-c", stage.rulesPath)
        #expect(kept.status == .exited(1))
        #expect(kept.standardError.contains("the sign-in is kept"))
        #expect(stage.directory.exists("state/sign-in.json"))
        let forgotten = try await stage.command("logout", "--forget")
        #expect(forgotten.status == .exited(0))
        #expect(!stage.directory.exists("state/sign-in.json"))
        #expect(stage.server.state.oauth.connections.map(\.isRevoked) == [false])
    }

    @Test func `a file that is damaged or open to others is left to a person`() async throws {
        let stage = try stage()
        _ = try await signIn(stage)
        let path = stage.statePath + "/sign-in.json"
        try Data("{".utf8).write(to: URL(filePath: path))
        for command in [["login", "-c", stage.rulesPath], ["logout"]] {
            let result = try await stage.command(command)
            #expect(result.status == .exited(1))
            #expect(result.standardError.contains("is damaged; move it away"))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "{")
    }

    @Test func `while a bot runs nobody signs in or out`() async throws {
        let stage = try stage()
        _ = try await signIn(stage)
        let daemon = try stage.start()
        try await stage.polls(1)
        for command in [["login", "-c", stage.rulesPath], ["logout"]] {
            let result = try await stage.command(command)
            #expect(result.status == .exited(1))
            #expect(result.standardError.contains("stop that one first"))
        }
        #expect(await daemon.stop() == .exited(0))
        #expect(stage.server.state.oauth.connections.map(\.isRevoked) == [false])
    }

    @Test func `a bot keeps its sign-in alive, and no token is seen anywhere`() async throws {
        let stage = try stage(
            "sign_in: {client: zimmer-ios, person: \"@pat:example.org\"}\nedge_token: {env: EDGE_TOKEN}")
        let login = try await signIn(stage)
        var tokens = try ["access_token", "refresh_token"].map { try #require(file(stage)[$0]?.text) }
        try letExpire(stage)
        let daemon = try stage.start()
        try await stage.server.request(2, matching: .token)
        try await stage.polls()
        let status = try await stage.json("status")
        #expect(status["zimmer"]?["sign_in"] == "ok")
        #expect(status["zimmer"]?["acting"]?["state"] == "ok")
        #expect(status["zimmer"]?["acting"]?["level"] == "acting")
        #expect(await daemon.stop() == .exited(0))
        tokens += try ["access_token", "refresh_token"].map { try #require(file(stage)[$0]?.text) }
        tokens.append("edge_hunter2")
        #expect(Set(tokens).count == 5)
        let result = await daemon.result()
        let page = try await stage.command("status")
        var texts = [login, result, page].flatMap { [$0.standardOutput, $0.standardError] }
        texts.append("\(status)")
        for (name, data) in try stage.directory.contents(of: "state") where name != "sign-in.json" {
            texts.append(String(decoding: data, as: UTF8.self))
        }
        for text in texts { for token in tokens { #expect(!text.contains(token)) } }
        // The board is read with the key, never as the person.
        let reads = stage.server.received(.board)
        #expect(!reads.isEmpty)
        #expect(reads.allSatisfy { $0.request.header("authorization") == nil })
    }

    /// A Zimmer that forgives, and one that takes the second time for an end.
    @Test(arguments: [(true, "ok"), (false, "expired")])
    func `killed while its sign-in is renewed, it asks once more with the same token, and knows how it stands`(
        forgives: Bool, state: String
    ) async throws {
        let stage = try stage()
        if forgives { stage.server.update { $0.oauth.reuse = .forgivesLostAnswers } }
        _ = try await signIn(stage)
        try letExpire(stage)
        stage.server.inject(.hold(nil), on: .token)
        let killed = try stage.start()
        try await stage.server.request(2, matching: .token)
        await killed.kill()
        stage.server.releaseHeld()
        let kept = try file(stage)
        #expect(kept["doubted_since"]?.text != nil)

        let next = try stage.start()
        try await stage.server.request(3, matching: .token)
        try await stage.polls()
        #expect(try await stage.json("status")["zimmer"]?["acting"]?["state"]?.text == state)
        #expect(await next.stop() == .exited(0))
        let presented = stage.server.received(.token).dropFirst()
        #expect(presented.count == 2)
        #expect(Set(presented.map(\.request.body)).count == 1)
        #expect(stage.server.state.oauth.connections.map(\.isRevoked) == [false])
        #expect(try (file(stage)["refresh_token"] != nil) == forgives)
    }

    @Test func `an end of the sign-in is told to people, and rules see it`() async throws {
        let stage = try ProgramStage(
            Self.rules
                + """
                - name: sign-in
                  watch: zimmer
                  if: zimmer.sign_in == "expired"
                  do: [{post: pager, text: "somebody has to sign in"}]

                """, settings: "notices: {channels: [pager]}")
        let text = try String(contentsOfFile: stage.rulesPath, encoding: .utf8)
        try stage.directory.write(
            text.replacing("  poll:", with: "  sign_in: {client: zimmer-ios, person: pat}\n  poll:"), to: "rules.yaml")
        _ = try await signIn(stage)
        stage.server.update { $0.oauth.connections[0].revoke() }
        try letExpire(stage)
        let daemon = try stage.start()
        try await stage.webhook.messages.wait { $0.body == "somebody has to sign in" }
        try await stage.webhook.messages.wait { $0.body?.contains("Nothing can be done as a person in Zimmer") == true }
        try await stage.polls()
        #expect(try await stage.json("status")["zimmer"]?["acting"]?["state"] == "expired")
        #expect(await daemon.stop() == .exited(0))
        #expect(stage.delivered.count { $0.body?.contains("Nothing can be done as a person") == true } == 1)
        #expect(try file(stage)["refresh_token"] == nil)
    }
}
