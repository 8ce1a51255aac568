import BotTestSupport
import CEL
import DemoZimmer
import Foundation
import Testing

@testable import BotCore

@Suite struct AuthorizationRequestTests {
    private static let issuer = "https://zimmer.example.com"

    /// RFC 7636, appendix B.
    private static let octets: [UInt8] = [
        116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240,
        91, 88, 5, 88, 83, 132, 141, 121,
    ]

    private let question = AuthorizationRequest(.zimmerIOS, issuer: issuer) { _ in Self.octets }
    private static let state = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let good =
        "com.tadasant.zimmer:/oauth/callback?code=zmr_code_1&state=\(state)&iss=https%3A%2F%2Fzimmer.example.com"

    @Test func `the address asks for a code with the hash of a verifier`() {
        #expect(
            question.url
                == "https://zimmer.example.com/oauth/authorize?response_type=code&client_id=zimmer-ios"
                + "&redirect_uri=com.tadasant.zimmer%3A%2Foauth%2Fcallback"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
                + "&state=\(Self.state)&resource=https%3A%2F%2Fzimmer.example.com%2Fmcp")
    }

    @Test func `no two questions are alike`() {
        let questions = (0..<100).map { _ in AuthorizationRequest(.zimmerIOS, issuer: Self.issuer) }
        #expect(Set(questions.map(\.url)).count == 100)
    }

    @Test(arguments: [
        good, "  \(good)\r", "\"\(good)\"", "<\(good)>",
        "Failed to launch '\(good)' because the scheme has no handler.",
        good + "#", good.replacing("iss=https%3A%2F%2Fzimmer.example.com", with: "iss=https://zimmer.example.com"),
    ])
    func `the code is found in what was pasted`(pasted: String) throws {
        let code = try question.code(in: pasted)
        #expect(code.secret.exposed == "zmr_code_1")
        #expect(code.verifier.exposed == Self.state)
    }

    @Test(arguments: [
        ("", "that is not the address"), ("zmr_code_1", "that is not the address"),
        ("https://zimmer.example.com/oauth/authorize?client_id=zimmer-ios", "that is not the address"),
        (String(repeating: "\u{0}é", count: 10_000), "that is not the address"),
        (good.replacing("zmr_code_1", with: "%zz"), "that is not the address"),
        (good.replacing("zmr_code_1", with: "%F"), "that is not the address"),
        (good.replacing("zmr_code_1", with: "%FF"), "that is not the address"),
        (good + "&code=zmr_code_2", "that address has 'code' twice"),
        (good + "&x=1&x=2", "that address has 'something' twice"),
        (good.replacing(state, with: "x"), "that address answers another sign-in"),
        (good.replacing("state=", with: "stat="), "that address answers another sign-in"),
        (good.replacing("zimmer.example.com", with: "evil.example.com"), "that address does not come from"),
        (good.replacing("&iss=", with: "&is="), "that address does not come from"),
        (good.replacing("code=zmr_code_1", with: "error=access_denied"), "the person did not approve"),
        (good.replacing("code=zmr_code_1", with: "error=invalid_target"), "Zimmer did not accept the request"),
        (good.replacing("code=zmr_code_1&", with: ""), "that address has no code"),
        (good.replacing("zmr_code_1", with: ""), "that address has no code"),
    ])
    func `what is no person's yes is refused, and is not shown`(pasted: String, reason: String) {
        let error = #expect(throws: RedirectError.self) { try question.code(in: pasted) }
        #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("zmr_code") == false)
    }

    @Test func `the state is not compared by how it looks`() {
        let decomposed = AuthorizationRequest(.zimmerIOS, issuer: "https://e\u{301}.example") { _ in Self.octets }
        let pasted = Self.good.replacing("https%3A%2F%2Fzimmer.example.com", with: "https://%C3%A9.example")
        #expect(throws: RedirectError.wrongIssuer(expected: "https://e\u{301}.example")) {
            try decomposed.code(in: pasted)
        }
    }

    // MARK: - Against a Zimmer

    private func exchange(
        _ stage: SignInStage, _ client: SignInClient = .zimmerIOS, after wait: Duration = .zero,
        _ change: (inout AuthorizationCode) -> Void = { _ in }
    ) async throws -> TokenPair {
        let question = AuthorizationRequest(client, issuer: stage.server.url)
        let answer = try #require(stage.server.decide(.approve(actsForPerson: true), at: question.url))
        var code = try question.code(in: answer)
        change(&code)
        stage.server.advance(by: wait)
        return try await stage.endpoint().exchange(code, asked: stage.clock.now())
    }

    @Test func `a code is good for a minute, once, and with its verifier alone`() async throws {
        let stage = try SignInStage()
        #expect(try await exchange(stage, after: .seconds(60)).level == .acting)
        await #expect(throws: TokenEndpoint.Failure.self) { try await exchange(stage, after: .seconds(61)) }
        await #expect(throws: TokenEndpoint.Failure.self) {
            try await exchange(stage) { code in
                code = AuthorizationCode(
                    client: code.client, secret: code.secret, verifier: APIKey(String(repeating: "a", count: 43)))
            }
        }
        let question = AuthorizationRequest(.zimmerIOS, issuer: stage.server.url)
        let answer = try #require(stage.server.decide(.approve(actsForPerson: false), at: question.url))
        let code = try question.code(in: answer)
        #expect(try await stage.endpoint().exchange(code, asked: stage.clock.now()).level == .relay)
        await #expect(throws: TokenEndpoint.Failure.self) {
            try await stage.endpoint().exchange(code, asked: stage.clock.now())
        }
    }

    @Test func `who says no is told so`() throws {
        let stage = try SignInStage()
        let question = AuthorizationRequest(.zimmerIOS, issuer: stage.server.url)
        let answer = try #require(stage.server.decide(.deny, at: question.url))
        #expect(throws: RedirectError.denied) { try question.code(in: answer) }
        // A client that nobody knows gets a page, not an answer.
        let unknown = AuthorizationRequest(.registered("zmc_unknown"), issuer: stage.server.url)
        #expect(stage.server.decide(.approve(actsForPerson: true), at: unknown.url) == nil)
    }

    @Test(arguments: [
        "", "[]", "null", "{}", #"{"access_token":"a"}"#, #"{"access_token":"a b","refresh_token":"r"}"#,
        #"{"access_token":"","refresh_token":"r"}"#, #"{"access_token":7,"refresh_token":"r"}"#,
        #"{"access_token":"a","refresh_token":"r","token_type":"mac"}"#,
        #"{"access_token":"a\r\nX: y","refresh_token":"r"}"#,
        "<html>", String(repeating: "[", count: 100_000),
    ])
    func `an answer without tokens is none, and nothing of it is kept`(body: String) async throws {
        let stage = try SignInStage()
        let bytes = Array(body.utf8)
        stage.server.inject(.alter { $0.body = bytes }, on: .token, times: nil)
        let failure = await #expect(throws: TokenEndpoint.Failure.self) { try await exchange(stage) }
        guard case .failed(let error, mayBeSpent: true) = failure else {
            return #expect(Bool(false), "\(failure as Any)")
        }
        #expect([.badBody, .unreadable, .transport].contains(error.code))
    }

    @Test(arguments: [
        ("3600", 3600), ("0", 0), ("-5", 0), ("99999999999999", 31_536_000), ("null", 300), ("\"x\"", 300),
        ("1e400", 300),
    ])
    func `a token lives as long as is said, within reason`(life: String, seconds: Int64) throws {
        let text = #"{"access_token":"a","refresh_token":"r","expires_in":\#(life),"scope":"mcp"}"#
        let document = try JSONDocument(Array(text.utf8))
        let pair = try #require(TokenPair(document.root, asked: Fixture.now))
        #expect(pair.expiresAt - Fixture.now == .seconds(seconds))
        #expect(pair.level == .relay)
    }

    @Test(arguments: [
        ("mcp zimmer:act-as-human", SignInLevel.acting), ("zimmer:act-as-human", .acting), ("mcp", .relay),
        ("", .relay),
        ("mcp zimmer:act-as-humans", .relay), ("mcp,zimmer:act-as-human", .relay),
    ])
    func `only the whole word gives the level`(scope: String, level: SignInLevel) {
        #expect(SignInLevel(scope: scope) == level)
    }
}
