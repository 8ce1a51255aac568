import AdapterKit
import AdapterKitTesting
import Testing

@testable import WebhookAdapter

@Suite struct WebhookAdapterTests {
    private let transport = RecordingTransport(HTTPResponse(status: 204))
    private let clock = TestClock(now: WallTime(seconds: 1_614_265_330))

    private func deliver(
        _ message: Message, id: String = "dlv_1", attempt: Int = 1,
        values: [String: ConfigurationValue] = Webhook.values
    ) async throws -> HTTPRequest {
        let adapter = try AdapterContract(kind: WebhookKind(), values: values)
            .makeAdapter(transport: transport, clock: clock)
        let outcome = await adapter.deliver(Delivery(id: DeliveryID(id), message: message, attempt: attempt))
        #expect(outcome == .delivered(Receipt()))
        return try #require(transport.requests.last)
    }

    private func body(_ request: HTTPRequest) -> String {
        String(decoding: request.body, as: UTF8.self)
    }

    @Test func `the body has the documented members in the documented order`() async throws {
        let message = Message(
            kind: .firing, channel: "hooks", rule: "failed-session",
            subject: Message.Subject(
                type: "session", id: "1234", title: "Fix login", url: "https://zimmer.example.com/sessions/1234"),
            episode: 1, time: WallTime(seconds: 1_791_547_320),
            body: TextTree([.paragraph([.strong([.text("Fix login")]), .text(" failed: process_failed")])]),
            markdown: #"**Fix login** failed: process\_failed"#)
        let request = try await deliver(message, id: "dlv_01J0")
        let expected =
            #"{"id":"dlv_01J0","time":"2026-10-09T12:02:00Z","channel":"hooks","rule":"failed-session","#
            + #""kind":"firing","urgency":"normal","subject":{"type":"session","id":"1234","title":"Fix login","#
            + #""url":"https://zimmer.example.com/sessions/1234"},"episode":1,"title":null,"#
            + #""text":"Fix login failed: process_failed","markdown":"**Fix login** failed: process\\_failed"}"#
        #expect(body(request) == expected)
        #expect(request.method == "POST")
        #expect(request.url.reveal() == Webhook.url)
        #expect(request.header("Content-Type") == "application/json")
        #expect(request.header("Authorization") == "Bearer header-secret")
        #expect(request.timeout == .seconds(15))
    }

    @Test func `a notice has no rule, no subject and no episode`() async throws {
        let notice = Message(
            kind: .notice, urgency: .high, channel: "hooks", time: WallTime(seconds: 0), title: "Zimmer is away",
            body: TextTree(text: "x"), markdown: "x")
        let request = try await deliver(notice)
        let expected =
            #"{"id":"dlv_1","time":"1970-01-01T00:00:00Z","channel":"hooks","rule":null,"kind":"notice","#
            + #""urgency":"high","subject":null,"episode":null,"title":"Zimmer is away","text":"x","markdown":"x"}"#
        #expect(body(request) == expected)
    }

    @Test func `a subject without a title and a page has nulls for them`() async throws {
        var message = AdapterContract.message
        message.subject = Message.Subject(type: "health", id: "health")
        let request = try await deliver(message)
        #expect(body(request).contains(#""subject":{"type":"health","id":"health","title":null,"url":null}"#))
    }

    @Test func `text that would break the JSON is escaped`() async throws {
        var message = AdapterContract.message
        message.title = "\"\\\n\r\t\u{8}\u{C}\u{0}\u{1F}</é\u{2028}😀"
        let request = try await deliver(message)
        #expect(body(request).contains(#""title":"\"\\\n\r\t\b\f\u0000\u001f</é\#u{2028}😀""#))
    }

    @Test func `the signature is the one of the published example`() throws {
        let signer = try #require(WebhookSigner(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
        let signature = signer.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: "1614265330", body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `the exact bytes of the body are signed, with the id and the time of the headers`() async throws {
        let request = try await deliver(AdapterContract.message, id: "dlv_9")
        #expect(request.header("webhook-id") == "dlv_9")
        #expect(request.header("webhook-timestamp") == "1614265330")
        let signer = try #require(WebhookSigner(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
        let expected = signer.signature(id: "dlv_9", timestamp: "1614265330", body: request.body)
        #expect(request.header("webhook-signature") == expected)
    }

    @Test func `a second try has the same id and body, and a new time`() async throws {
        let first = try await deliver(AdapterContract.message)
        clock.advance(by: .seconds(60))
        let second = try await deliver(AdapterContract.message, attempt: 2)
        #expect(first.header("webhook-id") == second.header("webhook-id"))
        #expect(first.body == second.body)
        #expect(second.header("webhook-timestamp") == "1614265390")
    }

    @Test func `without a secret nothing is signed`() async throws {
        let request = try await deliver(AdapterContract.message, values: ["url": .secret(Secret(Webhook.url))])
        #expect(request.header("webhook-signature") == nil)
        #expect(request.header("webhook-id") == "dlv_1")
    }

    @Test func `method and timeout are taken from the configuration`() async throws {
        var values = Webhook.values
        values["method"] = .text("PUT")
        values["timeout"] = .duration(.seconds(3))
        let request = try await deliver(AdapterContract.message, values: values)
        #expect(request.method == "PUT")
        #expect(request.timeout == .seconds(3))
    }

    @Test(arguments: [
        ("format", ConfigurationValue.text("xml"), "takes json, slack, discord,"),
        ("secret", .secret(Secret("whsec_MfKQ whsec_!")), "needs 'whsec_'"),
        ("url", .secret(Secret("ftp://example.com/x")), "needs an absolute http:// or https:// URL"),
        ("url", .secret(Secret("https:///path")), "needs an absolute http:// or https:// URL"),
        ("url", .secret(Secret("https://example.com/a b")), "needs an absolute http:// or https:// URL"),
        ("secret", .secret(Secret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")), "needs 'whsec_'"),
        ("secret", .secret(Secret("whsec_not base64")), "needs 'whsec_'"),
        ("timeout", .duration(.zero), "takes more than nothing"),
        ("timeout", .duration(.seconds(301)), "takes at most 300 s"),
        ("headers", .headers([HTTPHeader("X-A", "a\r\nX-B: b")]), "control character"),
        ("headers", .headers([HTTPHeader("X A", "a")]), "does not allow"),
        ("headers", .headers([HTTPHeader("Webhook-ID", "a")]), "written by the adapter itself"),
        ("method", .text("TRACE"), "takes POST, PUT, PATCH"),
    ])
    func `a value that cannot work is refused with what to write instead`(
        key: String, value: ConfigurationValue, text: String
    ) {
        var values = Webhook.values
        values[key] = value
        let error = #expect(throws: ConfigurationError.self) {
            _ = try AdapterContract(kind: WebhookKind(), values: values).makeAdapter(transport: transport)
        }
        #expect(error?.key == key)
        #expect(error?.text.contains(text) == true)
    }

    @Test(arguments: Webhook.chats)
    func `a chat takes neither a signature nor another method`(format: String) {
        for (key, value) in [("secret", Webhook.values["secret"]), ("method", .text("PUT"))] {
            var values = Webhook.values(format)
            values[key] = value
            let error = #expect(throws: ConfigurationError.self) {
                _ = try AdapterContract(kind: WebhookKind(), values: values).makeAdapter(transport: transport)
            }
            #expect(error?.key == key)
        }
    }

    @Test func `each of several keys signs`() throws {
        let keys = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"]
        func signature(_ secret: String) throws -> String {
            try #require(WebhookSigner(Secret(secret))).signature(id: "dlv_1", timestamp: "1", body: [])
        }
        #expect(try signature(keys.joined(separator: " ")) == keys.map(signature).joined(separator: " "))
    }

    @Test func `nothing printed of an adapter shows a secret`() throws {
        let adapter = try AdapterContract(kind: WebhookKind(), values: Webhook.values).makeAdapter(transport: transport)
        var dumped = ""
        dump(adapter, to: &dumped)
        for secret in ["S3CRET", "path-secret", "query-secret", "header-secret", "MfKQ9r8"] {
            #expect(!dumped.contains(secret))
            #expect(!String(reflecting: adapter).contains(secret))
        }
    }
}
