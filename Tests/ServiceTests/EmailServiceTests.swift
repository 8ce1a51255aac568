import AdapterKit
import AdapterKitTesting
import BotCore
import EmailAdapter
import Testing

/// Mail to a real server, over encrypted connections.
@Suite(.timeLimit(.minutes(10))) struct EmailServiceTests {
    private func adapter(
        _ server: MailServer, _ scheme: String = "smtp", trusting authority: String? = nil,
        to: String = "ann@example.com",
        password: String = "bot-password", isEncrypted: Bool = true
    ) throws -> any Adapter {
        var values: [String: ConfigurationValue] = [
            "server": .text("\(scheme)://localhost:\(server.port)"), "from": .text("Zimmer © <bot@example.com>"),
            "to": .textList(["Ann <\(to)>", "bob@example.com"]), "tls": .boolean(isEncrypted),
        ]
        if isEncrypted {
            values["user"] = .text("bot")
            values["password"] = .secret(Secret(password))
        }
        if let authority { values["ca_file"] = .text(authority) }
        return try EmailKind().makeAdapter(
            configuration: AdapterConfiguration(schema: EmailKind().schema, values: values),
            context: .testing(mail: CurlMail()))
    }

    private var delivery: Delivery {
        var message = AdapterContract.message
        message.title = "Fix <login> – failed\r\nBcc: eve@evil.example " + String(repeating: "👨‍👩‍👧‍👦", count: 40)
        message.body = TextTree([.paragraph([.text(".")]), .paragraph([.strong([.text("Fix <login>")]), .text(" é")])])
        let picture = Picture(
            bytes: [0, 1, 13, 10, 46, 255], mediaType: "image/png", width: 2, height: 1, description: "a chart")
        return Delivery(
            id: DeliveryID("dlv_2"), message: message, attempt: 1,
            thread: Delivery.Thread(root: Receipt(id: "dlv_1@example.com"), latest: Receipt(id: "dlv_1@example.com")),
            picture: picture)
    }

    @Test(arguments: [(MailServer.Encryption.startTLS, "smtp"), (.tls, "smtps")])
    func `a mail goes encrypted, signed in, and reads as it was meant`(
        encryption: MailServer.Encryption, scheme: String
    ) async throws {
        let server = try await MailServer(encryption)
        let delivery = delivery
        let outcome = await (try adapter(server, scheme, trusting: server.authority)).deliver(delivery)
        #expect(outcome == .delivered(Receipt(id: "dlv_2@example.com")))
        let mail = try await server.nextMail()
        #expect(mail.isEncrypted)
        #expect(mail.user == "bot")
        #expect(mail.sender == "bot@example.com")
        #expect(mail.recipients == ["ann@example.com", "bob@example.com"])
        #expect(mail.defects == [])
        #expect(mail.headers["From"] == "Zimmer © <bot@example.com>")
        #expect(mail.headers["To"] == "Ann <ann@example.com>, bob@example.com")
        #expect(mail.headers["Subject"] == delivery.message.title?.printableLine)
        #expect(mail.headers["Bcc"] == nil)
        #expect(mail.headers["References"] == "<dlv_1@example.com>")
        #expect(mail.types == ["multipart/related", "multipart/alternative", "text/plain", "text/html", "image/png"])
        #expect(mail.contents.first?.replacing("\r\n", with: "\n") == ".\n\nFix <login> é\n\na chart\n")
        #expect(mail.contents.last?.contains("<p><strong>Fix &lt;login&gt;</strong> é</p>") == true)
        #expect(mail.pictures == ["00010d0a2eff"])
    }

    @Test(arguments: [(MailServer.Encryption.startTLS, "smtp"), (.tls, "smtps")])
    func `a certificate that nobody vouches for, or of another name, gets nothing`(
        encryption: MailServer.Encryption, scheme: String
    ) async throws {
        let stranger = try await MailServer(encryption)
        let namesake = try await MailServer(encryption, certifiedFor: "mail.example.com")
        for adapter in [
            try adapter(stranger, scheme), try adapter(stranger, scheme, trusting: namesake.authority),
            try adapter(namesake, scheme, trusting: namesake.authority),
        ] {
            #expect(HTTPAdapterContract.Class(await adapter.deliver(delivery)) == .wait)
        }
    }

    @Test func `without encryption there is no mail, unless that is what the file says`() async throws {
        let server = try await MailServer(.none)
        let refused = await (try adapter(server)).deliver(delivery)
        #expect(
            refused == .wait(reason: "smtp://localhost:\(server.port): the server does not encrypt", retryAfter: nil))
        let outcome = await (try adapter(server, isEncrypted: false)).deliver(delivery)
        #expect(outcome == .delivered(Receipt(id: "dlv_2@example.com")))
        #expect(try await server.nextMail().isEncrypted == false)
    }

    @Test func `a wrong password, an unknown mailbox and a busy one are told apart`() async throws {
        let server = try await MailServer(.startTLS)
        let denied = await (try adapter(server, trusting: server.authority, password: "wrong")).deliver(delivery)
        guard case .never(_, .account) = denied else {
            Issue.record("\(denied)")
            return
        }
        let unknown = await (try adapter(server, trusting: server.authority, to: "nobody@example.com")).deliver(
            delivery)
        #expect(unknown == .never(reason: "smtp://localhost:\(server.port): 550 5.1.1 No such user"))
        let busy = await (try adapter(server, trusting: server.authority, to: "later@example.com")).deliver(delivery)
        #expect(busy == .wait(reason: "smtp://localhost:\(server.port): 450 4.2.1 Busy", retryAfter: nil))
    }
}
