import BotTestSupport
import DemoZimmer
import Foundation
import Testing

/// What the program prints of its calls, and what it never prints.
@Suite(.timeLimit(.minutes(10)))
struct LogTests {
    private static let rules = """
        - name: snooze
          watch: session
          if: session.status == "needs_input"
          do: [{snooze: {for: 1d}}]
        - name: failed
          watch: session
          if: session.status == "failed"
          do: [{follow_up: {prompt: "a very private prompt"}}]
        """

    @Test func `every call is logged at the level debug, and no key, query or body at any`() async throws {
        let stage = try ProgramStage(Self.rules)
        let session = stage.addSession("Fix login")
        stage.addSession("Sync", .failed)
        stage.server.inject(
            .answer(.refusal(422, "Invalid", "it repeats X-API-Key: \(stage.server.apiKey)")), on: .followUp, times: nil
        )
        let daemon = try stage.start("--log", "debug")
        try await stage.server.request(matching: .visibility)
        try await stage.server.request(matching: .followUp)
        stage.server.inject(.answer(.refusal(401, "Unauthorized", "no \(stage.server.apiKey)")), on: .board, times: 3)
        try await stage.polls(5)
        daemon.signal(SIGTERM)
        let output = await daemon.result().standardError
        #expect(output.contains("info: wrote to Zimmer"))
        #expect(output.contains("path=\"/api/v1/sessions/\(session)/visibility\""))
        #expect(output.contains("x-request-id="))
        #expect(output.contains("warning: a write to Zimmer failed"))
        #expect(output.contains("debug: a call of Zimmer"))
        #expect(output.components(separatedBy: "warning: Zimmer cannot be read").count == 2)
        #expect(output.components(separatedBy: "info: Zimmer can be read again").count == 2)
        for secret in [stage.server.apiKey, "per_page", "a very private prompt"] { #expect(!output.contains(secret)) }
    }

    @Test func `the heartbeat is given while the bot works, and its address is nowhere`() async throws {
        let beats = try ScriptedServer { _ in [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))] }
        let stage = try ProgramStage(
            Self.rules, zimmer: "heartbeat: {url: {env: BEAT_URL}, every: 1s}",
            variables: ["BEAT_URL": "\(beats.url)/secret-ping"])
        let daemon = try stage.start("--log", "debug")
        await beats.received(3)
        stage.server.inject(.answer(.badGateway), times: nil)
        try await stage.polls(2)
        daemon.signal(SIGTERM)
        let result = await daemon.result()
        #expect(!(result.standardOutput + result.standardError).contains("secret-ping"))
        #expect(
            beats.requests.allSatisfy {
                $0.method == "GET" && $0.target == "/secret-ping" && $0.header("x-api-key") == nil
            })
    }

    @Test func `doctor says how all is, writes nothing, and shows no key`() async throws {
        let stage = try ProgramStage(Self.rules)
        let well = try await stage.command("doctor", "-c", stage.rulesPath)
        #expect(well.status == .exited(0), "\(well)")
        #expect(well.standardOutput.contains("ok: credentials: the API key is a full one"))
        #expect(well.standardOutput.contains("ok: channel pager: 127.0.0.1:"))
        #expect(!stage.directory.exists("state"))
        stage.server.update { $0.apiKeys = [] }
        let ill = try await stage.json("doctor", "-c", stage.rulesPath)
        #expect(ill.elements?.contains { $0["area"]?.text == "credentials" && $0["grade"]?.text == "problem" } == true)
        let failed = try await stage.command("doctor", "-c", stage.rulesPath)
        #expect(failed.status == .exited(1))
        #expect(!(well.standardOutput + failed.standardOutput + failed.standardError).contains(stage.server.apiKey))
        #expect(stage.server.writes.isEmpty)
    }

    @Test func `status says whether a bot runs, and log whether it knows the rule`() async throws {
        let stage = try ProgramStage(Self.rules)
        let daemon = try stage.start()
        try await stage.polls(2)
        #expect(try await stage.json("status")["running"]?.flag == true)
        #expect(try await stage.command("status").standardOutput.contains("runs: process "))
        let unknown = try await stage.command("log", "--rule", "snoze")
        #expect(unknown.status == .exited(1))
        #expect(unknown.standardError.contains("knows no rule 'snoze'"))
        #expect(unknown.standardError.contains("snooze"))
        #expect(await daemon.stop() == .exited(0))
        #expect(try await stage.json("status")["running"]?.flag == false)
    }
}
