import Testing

@testable import DemoZimmer

/// Signing in, as Zimmer has it, and the gate that may stand before it.
@Suite struct SignInTests {
    private let server: DemoServer
    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let appRedirect = "com.tadasant.zimmer:/oauth/callback"

    init() throws {
        server = try DemoServer()
    }

    private var client: HTTPClient { HTTPClient(port: server.port) }

    private func address(
        client: String = "zimmer-ios", redirect: String = appRedirect, challenge: String = challenge,
        method: String = "S256", resource: String? = nil
    ) -> String {
        "\(server.url)/oauth/authorize?response_type=code&client_id=\(client)&redirect_uri=\(redirect)&state=s"
            + "&code_challenge=\(challenge)&code_challenge_method=\(method)&resource=\(resource ?? server.url + "/mcp")"
    }

    private func code(_ address: String) throws -> String {
        let location = try #require(server.decide(.approve(actsForPerson: true), at: address))
        return String(try #require(location.firstMatch(of: /code=([^&]*)/)?.output.1))
    }

    private func exchange(_ code: String, _ change: (inout JSON) -> Void = { _ in }) async throws -> HTTPResponse {
        var body: JSON = [
            "grant_type": "authorization_code", "client_id": "zimmer-ios", "code": .string(code),
            "code_verifier": .string(Self.verifier), "redirect_uri": .string(Self.appRedirect),
            "resource": .string(server.url + "/mcp"),
        ]
        change(&body)
        return try await client.post("/oauth/token", body)
    }

    private func refresh(_ token: String, client id: String = "zimmer-ios") async throws -> HTTPResponse {
        try await client.post(
            "/oauth/token",
            ["grant_type": "refresh_token", "client_id": .string(id), "refresh_token": .string(token)])
    }

    private func status(_ token: String, _ path: String = "/api/v1/sessions") async throws -> Int {
        try await client.get(path, headers: [("Authorization", "Bearer \(token)")]).status
    }

    private func signIn() async throws -> (access: String, refresh: String) {
        let answer = try await exchange(code(address())).json
        return (try #require(answer["access_token"]?.text), try #require(answer["refresh_token"]?.text))
    }

    @Test func `a code is given to the right client and redirect, with state and issuer`() throws {
        let location = try #require(server.decide(.approve(actsForPerson: true), at: address()))
        #expect(location.hasPrefix(Self.appRedirect + "?code="))
        #expect(location.hasSuffix("&state=s&iss=http%3A%2F%2F127.0.0.1%3A\(server.port)"))
        #expect(server.decide(.deny, at: address())?.contains("error=access_denied") == true)
        #expect(server.decide(.deny, at: address(client: "zmc_nobody")) == nil)
        #expect(server.decide(.deny, at: address(redirect: "http://127.0.0.1:1/callback")) == nil)
        let asks = { self.server.decide(.approve(actsForPerson: true), at: $0) ?? "" }
        #expect(asks(address(challenge: "short")).contains("error=invalid_request"))
        #expect(asks(address(method: "plain")).contains("error=invalid_request"))
        #expect(asks(address(resource: "https://else.example/mcp")).contains("error=invalid_target"))
        #expect(asks(address(resource: server.url + "/mcp/?x=1")).contains("code="))
    }

    @Test func `a code is exchanged once, within a minute, by whoever has its verifier`() async throws {
        let first = try code(address())
        let answer = try await exchange(first)
        #expect(answer.status == 200)
        #expect(answer.header("cache-control") == "no-store")
        #expect(answer.json["expires_in"] == 3600)
        #expect(answer.json["scope"] == "mcp zimmer:act-as-human")
        #expect(try await exchange(first).json["error"] == "invalid_grant")
        let late = try code(address())
        server.advance(by: .seconds(61))
        #expect(try await exchange(late).json["error"] == "invalid_grant")
        let wrong = try code(address())
        let other = try await exchange(wrong) { $0["code_verifier"] = .string(String(repeating: "a", count: 43)) }
        #expect(other.json["error"] == "invalid_grant")
        let target = try await exchange(code(address())) { $0["resource"] = "https://else.example/mcp" }
        #expect(target.json["error"] == "invalid_target")
        let unknown = try await exchange(code(address())) { $0["client_id"] = "zmc_nobody" }
        #expect(unknown.status == 401)
        #expect(unknown.json["error"] == "invalid_client")
        #expect(try await exchange("x") { $0["grant_type"] = "password" }.json["error"] == "unsupported_grant_type")
    }

    @Test func `a token opens what is opened to it, until it ends`() async throws {
        let tokens = try await signIn()
        #expect(try await status(tokens.access) == 200)
        #expect(try await status(tokens.access, "/api/v1/work_backlog_items") == 401)
        #expect(try await status("zmr_oat_other") == 401)
        server.advance(by: .hours(1))
        #expect(try await status(tokens.access) == 401)
        let next = try await refresh(tokens.refresh)
        #expect(next.status == 200)
        #expect(try await status(next.json["access_token"]?.text ?? "") == 200)
    }

    @Test func `a spent token is refused for a minute, and ends the connection after it`() async throws {
        let tokens = try await signIn()
        let second = try await refresh(tokens.refresh).json["refresh_token"]?.text ?? ""
        server.advance(by: .seconds(60))
        #expect(try await refresh(tokens.refresh).json["error"] == "invalid_grant")
        let third = try await refresh(second).json
        #expect(third["error"] == nil)
        server.advance(by: .seconds(61))
        #expect(try await refresh(second).json["error"] == "invalid_grant")
        #expect(try await status(third["access_token"]?.text ?? "") == 401)
        #expect(try await refresh(third["refresh_token"]?.text ?? "").json["error"] == "invalid_grant")
    }

    @Test func `newer servers give a lost answer again, but not a used one`() async throws {
        server.update { $0.oauth.reuse = .forgivesLostAnswers }
        let tokens = try await signIn()
        _ = try await refresh(tokens.refresh)
        server.advance(by: .minutes(10))
        let again = try await refresh(tokens.refresh).json
        #expect(try await status(again["access_token"]?.text ?? "") == 200)
        #expect(try await refresh(tokens.refresh).json["error"] == "invalid_grant")
    }

    @Test func `revoking either token ends the connection, and is never refused`() async throws {
        let (first, second) = (try await signIn(), try await signIn())
        for token in [first.access, second.refresh, "unknown"] {
            let answer = try await client.post("/oauth/revoke", ["token": .string(token)])
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
        }
        #expect(try await status(first.access) == 401)
        #expect(try await refresh(first.refresh).json["error"] == "invalid_grant")
        #expect(try await status(second.access) == 401)
    }

    @Test func `a registered client signs in, and the API stays closed to it`() async throws {
        let redirect = "http://127.0.0.1:8976/callback"
        let made = try await client.post("/oauth/register", ["redirect_uris": [.string(redirect)]])
        #expect(made.status == 201)
        let id = try #require(made.json["client_id"]?.text)
        let code = try code(address(client: id, redirect: redirect))
        let answer = try await exchange(code) {
            $0["client_id"] = .string(id)
            $0["redirect_uri"] = .string(redirect)
        }
        #expect(answer.status == 200)
        #expect(try await status(answer.json["access_token"]?.text ?? "") == 401)
        for redirect in ["com.example:/callback", "http://example.com/callback", "https://a@b/", "https://a/#x", ""] {
            let refused = try await client.post("/oauth/register", ["redirect_uris": [.string(redirect)]])
            #expect(refused.status == 400)
        }
    }

    @Test func `a deployment without an address of its own signs nobody in`() async throws {
        let described = try await client.get("/.well-known/oauth-authorization-server/mcp")
        #expect(described.json["issuer"]?.text == server.url)
        #expect(
            try await client.get("/.well-known/oauth-protected-resource").json["resource"]?.text == server.url + "/mcp")
        server.update { $0.oauth.issuer = nil }
        #expect(try await client.get("/.well-known/oauth-authorization-server").status == 503)
        #expect(server.decide(.approve(actsForPerson: true), at: address()) == nil)
    }

    @Test func `a gate lets nothing through to the machine's paths without its token`() async throws {
        server.update { $0.edge = EdgeGate(["pass"]) }
        let keyed = HTTPClient(server)
        let refused = try await keyed.get("/api/v1/sessions")
        #expect(refused.status == 302)
        #expect(refused.header("x-request-id") == nil)
        #expect(try await refresh("x").status == 302)
        #expect(try await client.get("/oauth/authorize").status == 200)
        #expect(try await keyed.get("/api/v1/sessions", headers: [("cf-access-token", "pass")]).status == 200)
    }
}
