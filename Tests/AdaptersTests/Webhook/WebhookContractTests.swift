import AdapterKit
import AdapterKitTesting
import Testing

@testable import WebhookAdapter

@Suite struct WebhookContractTests {
    private let contract = AdapterContract(kind: WebhookKind(), values: Webhook.values)
    private var http: HTTPAdapterContract { HTTPAdapterContract(contract) }

    private func http(_ format: String) -> HTTPAdapterContract {
        HTTPAdapterContract(AdapterContract(kind: WebhookKind(), values: Webhook.values(format)))
    }

    @Test func `its schema is well formed`() {
        contract.checkSchema()
    }

    @Test func `a configuration that does not fit is refused by the key`() {
        contract.checkRefusals()
    }

    @Test func `run ends when cancelled`() async throws {
        try await contract.checkRunEnds()
    }

    @Test(arguments: Webhook.formats)
    func `an answer is classed by its status`(format: String) async throws {
        for (status, expected) in HTTPAdapterContract.statuses {
            try await http(format).checkStatus(status, is: expected)
        }
    }

    @Test(arguments: HTTPAdapterContract.failures)
    func `no answer is classed by its cause`(
        code: HTTPFailure.Code, expected: HTTPAdapterContract.Class
    ) async throws {
        try await http.checkFailure(code, is: expected)
    }

    @Test(arguments: Webhook.formats, AdapterContract.hostileTexts)
    func `hostile text can be sent`(format: String, text: String) throws {
        try http(format).contract.checkRender(of: text)
    }

    @Test(arguments: Webhook.formats)
    func `nothing secret is in a reason or in the log`(format: String) async throws {
        try await http(format).checkRedaction()
    }

    @Test(arguments: Webhook.formats)
    func `a cancelled delivery ends and has not gone`(format: String) async throws {
        try await http(format).checkCancellation()
    }

    @Test(arguments: [
        (["Retry-After": "7"], "", Duration.seconds(7)),
        (["retry-after": "Fri, 09 Oct 2026 12:02:30 GMT"], "", .seconds(30)),
        (["Retry-After": "Fri, 09 Oct 2026 12:00:00 GMT"], "", .zero),
        ([:], #"{"message": "slow down", "retry_after": 1.5}"#, .milliseconds(1500)),
        ([:], #"{"retry_after_ms":4307}"#, .milliseconds(4307)),
        (["Retry-After": "soon"], #"{"retry_after" : 3}"#, .seconds(3)),
        (["Retry-After": "99999999999999999999"], "", .seconds(366 * 86_400)),
    ])
    func `what the other side asks to wait is passed on`(
        headers: [String: String], body: String, expected: Duration
    ) async throws {
        let now = WallTime(seconds: 1_791_547_320)  // 2026-10-09T12:02:00Z
        let response = HTTPResponse(status: 429, headers: headers, body: Array(body.utf8))
        try await http.checkRetryAfter(response, is: expected, now: now)
    }

    @Test(arguments: ["-1", "1e9", "NaN", "", "Fri, 31 Foo 2026 12:00:00 GMT"])
    func `a wait that is not one is no wait`(header: String) {
        let response = HTTPResponse(status: 503, headers: ["Retry-After": header])
        #expect(response.retryAfter(now: WallTime(seconds: 0)) == nil)
    }
}
