import AdapterKit
import AdapterKitTesting
import BotTestSupport
import Testing

@testable import BotCore
@testable import WebhookAdapter

/// The webhook adapter over the bot's own HTTP client and a real connection.
@Suite(.timeLimit(.minutes(10))) struct WebhookLoopbackTests {
    private let client = CurlTransport()

    private func adapter(_ url: String, timeout: Duration = .seconds(30)) throws -> any Adapter {
        var values = Webhook.values
        values["url"] = .secret(Secret(url))
        values["timeout"] = .duration(timeout)
        return try AdapterContract(kind: WebhookKind(), values: values)
            .makeAdapter(transport: AdapterTransport(client))
    }

    private func delivery(_ id: String = "dlv_1") -> AdapterKit.Delivery {
        AdapterKit.Delivery(id: DeliveryID(id), message: AdapterContract.message, attempt: 1)
    }

    @Test func `what arrives is the signed message`() async throws {
        let server = try ScriptedServer(ScriptedServer.response(202))
        defer { server.stop() }
        let outcome = await (try adapter("\(server.url)/hook?token=abc")).deliver(delivery())
        #expect(outcome == .delivered(Receipt()))
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/hook?token=abc")
        #expect(request.header("content-type") == "application/json")
        #expect(request.header("authorization") == "Bearer header-secret")
        let id = try #require(request.header("webhook-id"))
        let timestamp = try #require(request.header("webhook-timestamp"))
        let signer = try #require(WebhookSigner(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
        #expect(
            request.header("webhook-signature") == signer.signature(id: id, timestamp: timestamp, body: request.body))
        #expect(String(decoding: request.body, as: UTF8.self).hasPrefix(#"{"id":"dlv_1","#))
    }

    @Test(arguments: HTTPAdapterContract.statuses)
    func `each status means what the contract says, after one request`(
        status: Int, expected: HTTPAdapterContract.Class
    ) async throws {
        let location = [(name: "Location", value: "/elsewhere"), (name: "Retry-After", value: "7")]
        let server = try ScriptedServer(
            ScriptedServer.response(status, headers: location, body: status == 204 ? "" : "no"))
        defer { server.stop() }
        let outcome = await (try adapter(server.url)).deliver(delivery())
        #expect(HTTPAdapterContract.Class(outcome) == expected)
        #expect(server.requests.map(\.target) == ["/"])
        if case .wait(_, let retryAfter, _) = outcome { #expect(retryAfter == .seconds(7)) }
    }

    @Test func `a message that arrived is delivered, however long the answer is`() async throws {
        let server = try ScriptedServer(
            ScriptedServer.response(200, body: String(repeating: "thanks ", count: 100_000)))
        defer { server.stop() }
        #expect(await (try adapter(server.url)).deliver(delivery()) == .delivered(Receipt()))
    }

    @Test func `each delivery has a connection of its own, so that none is sent twice behind our back`() async throws {
        let server = try ScriptedServer(ScriptedServer.response())
        defer { server.stop() }
        let adapter = try adapter(server.url)
        for number in 1...3 { _ = await adapter.deliver(delivery("dlv_\(number)")) }
        #expect(server.requests.map(\.connection) == [0, 1, 2])
    }

    @Test(arguments: [
        ([ScriptedServer.Action.close], HTTPAdapterContract.Class.lost), ([.reset], .lost),
        ([.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf".utf8)), .close], .lost),
    ])
    func `an answer that is none is no delivery`(
        actions: [ScriptedServer.Action], expected: HTTPAdapterContract.Class
    ) async throws {
        let server = try ScriptedServer { _ in actions }
        defer { server.stop() }
        #expect(HTTPAdapterContract.Class(await (try adapter(server.url)).deliver(delivery())) == expected)
    }

    @Test func `nobody there, and no such name, can wait`() async throws {
        let server = try ScriptedServer(ScriptedServer.response())
        server.stop()
        for url in ["\(server.url)/secret-path", "http://no-such-host.invalid/secret-path"] {
            let outcome = await (try adapter(url)).deliver(delivery())
            #expect(HTTPAdapterContract.Class(outcome) == .wait)
            #expect(outcome.reason?.contains("secret-path") == false)
        }
    }

    @Test func `a server that says nothing runs into the timeout`() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        defer { server.stop() }
        let outcome = await (try adapter(server.url, timeout: .milliseconds(50))).deliver(delivery())
        #expect(HTTPAdapterContract.Class(outcome) == .lost)
    }

    @Test func `a cancelled delivery ends although the server says nothing`() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        defer { server.stop() }
        let adapter = try adapter(server.url)
        let outcome = await withTaskGroup(of: DeliveryOutcome.self) { group in
            group.addTask { await adapter.deliver(delivery()) }
            await server.received(1)
            group.cancelAll()
            return await group.next()
        }
        #expect(outcome.map(HTTPAdapterContract.Class.init) == .wait)
    }

    @Test func `an answer that repeats the request shows none of its secrets`() async throws {
        let server = try ScriptedServer { request in
            let headers = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: " ")
            return [.send(ScriptedServer.response(500, body: "cannot \(request.target) \(headers)"))]
        }
        defer { server.stop() }
        let reason = await (try adapter("\(server.url)/T0PSECRET?key=query-secret")).deliver(delivery()).reason
        let text = try #require(reason)
        #expect(text.hasPrefix("\(server.url) answered 500: cannot /<redacted>?key=<redacted> "))
        for secret in ["T0PSECRET", "query-secret", "header-secret"] { #expect(!text.contains(secret)) }
    }
}
