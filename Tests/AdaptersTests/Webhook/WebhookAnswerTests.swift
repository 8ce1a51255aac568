import AdapterKit
import AdapterKitTesting
import Testing

@testable import WebhookAdapter

/// What services say beside the status.
@Suite struct WebhookAnswerTests {
    private func outcome(_ format: String, _ status: Int, _ body: String) async throws -> DeliveryOutcome {
        let transport = RecordingTransport(HTTPResponse(status: status, body: Array(body.utf8)))
        return try await Webhook.adapter(format, transport: transport).deliver(
            Delivery(id: DeliveryID("dlv_1"), message: Webhook.message(TextTree(text: "x")), attempt: 1))
    }

    @Test(arguments: [
        (404, "channel_not_found"), (410, "channel_is_archived"), (400, "no_service"), (403, "invalid_token"),
        (400, "no_team\n"), (403, "action_prohibited"), (500, "no_active_hooks"),
    ])
    func `slack's word for a channel that takes nothing is about the channel`(status: Int, body: String) async throws {
        guard case .never(_, .channel) = try await outcome("slack", status, body) else {
            Issue.record("\(body) is not about the channel")
            return
        }
    }

    @Test(arguments: [
        ("slack", 400, "invalid_blocks", DeliveryOutcome.Scope.message),
        ("mattermost", 400, #"{"id":"web.incoming_webhook.text.app_error"}"#, .message),
        ("mattermost", 400, #"{"id":"web.incoming_webhook.invalid.app_error"}"#, .channel),
        ("mattermost", 403, #"{"id":"web.incoming_webhook.channel_locked.app_error"}"#, .channel),
        ("discord", 404, #"{"message":"Unknown Webhook","code":10015}"#, .channel),
        ("discord", 400, #"{"code":50035}"#, .message), ("gotify", 401, "{}", .channel),
    ])
    func `a refusal is about the message or the channel`(
        format: String, status: Int, body: String, scope: DeliveryOutcome.Scope
    ) async throws {
        guard case .never(_, let affected) = try await outcome(format, status, body) else {
            Issue.record("\(body) is no refusal")
            return
        }
        #expect(affected == scope)
    }

    @Test func `slack's trouble of its own may pass`() async throws {
        #expect(HTTPAdapterContract.Class(try await outcome("slack", 500, "rollup_error")) == .maybe)
        #expect(HTTPAdapterContract.Class(try await outcome("slack", 400, "rollup_error")) == .maybe)
    }

    @Test(arguments: [
        ("ntfy", #"{"id":"sPs71M8A2T","time":1643935928}"#, ["sPs71M8A2T"]), ("gotify", #"{"id":25}"#, ["25"]),
        ("ntfy", #"{"id":"a\nb"}"#, []), ("gotify", #"{"id":"x"}"#, []), ("slack", "ok", []), ("mattermost", "ok", []),
    ])
    func `an id in the answer is the receipt`(format: String, body: String, ids: [String]) async throws {
        #expect(try await outcome(format, 200, body) == .delivered(Receipt(ids: ids)))
    }

    @Test func `a fraction of a second is waited as asked`() async throws {
        let outcome = try await outcome("discord", 429, #"{"message":"slow","retry_after":0.65,"global":false}"#)
        guard case .wait(_, .milliseconds(650), .account) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test(arguments: ["https://ntfy.sh", "https://ntfy.sh/", "https://ntfy.sh/a/", "https://ntfy.sh/a%20b"])
    func `ntfy needs a topic`(url: String) {
        #expect(NtfyFormat(url: Secret(url)) == nil)
    }

    @Test func `ntfy's JSON goes to the server, its query kept`() async throws {
        let transport = RecordingTransport(HTTPResponse(status: 200))
        let adapter = try Webhook.adapter("ntfy", transport: transport)
        _ = await adapter.deliver(
            Delivery(id: DeliveryID("dlv_1"), message: Webhook.message(TextTree(text: "x")), attempt: 1))
        #expect(
            transport.requests.first?.url.reveal()
                == "https://hooks.example.com:8443/services/T0PS3CRET/?token=query-secret")
    }
}
