import AdapterKit
import AdapterKitTesting
import BotTestSupport
import DemoZimmer
import Rules
import Testing

@testable import BotCore

@Suite(.timeLimit(.minutes(10))) struct DoctorTests {
    private let stage: DoctorStage
    private var server: DemoServer { stage.server }

    init() throws {
        stage = try DoctorStage()
    }

    private func findings(
        _ area: String, rules: String = DoctorStage.rules, key: String? = nil, url: String? = nil,
        clock: Duration = .zero
    ) async throws -> [Finding] {
        try await stage.findings(area, rules: rules, key: key, url: url, clock: clock)
    }

    @Test func `a Zimmer that is well and a full key are said to be so, with what the bot lets through`() async throws {
        let found = try await findings("")
        #expect(found.filter { $0.grade == .problem }.isEmpty)
        let texts = found.map(\.text)
        #expect(texts.contains { $0.hasSuffix("answers, and so do its database, cache and Redis") })
        #expect(texts.contains { $0.hasSuffix("The bot lets through: reads, and visibility") })
        #expect(texts.contains("this machine's clock and Zimmer's agree"))
        #expect(texts.contains { $0.contains("lists health, costs, notifications, triggers, the backlog") })
        #expect(server.writes.isEmpty)
    }

    @Test func `a Zimmer whose database is away is told from one that is away`() async throws {
        server.update { $0.failedDependencies = ["database"] }
        let failing = try await findings("zimmer")
        #expect(failing.first?.grade == .problem)
        #expect(failing.first?.text.contains("answers that it cannot work") == true)
        let away = try await findings("zimmer", url: "http://127.0.0.1:1")
        #expect(away.map(\.grade) == [.problem])
        #expect(away.first?.text.hasPrefix("Zimmer cannot be reached") == true)
    }

    @Test func `a key that nobody knows, a token, and a plugin's key are told apart`() async throws {
        let unknown = try await findings("credentials", key: "zmr_nobody")
        #expect(unknown.map(\.grade) == [.problem])
        #expect(unknown.first?.text.contains("revoked, mistyped, or a Quick Router key") == true)
        #expect(unknown.first?.advice?.contains("Settings → API keys") == true)
        let token = try await findings("credentials", key: "zmr_oat_token")
        #expect(token.first?.text.contains("a token of a sign-in, not an API key") == true)
        let pattern = RequestPattern("GET", "/api/v1/external_app/triggers")
        server.inject(.answer(.json(["triggers": []])), on: pattern, times: nil)
        let plugin = try await findings("credentials", key: "zmr_plugin")
        #expect(plugin.first?.text.contains("the key of a Zimmer plugin") == true)
        #expect((unknown + token + plugin).allSatisfy { !$0.text.contains("zmr_") })
    }

    @Test func `a gate, a tunnel and a login page are said with what to do`() async throws {
        server.inject(.answer(.edgeRedirect), times: nil)
        #expect(try await findings("zimmer").first?.text.contains("zimmer.edge_token") == true)
        server.clearFaults()
        server.inject(.answer(.tunnelNotFound), times: nil)
        #expect(try await findings("zimmer").first?.text.contains("route /api/v1") == true)
    }

    @Test func `clocks that differ are said`() async throws {
        let found = try await findings("clock", clock: .seconds(-300))
        #expect(found.map(\.grade) == [.warning])
        #expect(found.first?.text.contains("5 min ahead of this machine's") == true)
    }

    @Test func `what this Zimmer lacks is a problem where a rule needs it`() async throws {
        server.inject(.answer(.routeNotFound), on: RequestPattern("GET", "/api/v1/work_backlog_items"), times: nil)
        let unneeded = try await findings("features")
        #expect(unneeded.map(\.grade).contains(.note))
        #expect(!unneeded.map(\.grade).contains(.problem))
        let rules = """
              - {name: backlog, watch: backlog, if: "backlog.pinned", do: [{post: ops, text: pinned}]}
            """
        #expect(try await findings("features", rules: rules).map(\.grade).contains(.problem))
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html>Sign in</html>", "a web page of 35 bytes"),
        ("{}", "JSON of 2 bytes that is not Zimmer's"),
        (#"{"status": "ok"}"#, "JSON of 16 bytes"), ("OK", "a text of 2 bytes"), ("", "an empty answer"),
    ])
    func `a success of somebody else is not taken for Zimmer's health`(body: String, words: String) async throws {
        let answer = DemoZimmer.HTTPResponse(status: 200, body: Array(body.utf8))
        server.inject(.answer(answer), on: RequestPattern("GET", "/up/deep"), times: nil)
        let found = try await findings("zimmer")
        #expect(found.first?.grade == .problem)
        #expect(found.first?.text.contains("/up/deep is not answered by Zimmer: \(words)") == true)
        #expect(found.first?.advice?.contains("zimmer.url") == true)
        #expect(found.contains { $0.text.hasPrefix("the API answers") })
    }

    @Test(arguments: [
        (30 * 86_400, Finding.Grade.ok, "for another 30 d"), (3_600, .warning, "for another 1 h"),
        (-60, .problem, "life ended at 2"), (9_000 * 86_400, .warning, "which no gate gives"),
    ])
    func `when the gate's token ends is said`(left: Int64, grade: Finding.Grade, words: String) async throws {
        let end = server.now.millisecondsSince1970 / 1_000 + left
        let token = try EdgePassTests.token(#"{"exp":\#(end)}"#).secret.exposed
        let found = try await stage.findings(
            "credentials", zimmer: "edge_token: {env: EDGE}", environment: ["EDGE": token]
        ).filter { $0.text.contains("edge token") }
        #expect(found.map(\.grade) == [grade])
        #expect(found.first?.text.contains(words) == true, "\(found)")
        #expect(found.first?.text.contains(token) == false)
    }

    @Test func `a gate's token that no header can carry is a problem, and is not sent`() async throws {
        let found = try await stage.findings(
            "secrets", zimmer: "edge_token: {env: EDGE}", environment: ["EDGE": "\"eyJ.a.b\""])
        #expect(found.map(\.grade) == [.problem])
        #expect(found.first?.text.contains("has quotation marks in it: put the token alone there") == true)
        #expect(server.requests.elements.allSatisfy { $0.request.header("cf-access-token") == nil })
    }

    @Test func `what run refuses is a problem, once`() async throws {
        let refusal = RuleDiagnostic(
            .error, "rule 'x' has 'confirm'", at: SourcePosition(file: "rules.yaml", line: 7, column: 1))
        let found = try await stage.findings("rules", refusals: [refusal])
        #expect(found == [Finding("rules", .problem, "'run' refuses line 7: rule 'x' has 'confirm'")])
        #expect(try await stage.findings("rules").map(\.grade) == [.ok])
    }
}
