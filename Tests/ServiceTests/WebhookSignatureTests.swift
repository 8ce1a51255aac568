import AdapterKit
import AdapterKitTesting
import BotTestSupport
import Foundation
import Testing

@testable import BotCore
@testable import WebhookAdapter

/// What receivers that others wrote make of a signed message.
@Suite(.timeLimit(.minutes(10))) struct WebhookSignatureTests {
    private static let keys = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"]

    /// Checks what the test passes it, as the package's page says to.
    private static let verifier = """
        import json, sys
        from standardwebhooks.webhooks import Webhook
        given = json.load(sys.stdin)
        print(Webhook(given["key"]).verify(given["body"], given["headers"])["id"])
        """

    private struct Given: Encodable {
        var key: String
        var body: String
        var headers: [String: String]
    }

    private func verify(_ request: ScriptedServer.Request, body: String? = nil, key: String) async throws -> String {
        let names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
        let given = Given(
            key: key, body: body ?? String(decoding: request.body, as: UTF8.self),
            headers: Dictionary(uniqueKeysWithValues: names.map { ($0, request.header($0) ?? "") }))
        let input = String(decoding: try JSONEncoder().encode(given), as: UTF8.self)
        let result = await (try ServiceProgram.python(Self.verifier, input: input)).result()
        return result.status == .exited(0) ? result.standardOutput : String(result.standardError.suffix(300))
    }

    @Test func `the published verifier takes a message signed with either of two keys, and no other`() async throws {
        let server = try ScriptedServer(ScriptedServer.response(200))
        defer { server.stop() }
        let adapter = try AdapterContract(
            kind: WebhookKind(),
            values: ["url": .secret(Secret(server.url)), "secret": .secret(Secret(Self.keys.joined(separator: " ")))]
        ).makeAdapter(transport: AdapterTransport(CurlTransport()), clock: SystemAdapterClock())
        var message = AdapterContract.message
        message.title = "\"é\n👨‍👩‍👧‍👦\u{0}"
        let outcome = await adapter.deliver(Delivery(id: DeliveryID("dlv_1"), message: message, attempt: 1))
        #expect(outcome == .delivered(Receipt()))
        let request = try #require(server.requests.first)
        for key in Self.keys { #expect(try await verify(request, key: key) == "dlv_1\n") }
        let other = try await verify(request, key: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
        #expect(other.contains("No matching signature found"))
        let changed = String(decoding: request.body, as: UTF8.self).replacing("dlv_1", with: "dlv_2")
        #expect(try await verify(request, body: changed, key: Self.keys[0]).contains("No matching signature found"))
    }
}
