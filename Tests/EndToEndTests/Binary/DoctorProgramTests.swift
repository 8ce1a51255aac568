import BotTestSupport
import DemoZimmer
import Foundation
import Testing

/// `doctor`, as an operator calls it.
@Suite(.timeLimit(.minutes(10)))
struct DoctorProgramTests {
    private static let plain = """
        - name: failed
          watch: session
          if: session.status == "failed"
          do: [{post: pager, text: failed}]
        """
    private static let confirming = """
        - name: asks
          watch: session
          if: session.status == "failed"
          do:
            - archive: {from: [failed]}
              confirm: {in: chat, by: ["ann"], within: 1h}
        - name: called
          command: fix
          do: [{post: pager, text: fixed}]
        """
    private static let chat = """
        chat: {adapter: irc, server: 127.0.0.1, port: 1, tls: false, nick: bot, channel: "#ops"}
        """

    @Test func `it says what run refuses, in the same words, and well of a file that run takes`() async throws {
        let stage = try ProgramStage(Self.confirming, channels: Self.chat)
        let run = try await stage.command("run", "--once", "-c", stage.rulesPath)
        let doctor = try await stage.command("doctor", "-c", stage.rulesPath)
        #expect(run.status == .exited(78), "\(run)")
        #expect(doctor.status == .exited(1))
        for words in ["rule 'asks' has 'confirm', which this version", "rule 'called' has 'command: fix', which"] {
            #expect(run.standardError.contains(words))
            #expect(doctor.standardOutput.contains("problem: rules: 'run' refuses line "))
            #expect(doctor.standardOutput.components(separatedBy: words).count == 2, "\(doctor)")
        }
        let well = try ProgramStage(Self.plain)
        let other = try await well.command("doctor", "-c", well.rulesPath)
        #expect(other.status == .exited(0))
        #expect(other.standardOutput.contains("ok: rules: 'run' takes the file: 1 rules"))
    }

    @Test(arguments: [
        ("heartbeat: {url: {env: BEAT}}", "BEAT", "no address"), ("edge_token: {env: EDGE}", "EDGE", "\"eyJ.a.b\""),
        ("edge_token: {env: EDGE}", "EDGE", "cf-access-token: eyJ.a.b"),
        ("edge_token: {env: EDGE}", "EDGE", "eyJ.ä.b"),
    ])
    func `a credential that run refuses is a problem, said once and not shown`(
        setting: String, name: String, value: String
    ) async throws {
        let stage = try ProgramStage(Self.plain, zimmer: setting, variables: [name: value])
        let run = try await stage.command("run", "--once", "-c", stage.rulesPath)
        let doctor = try await stage.command("doctor", "-c", stage.rulesPath)
        #expect(run.status == .exited(78), "\(run)")
        #expect(doctor.status == .exited(1))
        #expect(doctor.standardOutput.components(separatedBy: "\nproblem: ").count == 2, "\(doctor)")
        #expect(stage.server.requests.elements.allSatisfy { $0.request.header("cf-access-token") == nil })
        for text in [run.standardError, doctor.standardOutput] { #expect(!text.contains(value)) }
    }

    @Test func `check warns of an API key that run refuses`() async throws {
        let stage = try ProgramStage(Self.plain)
        var environment = stage.environment
        environment["ZIMMER_API_KEY"] = "X-API-Key: zmr_hunter2"
        let result = try await ChildProcess.run(["check", stage.rulesPath], environment: environment)
        #expect(result.status == .exited(0))
        #expect(result.standardError.contains("warning: the API key has 'x-api-key' before it: put the key alone"))
        #expect(!result.standardError.contains("hunter2"))
    }

    @Test func `check warns of an edge token that run refuses, and of an end that is no time`() async throws {
        let quoted = try ProgramStage(
            Self.plain, zimmer: "edge_token: {env: EDGE}", variables: ["EDGE": "'eyJ.a.b'"])
        let first = try await ChildProcess.run(["check", quoted.rulesPath], environment: quoted.environment)
        #expect(first.status == .exited(0))
        #expect(first.standardError.contains("warning: the edge token has quotation marks in it: put the token alone"))
        // {"exp":"soon"}
        let odd = try ProgramStage(
            Self.plain, zimmer: "edge_token: {env: EDGE}", variables: ["EDGE": "e30.eyJleHAiOiJzb29uIn0.x"])
        let second = try await ChildProcess.run(["check", odd.rulesPath], environment: odd.environment)
        #expect(
            second.standardError.contains("warning: what the edge token for Zimmer has as its end ('exp') is no time"))
    }

    @Test func `a mail server is reached without a mail`() async throws {
        let mail = try ScriptedServer { _ in [] }
        func doctor(_ port: UInt16) async throws -> String {
            let stage = try ProgramStage(
                Self.plain,
                channels:
                    "mail: {adapter: email, server: 'smtp://127.0.0.1:\(port)', tls: false, from: a@b.c, to: [d@e.f]}")
            return try await stage.command("doctor", "-c", stage.rulesPath).standardOutput
        }
        #expect(try await doctor(mail.port).contains("ok: channel mail: 127.0.0.1:\(mail.port) can be reached\n"))
        #expect(mail.requests.isEmpty)
        #expect(try await doctor(1).contains("problem: channel mail: 127.0.0.1:1 cannot be reached: "))
    }
}
