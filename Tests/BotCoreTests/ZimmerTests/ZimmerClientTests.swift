import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct ZimmerClientTests {
    private let ok = HTTPResponse(status: 200, body: Array(#"{"message": "ok"}"#.utf8))

    @Test func `every call says who calls, and carries the key`() async throws {
        let transport = FakeTransport(ok)
        _ = try await ZimmerClient(transport).health()
        let request = try #require(await transport.requests.first)
        #expect(request.url == "https://zimmer.example.com/api/v1/health")
        let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
        #expect(headers["X-API-Key"] == "zmr_hunter2")
        #expect(headers["User-Agent"] == "zimmer-bot/1.2.3")
        #expect(headers["X-Zimmer-Client"] == "zimmer-bot/1.2.3")
        #expect(headers["Accept"] == "application/json")
        #expect(request.isRepeatable)
    }

    @Test(arguments: ["", String(repeating: "x", count: 495)])
    func `a server that repeats the request cannot make the key seen`(start: String) async throws {
        let body = #"{"error": "\#(start)zmr_hunter2", "message": "\#(start)zmr_\u0068unter2 is no key"}"#
        let client = try ZimmerClient(FakeTransport(HTTPResponse(status: 401, body: Array(body.utf8))))
        let error = await #expect(throws: ZimmerError.self) { try await client.health() }
        let words = "\(error?.description ?? "") \(error?.label ?? "")"
        #expect(words.hasPrefix("Zimmer does not accept the API key: "))
        #expect(!words.contains("zmr_"))
    }

    @Test(arguments: [200, 401])
    func `a server that numbers requests by their key cannot make it seen`(status: Int) async throws {
        let response = HTTPResponse(
            status: status, headers: [("X-Request-Id", "r-zmr_hunter2-7")], body: Array("{}".utf8))
        let client = try ZimmerClient(FakeTransport(response))
        do throws(ZimmerError) {
            #expect(try await client.health().requestID == "r-<redacted>-7")
        } catch {
            #expect(error.requestID == "r-<redacted>-7")
        }
    }

    @Test func `reads ask for what they are about`() async throws {
        let transport = FakeTransport(ok)
        let client = try ZimmerClient(transport)
        _ = try await client.board(PageSlice(3), timeout: .seconds(1))
        _ = try await client.session(7)
        _ = try await client.notifications(PageSlice(1), timeout: .seconds(1))
        _ = try await client.queue(of: 7)
        _ = try await client.conversation(of: 7)
        _ = try await client.logs(of: 7)
        let window = CostsInterval(
            from: Timestamp(seconds: 0), to: Timestamp(seconds: 86_400), agentRoot: "web & docs")
        _ = try await client.costs(window)
        let targets = await transport.requests.map { $0.url.dropFirst("https://zimmer.example.com/api/v1".count) }
        #expect(
            targets == [
                "/sessions?page=3&per_page=100", "/sessions/7", "/notifications?page=1&per_page=100",
                "/sessions/7/enqueued_messages?page=1&per_page=100", "/sessions/7/conversation?limit=200",
                "/sessions/7/logs?page=1&per_page=100",
                "/costs?from=1970-01-01T00%3A00%3A00Z&to=1970-01-02T00%3A00%3A00Z&agent_root=web%20%26%20docs",
            ])
    }

    @Test(arguments: [
        (
            ZimmerWrite.followUp(session: 7, prompt: "Say \"hi\"\n", goal: nil), "POST", "/sessions/7/follow_up",
            #"{"prompt":"Say \"hi\"\n"}"#
        ),
        (
            .followUp(session: 7, prompt: "x", goal: "y"), "POST", "/sessions/7/follow_up",
            #"{"prompt":"x","goal":"y"}"#
        ),
        (.visibility(session: 7, .hidden), "PATCH", "/sessions/7/visibility", #"{"visibility":"hidden"}"#),
        (.visibility(session: 7, .visible), "PATCH", "/sessions/7/visibility", #"{"visibility":"visible"}"#),
        (
            .visibility(session: 7, .snoozed(until: Fixture.now)), "PATCH", "/sessions/7/visibility",
            #"{"visibility":"snoozed","snoozed_until":"2026-10-09T12:00:00","timezone":"UTC"}"#
        ),
        (.archive(session: 7), "POST", "/sessions/7/archive", "{}"),
        (.notes(session: 7, text: "n"), "PATCH", "/sessions/7/notes", #"{"session_notes":"n"}"#),
        (.log(session: 7, text: "l", level: "info"), "POST", "/sessions/7/logs", #"{"content":"l","level":"info"}"#),
        (.toggleFavorite(session: 7), "POST", "/sessions/7/toggle_favorite", "{}"),
        (
            .start(
                [
                    WireMember("agent_root", .text("web")), WireMember("model", .text("opus")),
                    WireMember("mcp_servers", .words(["a"])), WireMember("precedence", .integer(-3)),
                ], key: "k"), "POST", "/sessions",
            #"{"agent_root":"web","mcp_servers":["a"],"precedence":-3,"config":{"model":"opus"},"idempotency_key":"k"}"#
        ),
        (.restart(session: 7), "POST", "/sessions/7/restart", "{}"),
        (.pause(session: 7), "POST", "/sessions/7/pause", "{}"),
        (.sleep(session: 7), "POST", "/sessions/7/sleep", "{}"),
        (.startNow(session: 7), "POST", "/sessions/7/start_now", "{}"),
        (.refresh(session: 7), "POST", "/sessions/7/refresh", "{}"),
        (.unarchive(session: 7), "POST", "/sessions/7/unarchive", "{}"),
        (
            .set(session: 7, [WireMember("title", .text("t")), WireMember("custom_metadata", .text("never"))]),
            "PATCH", "/sessions/7", #"{"title":"t"}"#
        ),
        (
            .heartbeat(
                session: 7, [WireMember("enabled", .flag(true)), WireMember("interval_seconds", .integer(300))]),
            "PATCH", "/sessions/7/heartbeat", #"{"enabled":true,"interval_seconds":300}"#
        ),
        (.model(session: 7, "opus"), "PATCH", "/sessions/7/model", #"{"model":"opus"}"#),
        (.push(session: 7, "m"), "POST", "/notifications/push", #"{"session_id":7,"message":"m"}"#),
        (.markRead(notification: 7), "PATCH", "/notifications/7/mark_read", "{}"),
        (.dismiss(notification: 7), "DELETE", "/notifications/7/dismiss", "{}"),
        (.markAllRead(), "PATCH", "/notifications/mark_all_read", "{}"),
        (.toggle(trigger: 7), "POST", "/triggers/7/toggle", "{}"),
        (
            .invoke(trigger: 7, variables: [WireMember("text", .text("x"))]), "POST", "/triggers/7/invoke",
            #"{"variables":{"text":"x"}}"#
        ),
        (
            .respond(elicitation: 7, action: "accept", content: [WireMember("n", .number(1.5))]), "PATCH",
            "/elicitations/7/respond", #"{"action_type":"accept","content":{"n":1.5}}"#
        ),
        (
            .respond(elicitation: 7, action: "decline", content: []), "PATCH", "/elicitations/7/respond",
            #"{"action_type":"decline"}"#
        ),
        (.retry(sessions: [7, 8]), "POST", "/health/retry_sessions", #"{"session_ids":[7,8]}"#),
        (.cleanUpProcesses(), "POST", "/health/cleanup_processes", "{}"),
        (
            .enterRecovery(reason: "r", minutes: 30), "POST", "/health/enter_queue_recovery_mode",
            #"{"reason":"r","ttl_minutes":30}"#
        ),
        (.exitRecovery(), "POST", "/health/exit_queue_recovery_mode", "{}"),
        (.backfillCosts(), "POST", "/costs/backfill", "{}"),
    ])
    func `writes are made as Zimmer takes them`(write: ZimmerWrite, method: String, path: String, body: String)
        async throws
    {
        let transport = FakeTransport(ok)
        let outcome = await (try ZimmerClient(transport)).perform(write)
        guard case .done = outcome else { return #expect(Bool(false), "\(outcome)") }
        let request = try #require(await transport.requests.first)
        #expect(request.method.rawValue == method)
        #expect(request.url == "https://zimmer.example.com/api/v1" + path)
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == body)
        #expect(!request.isRepeatable)
    }

    /// All but the one that is only made under a person's sign-in.
    private static let calls = ZimmerCall.allCases.filter { $0 != .authorizeMerge }

    @Test(arguments: calls)
    func `a call that was not allowed is not made`(call: ZimmerCall) async throws {
        let transport = FakeTransport(ok)
        let client = try ZimmerClient(transport, allowed: Set(Self.calls).subtracting([call]))
        var refused: [ZimmerCall] = []
        let reads: [(ZimmerCall, () async throws -> Void)] = [
            (.board, { _ = try await client.board(PageSlice(1), timeout: .seconds(1)) }),
            (.session, { _ = try await client.session(1) }),
            (.notifications, { _ = try await client.notifications(PageSlice(1), timeout: .seconds(1)) }),
            (.health, { _ = try await client.health() }), (.queue, { _ = try await client.queue(of: 1) }),
            (.conversation, { _ = try await client.conversation(of: 1) }),
            (.logs, { _ = try await client.logs(of: 1) }),
            (.costs, { _ = try await client.costs(CostsInterval(from: Fixture.now, to: Fixture.now)) }),
            (.elicitations, { _ = try await client.elicitations(of: 1, timeout: .seconds(1)) }),
            (.triggers, { _ = try await client.triggers(PageSlice(1), timeout: .seconds(1)) }),
            (.backlog, { _ = try await client.backlog(PageSlice(1), timeout: .seconds(1)) }),
            (.tools, { _ = try await client.tools(timeout: .seconds(1)) }),
            (.configs, { _ = try await client.configs(timeout: .seconds(1)) }),
            (.up, { _ = try await client.up(deep: true, timeout: .seconds(1)) }),
            (.pluginTriggers, { _ = try await client.pluginTriggers(timeout: .seconds(1)) }),
        ]
        for (call, read) in reads {
            do { try await read() } catch let error as ZimmerError where error.code == .notAllowed {
                refused.append(call)
            }
        }
        let writes: [ZimmerWrite] = [
            .followUp(session: 1, prompt: "", goal: nil), .visibility(session: 1, .hidden), .archive(session: 1),
            .notes(session: 1, text: ""), .log(session: 1, text: "", level: "info"), .toggleFavorite(session: 1),
            .start([], key: "k"), .restart(session: 1), .pause(session: 1), .sleep(session: 1), .startNow(session: 1),
            .refresh(session: 1), .unarchive(session: 1), .set(session: 1, []), .heartbeat(session: 1, []),
            .model(session: 1, "m"), .push(session: 1, ""), .markRead(notification: 1), .dismiss(notification: 1),
            .markAllRead(), .toggle(trigger: 1), .invoke(trigger: 1, variables: []),
            .respond(elicitation: 1, action: "decline", content: []), .retry(sessions: [1]), .cleanUpProcesses(),
            .enterRecovery(reason: "", minutes: nil), .exitRecovery(), .backfillCosts(),
        ]
        for write in writes {
            if case .refused(let error) = await client.perform(write), error.code == .notAllowed {
                refused.append(write.call)
            }
        }
        #expect(refused == [call])
        #expect(await transport.requests.count == Self.calls.count - 1)
    }

    // MARK: - What became of a write

    private func outcome(_ write: ZimmerWrite, _ answer: @escaping FakeTransport.Answer) async throws -> String {
        switch await (try ZimmerClient(FakeTransport(answer))).perform(write) {
        case .done(let receipt): receipt.isQueued ? "queued" : "done"
        case .refused: "refused"
        case .retry(_, let after): after.map { "retry after \($0)" } ?? "retry"
        case .lost: "lost"
        }
    }

    private static let unsafeWrites: [ZimmerWrite] = [
        .followUp(session: 7, prompt: "x", goal: nil), .log(session: 7, text: "x", level: "info"),
        .toggleFavorite(session: 7),
    ]
    private static let safeWrites: [ZimmerWrite] = [
        .visibility(session: 7, .hidden), .archive(session: 7), .notes(session: 7, text: "x"),
    ]

    @Test(arguments: unsafeWrites + safeWrites)
    func `a refusal is one, and nothing was done`(write: ZimmerWrite) async throws {
        for status in [400, 403, 404, 422] {
            #expect(try await outcome(write) { _ throws(HTTPError) in HTTPResponse(status: status) } == "refused")
        }
        for status in [401, 302, 409, 429] {
            #expect(try await outcome(write) { _ throws(HTTPError) in HTTPResponse(status: status) } == "retry")
        }
        let refused = HTTPError(.connect, .notSent, host: "a")
        #expect(try await outcome(write) { _ throws(HTTPError) in throw refused } == "retry")
        let limited = HTTPResponse(status: 429, body: try Fixture.bytes("error_429_health"))
        #expect(try await outcome(write) { _ throws(HTTPError) in limited } == "retry after 30.0 seconds")
        let busy = HTTPResponse(status: 503, body: try Fixture.bytes("error_503_database"))
        #expect(try await outcome(write) { _ throws(HTTPError) in busy } == "retry")
    }

    @Test(arguments: unsafeWrites + safeWrites)
    func `what may have been done is looked for before anything else`(write: ZimmerWrite) async throws {
        let expected = "lost"
        let lost = HTTPError(.cut, .maybeSent, host: "a")
        #expect(try await outcome(write) { _ throws(HTTPError) in throw lost } == expected)
        let answers = [
            HTTPResponse(status: 500), HTTPResponse(status: 502), HTTPResponse(status: 504), HTTPResponse(status: 503),
            HTTPResponse(status: 200, body: Array("<html>Sign in</html>".utf8)), HTTPResponse(status: 200),
            HTTPResponse(status: 200, body: Array("{}".utf8)), HTTPResponse(status: 200, body: Array("[]".utf8)),
        ]
        for answer in answers { #expect(try await outcome(write) { _ throws(HTTPError) in answer } == expected) }
    }

    @Test func `an answer about something else confirms nothing`() async throws {
        let other = HTTPResponse(status: 200, body: Array(#"{"session": {"id": 8}}"#.utf8))
        let write = ZimmerWrite.archive(session: 7)
        #expect(try await outcome(write) { _ throws(HTTPError) in other } == "lost")
        let own = HTTPResponse(status: 200, body: Array(#"{"session": {"id": 7}}"#.utf8))
        #expect(try await outcome(write) { _ throws(HTTPError) in own } == "done")
    }

    @Test func `receipts say what Zimmer did`() async throws {
        func receipt(_ status: Int, _ fixture: String, _ write: ZimmerWrite) async throws -> WriteReceipt {
            let transport = FakeTransport(HTTPResponse(status: status, body: try Fixture.bytes(fixture)))
            guard case .done(let receipt) = await (try ZimmerClient(transport)).perform(write) else {
                throw ZimmerError(.badBody, message: fixture)
            }
            return receipt
        }
        let followUp = ZimmerWrite.followUp(session: 1226, prompt: "x", goal: nil)
        let sent = try await receipt(200, "follow_up_sent", followUp)
        #expect(!sent.isQueued)
        #expect(sent.session?["id"]?.int == 1226)
        #expect(sent.message == "Follow-up prompt sent")
        let queued = try await receipt(
            202, "follow_up_queued", .followUp(session: 1229, prompt: "x", goal: nil))
        #expect(queued.isQueued)
        #expect(queued.document.root["enqueued_message"]?["position"]?.int != nil)
        #expect(try await receipt(200, "toggle_favorite", .toggleFavorite(session: 1226)).favorited == true)
        let snoozed = try await receipt(200, "visibility_snoozed", .visibility(session: 1226, .hidden))
        #expect(snoozed.session?["visibility"]?.string == "snoozed")
        #expect(try await receipt(200, "archive_ok", .archive(session: 1232)).session?["status"]?.string == "archived")
        let log = try await receipt(201, "log_created", .log(session: 1212, text: "x", level: "info"))
        #expect(log.document.root["log"]?["id"]?.int == 88_004)
    }

    // MARK: - Over the wire

    @Test func `the key reaches Zimmer and no other printed text`() async throws {
        let server = try ScriptedServer(ScriptedServer.always(.send(ScriptedServer.response(401, body: "{}"))))
        defer { server.stop() }
        let address = try #require(ZimmerAddress(server.url))
        let key = APIKey("zmr_hunter2")
        let client = ZimmerClient(
            address, key: key, edge: EdgePass(try EdgeToken("edge_hunter2")), transport: CurlTransport(), version: "1",
            allowed: ZimmerCall.reads)
        let error = await #expect(throws: ZimmerError.self) { try await client.health() }
        #expect(error?.code == .signIn)
        #expect(server.requests.first?.header("x-api-key") == "zmr_hunter2")
        #expect(server.requests.first?.header("cf-access-token") == "edge_hunter2")
        var dumped = ""
        dump(client, to: &dumped)
        dump(error, to: &dumped)
        dump(key, to: &dumped)
        let texts = [dumped, "\(client)", "\(key)", String(reflecting: key), String(describing: error)]
        #expect(texts.allSatisfy { !$0.contains("hunter2") })
    }

    @Test func `a login page behind a redirect is never fetched`() async throws {
        let bytes = ScriptedServer.response(302, headers: [("Location", "/login")])
        let server = try ScriptedServer(ScriptedServer.always(.send(bytes)))
        defer { server.stop() }
        let address = try #require(ZimmerAddress(server.url))
        let client = ZimmerClient(
            address, key: APIKey("k"), transport: CurlTransport(), version: "1", allowed: ZimmerCall.reads)
        let error = await #expect(throws: ZimmerError.self) { try await client.health() }
        #expect(error?.code == .redirected)
        #expect(server.requests.count == 1)
    }
}
