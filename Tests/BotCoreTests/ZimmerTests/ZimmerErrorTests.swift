import Testing

@testable import BotCore

@Suite struct ZimmerErrorTests {
    private func error(
        _ status: Int, _ fixture: String, headers: [(name: String, value: String)] = [("x-request-id", "r-1")]
    ) throws -> ZimmerError {
        ZimmerError(HTTPResponse(status: status, headers: headers, body: try Fixture.bytes(fixture)))
    }

    @Test(arguments: [
        (400, "error_400_search", ZimmerError.Code.refused, "Query is required"),
        (401, "error_401", .signIn, "Invalid or missing API key"),
        (401, "error_401_bearer", .signIn, "Invalid or expired access token"),
        (404, "error_404", .notFound, "The requested resource was not found"),
        (409, "error_409", .conflict, "Another message took that queue position. Try again."),
        (409, "trigger_invoke_pending", .conflict, "No session created"),
        (422, "error_422", .refused, "Title can't be blank, Slug is invalid"),
        (422, "error_422_old_shape", .refused, "Prompt is required"),
        (422, "error_422_cannot_restart", .refused, "Only failed, waiting or needs_input sessions can be restarted."),
        (422, "error_422_queued_messages", .refused, "2 queued messages would be discarded."),
        (422, "error_422_turn_in_flight", .refused, "A turn is running in this session."),
        (422, "error_422_visibility", .refused, "Snoozed until must be in the future"),
        (422, "authorize_merge_refused", .refused, "Cannot merge"),
        (429, "error_429_health", .rateLimited, "Wait before running this again."),
        (429, "error_429_quick_router", .rateLimited, "Too many prompts from this address."),
        (429, "trigger_invoke_burst", .rateLimited, ""),
        (500, "error_500", .serverError, "An unexpected error occurred"),
        (503, "error_503_cache", .unavailable, "The cache cannot enforce the cooldown right now."),
        (503, "error_503_database", .unavailable, "The operation couldn't be completed due to high server activity."),
        (400, "oauth_invalid_grant", .refused, ""),
        (401, "oauth_invalid_client", .signIn, ""),
        (400, "oauth_invalid_target", .refused, ""),
    ])
    func `each error body is told apart and in its own words`(
        status: Int, fixture: String, code: ZimmerError.Code, words: String
    ) throws {
        let error = try error(status, fixture)
        #expect(error.code == code)
        #expect(error.message.contains(words) || error.label == words)
        #expect(!error.message.isEmpty)
        #expect(error.requestID == "r-1")
        #expect(error.reach == (code == .serverError ? .maybeSent : .notSent))
    }

    @Test func `the time to wait comes from the body, else from a header`() throws {
        #expect(try error(429, "error_429_health").retryAfter == .seconds(30))
        #expect(try error(429, "error_429_quick_router").retryAfter == .seconds(60))
        #expect(try error(503, "error_503_database", headers: [("Retry-After", "7")]).retryAfter == .seconds(7))
        let dates = [
            (name: "Date", value: "Fri, 09 Oct 2026 12:00:00 GMT"),
            (name: "Retry-After", value: "Fri, 09 Oct 2026 12:01:30 GMT"),
        ]
        #expect(try error(503, "error_503_database", headers: dates).retryAfter == .seconds(90))
        #expect(try error(503, "error_503_database", headers: [("Retry-After", "-5")]).retryAfter == .zero)
        #expect(try error(503, "error_503_database", headers: [("Retry-After", "never")]).retryAfter == nil)
    }

    @Test func `a long wait that Zimmer asks for is said`() {
        func text(_ seconds: Int) -> String {
            ZimmerError(.rateLimited, status: 429, message: "Slow down", retryAfter: .seconds(seconds)).description
        }
        #expect(text(3_600) == "Zimmer answered 429, and asks to be left alone for 1h: Slow down")
        #expect(text(30) == "Zimmer answered 429: Slow down")
    }

    @Test func `trouble with a certificate names the setting`() {
        let error = ZimmerError(
            HTTPError(.tls, .notSent, host: "zimmer.example.com", detail: "self-signed certificate"))
        #expect(error.description.contains("self-signed certificate"))
        #expect(error.description.contains("zimmer.ca_file"))
    }

    /// What the fixture of answers that are no JSON should be taken for.
    private static let meaning: [String: ZimmerError.Code] = [
        "edge_refusal_redirect": .edgeRefused, "edge_refusal_403": .edgeRefused, "edge_refusal_401": .edgeRefused,
        "tunnel_404": .tunnelMissingRoute, "route_404_html": .notFound, "proxy_504": .serverError, "mcp_401": .signIn,
    ]

    @Test func `answers that are not Zimmer's own are told apart`() throws {
        let responses = try #require(Fixture.document("raw_responses")["responses"])
        var seen: Set<String> = []
        for raw in responses.elements {
            let name = try #require(raw["name"]?.string)
            guard let code = Self.meaning[name] else { continue }
            seen.insert(name)
            let headers = try #require(raw["headers"]).members.map { (name: $0.name, value: $0.value.string ?? "") }
            let response = HTTPResponse(
                status: Int(try #require(raw["status"]?.int)), headers: headers,
                body: Array(try #require(raw["body"]?.string).utf8))
            #expect(ZimmerError(response).code == code, "\(name)")
        }
        #expect(seen == Set(Self.meaning.keys))
    }

    @Test(arguments: [
        "https://evil.example.com/.cloudflareaccess.com", "https://cloudflareaccess.com.evil.example.com/", "/login",
        "https://notcloudflareaccess.com/",
    ])
    func `a redirect to elsewhere is not the edge's`(location: String) {
        let response = HTTPResponse(status: 302, headers: [("Location", location)])
        #expect(ZimmerError(response).code == .redirected)
    }

    @Test(arguments: [
        ("https://zimmer.example.com:8443/x?token=s3cret", "https://zimmer.example.com:8443"),
        ("HTTP://a@zimmer.example.com/", "http://zimmer.example.com"), ("/login", "the server"),
    ])
    func `a redirect is named as it would stand in zimmer.url, and no more of it`(location: String, name: String) {
        let error = ZimmerError(HTTPResponse(status: 301, headers: [("Location", location)]))
        #expect(error.message == name)
    }

    @Test func `only Zimmer's own "unavailable" means that nothing was done`() {
        #expect(ZimmerError(HTTPResponse(status: 503, body: Array("<html>".utf8))).reach == .maybeSent)
        #expect(ZimmerError(HTTPResponse(status: 503, headers: [("X-Request-Id", "r")])).reach == .maybeSent)
        let words = Array(#"{"error": "The operation couldn't be completed."}"#.utf8)
        #expect(ZimmerError(HTTPResponse(status: 503, body: words)).reach == .notSent)
    }

    @Test(arguments: [
        "", "<html>", "[]", "7", #"{"error": 7, "message": ["x"], "messages": "y", "retry_after": "soon"}"#,
        "{\"message\": \"\"}",
    ])
    func `a body of any form gives an error with words`(body: String) {
        let error = ZimmerError(HTTPResponse(status: 422, body: Array(body.utf8)))
        #expect(error.code == .refused)
        #expect(error.description == "Zimmer answered 422: no reason given")
        #expect(error.retryAfter == nil)
    }

    @Test func `an answer that is not Zimmer's asks to look at the address`() {
        let page = Array(" <!doctype html><title>Sign in</title>".utf8)
        #expect(ZimmerError(HTTPResponse(status: 404, body: page)).description.contains("look at zimmer.url"))
        #expect {
            _ = try ZimmerAnswer(HTTPResponse(status: 200, body: page)).document()
        } throws: {
            "\($0)" == "a web page answered, not Zimmer's API; look at zimmer.url"
        }
    }

    @Test func `what Zimmer says is short and has no control characters`() {
        let text = "a\\u0007b\\nc\\u202ed" + String(repeating: "x", count: 10_000)
        let error = ZimmerError(HTTPResponse(status: 422, body: Array(#"{"message": "\#(text)"}"#.utf8)))
        #expect(error.message.hasPrefix("a b cdxxx"))
        #expect(error.message.count == 500)
    }

    @Test func `absurd waits are bounded`() {
        for (text, wait) in [("-1", Duration.zero), ("9223372036854775807", .seconds(86_400))] {
            let error = ZimmerError(HTTPResponse(status: 429, body: Array(#"{"retry_after": \#(text)}"#.utf8)))
            #expect(error.retryAfter == wait)
        }
    }
}
