import AdapterKit
import AdapterKitTesting
import BotCore
import Synchronization
import Testing

@testable import EmailAdapter

@Suite(.timeLimit(.minutes(10))) struct EmailAdapterTests {
    private let contract = AdapterContract(kind: EmailKind(), values: Email.values)

    private func adapter(_ mail: any MailTransport, _ values: [String: ConfigurationValue] = Email.values) throws
        -> any Adapter
    {
        try EmailKind().makeAdapter(
            configuration: AdapterConfiguration(schema: EmailKind().schema, values: values),
            context: .testing(mail: mail))
    }

    private let delivery = Delivery(id: DeliveryID("dlv_1"), message: AdapterContract.message, attempt: 1)

    @Test func `its schema is well formed`() {
        contract.checkSchema()
    }

    @Test func `a configuration that does not fit is refused by the key`() {
        contract.checkRefusals()
    }

    @Test func `run ends when cancelled`() async throws {
        try await contract.checkRunEnds()
    }

    @Test(arguments: AdapterContract.hostileTexts)
    func `hostile text can be sent`(text: String) throws {
        try contract.checkRender(of: text)
    }

    @Test func `a mail goes to the server with its envelope, and its id is the receipt`() async throws {
        let mails = RecordingMail()
        let outcome = await (try adapter(mails)).deliver(delivery)
        #expect(outcome == .delivered(Receipt(id: "dlv_1@example.com")))
        let mail = try #require(mails.mails.first)
        #expect(mail.server.url == "smtps://mail.example.com")
        #expect(mail.server.user == "bot" && mail.server.password == Secret("mail-S3CRET"))
        #expect(mail.server.isEncrypted)
        #expect(mail.sender == "bot@example.com")
        #expect(mail.recipients == ["ann@example.com", "bob@example.com"])
        #expect(mail.timeout == .seconds(60))
    }

    @Test(arguments: [
        (MailFailure.Code.unreachable, HTTPAdapterContract.Class.wait), (.timedOut, .lost), (.interrupted, .lost),
        (.untrusted, .wait), (.refusedSignIn, .never), (.answered(421), .wait), (.answered(450), .wait),
        (.answered(550), .never), (.answered(554), .never), (.invalidMail, .never),
    ])
    func `a failure is classed by its cause`(code: MailFailure.Code, expected: HTTPAdapterContract.Class) async throws {
        let outcome = await (try adapter(RecordingMail(failing: MailFailure(code, "no")))).deliver(delivery)
        #expect(HTTPAdapterContract.Class(outcome) == expected)
    }

    @Test func `a sign-in that is refused is about the account`() async throws {
        let outcome = await (try adapter(RecordingMail(failing: MailFailure(.refusedSignIn, "535 no")))).deliver(
            delivery)
        #expect(outcome == .never(reason: "smtps://mail.example.com: 535 no", affects: .account))
    }

    @Test func `nothing secret is in a reason, however the server repeats it`() async throws {
        let echo = "535 mail-S3CRET \(Secret("bWFpbC1TM0NSRVQ=").reveal()) AGJvdABtYWlsLVMzQ1JFVA== \u{1B}[1m"
        let outcome = await (try adapter(RecordingMail(failing: MailFailure(.refusedSignIn, echo)))).deliver(delivery)
        #expect(outcome.reason == "smtps://mail.example.com: 535 <redacted> <redacted> <redacted> [1m")
    }

    @Test func `a cancelled delivery ends and has not gone`() async throws {
        let silent = SilentTransport()
        let adapter = try adapter(silent)
        let sending = Task { await adapter.deliver(delivery) }
        await silent.waitForRequest()
        sending.cancel()
        #expect(HTTPAdapterContract.Class(await sending.value) == .wait)
    }

    @Test func `nothing printed of an adapter shows the password`() throws {
        let adapter = try adapter(RecordingMail())
        var dumped = ""
        dump(adapter, to: &dumped)
        #expect(!dumped.contains("S3CRET"))
    }

    @Test(
        arguments: [
            ("server", ConfigurationValue.text("http://mail.example.com"), "server"),
            ("server", .text("smtps://user:pw@mail.example.com"), "server"), ("server", .text("smtps://"), "server"),
            ("server", .text("mail.example.com"), "server"), ("server", .text("smtps://h/path"), "server"),
            ("server", .text("smtps://h:0"), "server"), ("server", .text("smtps://h:65536"), "server"),
            ("from", .text("bot"), "from"), ("from", .text("a@b@c"), "from"), ("from", .text("a\r\n@b"), "from"),
            ("to", .textList([]), "to"), ("to", .textList(["ann@example.com", "x"]), "to"),
            ("tls", .boolean(false), "tls"), ("user", nil, "password"), ("password", nil, "user"),
        ] as [(String, ConfigurationValue?, String)])
    func `a value that cannot work is refused by its key`(key: String, value: ConfigurationValue?, named: String) {
        var values = Email.values
        values[key] = value
        let error = #expect(throws: ConfigurationError.self) { _ = try adapter(RecordingMail(), values) }
        #expect(error?.key == named)
    }

    @Test func `mail in the clear stays on this machine`() throws {
        var values = Email.values
        values["server"] = .text("smtp://127.0.0.1:2525")
        values["tls"] = .boolean(false)
        _ = try adapter(RecordingMail(), values)
        values["server"] = .text("smtp://10.0.0.1:2525")
        #expect(throws: ConfigurationError.self) { _ = try adapter(RecordingMail(), values) }
    }

    @Test func `it arrives over a real connection as it was composed`() async throws {
        let server = try ScriptedMailServer()
        defer { server.stop() }
        var values = Email.values
        values["server"] = .text(server.url)
        values["tls"] = .boolean(false)
        let adapter = try adapter(CurlMail(), values)
        #expect(await adapter.deliver(delivery) == .delivered(Receipt(id: "dlv_1@example.com")))
        let rendered = try #require(adapter.render(delivery).first)
        #expect(server.contents.first.map { $0 + [13, 10] } == rendered.bytes)
    }
}

/// Keeps mails, or fails as told.
final class RecordingMail: MailTransport {
    private let failure: MailFailure?
    private let recorded = Mutex<[Mail]>([])

    init(failing failure: MailFailure? = nil) {
        self.failure = failure
    }

    var mails: [Mail] { recorded.withLock { $0 } }

    func send(_ mail: Mail) async throws {
        recorded.withLock { $0.append(mail) }
        if let failure { throw failure }
    }
}
