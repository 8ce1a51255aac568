import DemoZimmer
import Testing

@Suite struct WebhookTests {
    let webhook: RecordingWebhook
    let client: HTTPClient

    init() throws {
        webhook = try RecordingWebhook()
        client = HTTPClient(port: webhook.port)
    }

    @Test func `what arrives is kept with its headers and body`() async throws {
        let answer = try await client.send("POST", "/hook", ["text": "hello"], headers: [("webhook-id", "7")])
        #expect(answer.status == 200)
        let message = try await webhook.message(1)
        #expect(message.json?["text"] == "hello")
        #expect(message.header("Webhook-Id") == "7")
    }

    @Test func `answers follow the script, then all is well`() async throws {
        webhook.answer(statuses: 500)
        webhook.answer(with: .send(HTTPResponse(status: 429, headers: [HTTPHeader("Retry-After", "3")])), .close)
        #expect(try await client.post("/hook").status == 500)
        #expect(try await client.post("/hook").header("retry-after") == "3")
        await #expect(throws: HTTPClient.Failure.self) { try await client.post("/hook") }
        #expect(try await client.post("/hook", ["text": "at last"]).status == 200)
        #expect(try await webhook.accepted(1).json?["text"] == "at last")
        #expect(webhook.messages.elements.map(\.status) == [500, 429, nil, 200])
    }

    @Test func `a message can be waited for before it comes`() async throws {
        async let second = webhook.message(2)
        _ = try await client.post("/hook", ["n": 1])
        _ = try await client.post("/hook", ["n": 2])
        #expect(try await second.json?["n"] == 2)
    }
}
