import BotTestSupport
import CEL
import DemoZimmer
import Foundation
import Rules
import Testing

@testable import BotCore

@Suite struct EdgePassTests {
    /// Unsigned: nobody here would verify it.
    static func token(_ payload: String) throws -> EdgeToken {
        try EdgeToken(
            [#"{"alg":"RS256"}"#, payload, "signature"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: "."))
    }

    @Test(arguments: [
        (#"{"exp":1791547200}"#, 1_791_547_200), (#"{"exp":1791547200.9,"sub":"é?>"}"#, 1_791_547_200),
        ("{}", nil), ("[]", nil), ("", nil),
    ])
    func `its end is read from it`(payload: String, seconds: Int64?) throws {
        #expect(EdgePass(try Self.token(payload)).expiry == seconds.map { Timestamp(seconds: $0) })
        #expect(
            CredentialReport.edgeWarning(try Self.token(payload).expiry, now: Timestamp(seconds: 1_791_000_000)) == nil)
    }

    @Test(arguments: [
        #"{"exp":"1791547200"}"#, #"{"exp":-1}"#, #"{"exp":1e300}"#, #"{"exp":253402300800}"#, #"{"exp":[1]}"#,
        #"{"exp":null}"#, #"{"exp":1791547200000}"#,
    ])
    func `an end that is no time is said, and is none`(payload: String) throws {
        let token = try Self.token(payload)
        #expect(EdgePass(token).expiry == nil)
        #expect(CredentialReport.edgeWarning(token.expiry, now: Fixture.now)?.contains("is no time") == true)
    }

    @Test func `an end that no gate gives is said`() throws {
        let far = try Self.token(#"{"exp":4102444800}"#)
        let words = CredentialReport.edgeWarning(far.expiry, now: Fixture.now)
        #expect(words?.contains("lasts until 2100-01-01T00:00:00Z, which no gate gives") == true)
        let past = try Self.token(#"{"exp":0}"#)
        #expect(CredentialReport.edgeWarning(past.expiry, now: Fixture.now)?.contains("expired at 1970-01-01") == true)
    }

    @Test(arguments: ["..", ".", "a.b.c", "a.!!.c", "opaque", String(repeating: ".", count: 8_000)])
    func `what is no such token has no end that is known`(text: String) throws {
        #expect(EdgePass(try EdgeToken(text)).expiry == nil)
    }

    @Test(arguments: [
        ("", "is empty"), ("\"eyJ.a.b\"", "quotation marks"), ("'eyJ.a.b'", "quotation marks"),
        ("`eyJ`", "quotation marks"),
        ("cf-access-token: eyJ.a.b", "'cf-access-token' before it"),
        ("CF-Access-Token:eyJ", "'cf-access-token' before it"),
        ("CF_Authorization=eyJ.a.b", "'cf_authorization' before it"), ("Cookie: a=b", "'cookie' before it"),
        ("Authorization: Bearer eyJ", "'authorization' before it"), ("Bearer eyJ.a.b", "blanks"),
        ("eyJ. a.b", "blanks"),
        ("eyJ\na.b", "line breaks"), ("eyJ\r\nX-Evil: 1", "line breaks"), ("eyJ\u{0}", "blanks"),
        ("eyJ\u{7F}", "blanks"),
        ("eyJ…", "characters that no token has"), ("“eyJ”", "characters that no token has"),
        (String(repeating: "a", count: 9_000), "longer than 8 KiB"),
    ])
    func `what a header could not carry as it was meant is refused, with what to do, and not shown`(
        text: String, words: String
    ) throws {
        let fault = #expect(throws: TokenFault.self) { try EdgeToken(text) }
        #expect(fault?.description.contains(words) == true)
        #expect(fault?.description.contains("put the token alone there") == true)
        #expect(fault?.description.contains("eyJ") == false)
    }

    @Test(arguments: [
        (86_400, nil), (86_399, "expires at"), (1, "expires at"), (0, "expired at"), (-86_400, "expired at"),
    ])
    func `people hear of it a day before`(seconds: Int64, words: String?) {
        let problem = CredentialReport.edgeProblem(Fixture.now + .seconds(seconds), now: Fixture.now)
        #expect((problem != nil) == (words != nil))
        #expect(problem?.contains(words ?? "") != false)
        #expect(CredentialReport.edgeProblem(nil, now: Fixture.now) == nil)
    }

    @Test func `a gate is told from Zimmer, and its token is read anew after a refusal`() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        try directory.write("old\n", to: "edge")
        let secrets = SecretResolver(environment: [:], folder: directory.path)
        let reference = SecretReference(.file("edge"), position: SourcePosition(file: "f", line: 1, column: 1))
        let edge = try EdgePass(reference, from: secrets)
        let stage = try SignInStage(edge: edge) { $0.edge = EdgeGate(["new"]) }
        let client = ZimmerClient(
            try stage.endpoint().wire, key: APIKey(stage.server.apiKey), allowed: ZimmerCall.reads)
        let refusals = [HTTPResponse.edgeRedirect, .edgeForbidden, .edgeUnauthorized].map {
            $0 as DemoZimmer.HTTPResponse
        }
        for refusal in refusals {
            stage.server.update { $0.edge?.refusal = refusal }
            let error = await #expect(throws: ZimmerError.self) { try await client.health() }
            #expect(error?.code == .edgeRefused)
        }
        // Nothing that is no secret takes its place.
        try FileManager.default.removeItem(atPath: directory.path("edge"))
        await #expect(throws: ZimmerError.self) { try await client.health() }
        #expect(stage.server.requests.elements.last?.request.header("cf-access-token") == "old")
        // Nor what could not be sent: people are told why.
        try directory.write("\"new\"\n", to: "edge")
        await #expect(throws: ZimmerError.self) { try await client.health() }
        await #expect(throws: ZimmerError.self) { try await client.health() }
        #expect(stage.server.requests.elements.last?.request.header("cf-access-token") == "old")
        let report = CredentialReport(edgeExpiry: edge.expiry, edgeFault: edge.fault)
        #expect(report.causes(now: Fixture.now).map(\.text).first?.contains("has quotation marks in it") == true)
        try directory.write("new\n", to: "edge")
        await #expect(throws: ZimmerError.self) { try await client.health() }
        _ = try await client.health()
        #expect(edge.fault == nil)
        #expect(stage.server.requests.elements.allSatisfy { $0.request.header("authorization") == nil })
    }

    @Test func `a refresh that the gate refuses takes nothing, and is not tried as if it were lost`() async throws {
        let edge = EdgePass(try EdgeToken("old"))
        let stage = try SignInStage(edge: edge)
        let first = try await stage.signIn()
        stage.server.update { $0.edge = EdgeGate(["new"]) }
        stage.server.advance(by: .hours(1))
        let signIn = try stage.holder()
        await #expect(throws: SignInError.self) { try await signIn.pair() }
        #expect(stage.presented.count == 1)
        #expect(await signIn.standing.state == .edgeRefused)
        stage.server.update { $0.edge = EdgeGate(["old"]) }
        stage.server.advance(by: .hours(1))
        #expect(try await signIn.pair() != first)
        #expect(await signIn.standing.state == .ok)
    }

    @Test func `the gate's token goes to the machine's origin alone`() async throws {
        let pages = try SignInStage()
        let stage = try SignInStage(edge: EdgePass(try EdgeToken("edge_hunter2")))
        let wire = try stage.endpoint().wire
        let endpoint = TokenEndpoint(wire: wire, issuer: pages.server.url)
        #expect(try await endpoint.describedIssuer() == pages.server.url)
        _ = try await endpoint.register("zimmer-bot", redirect: SignInClient.registeredRedirect)
        #expect(pages.server.requests.count == 2)
        #expect(pages.server.requests.elements.allSatisfy { $0.request.header("cf-access-token") == nil })
        try await endpoint.revoke(APIKey("x"), of: .zimmerIOS)
        #expect(stage.server.requests.elements.map { $0.request.header("cf-access-token") } == ["edge_hunter2"])
    }

    @Test func `a Zimmer that was never told its address says so before anybody opens a browser`() async throws {
        let stage = try SignInStage()
        stage.server.update { $0.oauth.issuer = nil }
        let error = await #expect(throws: ZimmerError.self) { try await stage.endpoint().describedIssuer() }
        #expect(error?.code == .unavailable)
        stage.server.inject(.answer(.edgeRedirect), on: RequestPattern("GET"))
        #expect(try await stage.endpoint().describedIssuer() == nil)
    }
}
