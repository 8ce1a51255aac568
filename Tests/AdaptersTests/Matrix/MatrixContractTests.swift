import AdapterKit
import AdapterKitTesting
import Testing

@testable import MatrixAdapter

@Suite struct MatrixContractTests {
    private let contract = AdapterContract(kind: MatrixKind(), values: Matrix.values)

    private var http: HTTPAdapterContract {
        HTTPAdapterContract(
            contract, successBody: Array(#"{"event_id": "$1"}"#.utf8), shrinksMessages: true,
            preparation: Matrix.preparation)
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

    @Test(arguments: HTTPAdapterContract.statuses)
    func `an answer is classed by its status`(status: Int, expected: HTTPAdapterContract.Class) async throws {
        try await http.checkStatus(status, is: expected)
    }

    @Test(arguments: HTTPAdapterContract.failures)
    func `no answer is classed by its cause`(
        code: HTTPFailure.Code, expected: HTTPAdapterContract.Class
    ) async throws {
        try await http.checkFailure(code, is: expected)
    }

    @Test(arguments: [Matrix.values, Matrix.passwordValues])
    func `nothing secret is in a reason or in the log`(values: [String: ConfigurationValue]) async throws {
        let contract = AdapterContract(kind: MatrixKind(), values: values)
        // Once with the answer to the message, once with the very first answer.
        let prepared = HTTPAdapterContract(contract) { request in
            if request.url.reveal().hasSuffix("/login") {
                return HTTPResponse(json: #"{"access_token": "syt_other", "user_id": "@bot:x"}"#)
            }
            return Matrix.preparation(request)
        }
        try await prepared.checkRedaction()
        try await HTTPAdapterContract(AdapterContract(kind: MatrixKind(), values: values)).checkRedaction()
    }

    @Test func `a cancelled delivery ends and has not gone`() async throws {
        try await http.checkCancellation()
    }

    @Test(arguments: [
        (["Retry-After": "7"], #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":4307}"#, Duration.seconds(7)),
        ([:], #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":4307}"#, .milliseconds(4307)),
    ])
    func `what the homeserver asks to wait is passed on`(
        headers: [String: String], body: String, expected: Duration
    ) async throws {
        let response = HTTPResponse(status: 429, headers: headers, body: Array(body.utf8))
        try await http.checkRetryAfter(response, is: expected, now: WallTime(seconds: 1_791_547_320))
    }

    @Test(arguments: [
        ("homeserver", ConfigurationValue.text("matrix.example.com"), "needs the URL of a homeserver"),
        ("homeserver", .text("https://matrix.example.com/?a=b"), "needs the URL of a homeserver"),
        ("homeserver", .text("https://bot:pass@matrix.example.com"), "needs the URL of a homeserver"),
        ("homeserver", .text("https://matrix.example.com:0"), "needs the URL of a homeserver"),
        ("homeserver", .text("https://matrix.example.com/_matrix/client"), "needs the URL of a homeserver"),
        ("room", .text("!abc:example.com "), "needs a room id (!…) or an alias"),
        ("room", .text("#my ops:example.com"), "needs a room id (!…) or an alias"),
        ("room", .text("#ops:"), "needs a room id (!…) or an alias"),
        ("room", .text("ops"), "needs a room id (!…) or an alias"),
        ("room", .text("#ops"), "needs a room id (!…) or an alias"),
        ("room", .text("!a\u{202E}b"), "needs a room id (!…) or an alias"),
        ("access_token", .secret(Secret("a\r\nb")), "is no access token"),
        ("user", .text("bot"), "has no use beside 'access_token'"),
    ])
    func `a value that cannot work is refused with what to write instead`(
        key: String, value: ConfigurationValue, text: String
    ) {
        var values = Matrix.values
        values[key] = value
        let error = #expect(throws: ConfigurationError.self) {
            _ = try AdapterContract(kind: MatrixKind(), values: values).makeAdapter(transport: SilentTransport())
        }
        #expect(error?.key == key)
        #expect(error?.text.contains(text) == true)
    }

    @Test func `without a token a user and a password are needed`() {
        var values = Matrix.passwordValues
        values["password"] = nil
        let error = #expect(throws: ConfigurationError.self) {
            _ = try AdapterContract(kind: MatrixKind(), values: values).makeAdapter(transport: SilentTransport())
        }
        #expect(error?.key == "password")
    }

    @Test func `nothing printed of an adapter shows a secret`() throws {
        for values in [Matrix.values, Matrix.passwordValues] {
            var dumped = ""
            dump(try Matrix.adapter(values, transport: SilentTransport()), to: &dumped)
            #expect(!dumped.contains("S3CRET"))
        }
    }
}
