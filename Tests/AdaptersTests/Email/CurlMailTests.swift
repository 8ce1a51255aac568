import AdapterKit
import BotCore
import Testing

/// The bot's mail client against a server that answers as told.
@Suite(.timeLimit(.minutes(10))) struct CurlMailTests {
    private func mail(
        _ server: ScriptedMailServer, content: String = "Subject: x\r\n\r\nhello\r\n", user: String? = nil,
        isEncrypted: Bool = false, timeout: Duration = .seconds(60)
    ) -> Mail {
        Mail(
            server: Mail.Server(
                url: server.url, isEncrypted: isEncrypted, user: user, password: user.map { _ in Secret("pass-word") }),
            sender: "bot@example.com", recipients: ["ann@example.com", "bob@example.com"],
            content: Array(content.utf8), timeout: timeout)
    }

    private func failure(
        _ replies: [String: ScriptedMailServer.Reply], user: String? = nil, isEncrypted: Bool = false,
        timeout: Duration = .seconds(60)
    ) async throws -> MailFailure {
        let server = try ScriptedMailServer(replies)
        defer { server.stop() }
        return try await #require(throws: MailFailure.self) {
            try await CurlMail().send(mail(server, user: user, isEncrypted: isEncrypted, timeout: timeout))
        }
    }

    @Test func `a mail goes to all its recipients, lines that begin with a dot as they are`() async throws {
        let server = try ScriptedMailServer()
        defer { server.stop() }
        try await CurlMail().send(mail(server, content: "Subject: x\r\n\r\n.\r\n..\r\nend\r\n"))
        #expect(server.contents.map { String(decoding: $0, as: UTF8.self) } == ["Subject: x\r\n\r\n..\r\n...\r\nend"])
        let commands = server.commands.filter { !$0.hasPrefix("EHLO") && $0 != "QUIT" }
        #expect(
            commands == [
                "MAIL FROM:<bot@example.com>", "RCPT TO:<ann@example.com>", "RCPT TO:<bob@example.com>", "DATA",
            ])
    }

    @Test func `a user signs in`() async throws {
        let server = try ScriptedMailServer()
        defer { server.stop() }
        try await CurlMail().send(mail(server, user: "ann"))
        #expect(server.commands.contains { $0.hasPrefix("AUTH PLAIN") })
        #expect(server.contents.count == 1)
    }

    @Test(arguments: [
        ("", "421 too busy", 421), ("", "554 go away", 554), ("MAIL", "451 later", 451), ("MAIL", "550 no", 550),
        ("RCPT", "450 busy mailbox", 450), ("RCPT", "550 5.1.1 No such user", 550), ("DATA", "452 full", 452),
        (".", "451 later", 451), (".", "552 too large", 552), ("AUTH", "454 later", 454),
    ])
    func `a refusal has the server's code and words`(command: String, reply: String, code: Int) async throws {
        let failure = try await failure([command: .say(reply)], user: "ann")
        #expect(failure.code == .answered(code))
        #expect(failure.detail == reply)
    }

    @Test(arguments: [("AUTH", "535 5.7.8 bad credentials"), ("MAIL", "530 5.7.0 Authentication required")])
    func `a sign-in that is refused is told apart`(command: String, reply: String) async throws {
        #expect(try await failure([command: .say(reply)], user: "ann") == MailFailure(.refusedSignIn, reply))
    }

    @Test func `a server that does not encrypt gets neither password nor mail`() async throws {
        let server = try ScriptedMailServer()
        defer { server.stop() }
        let failure = await #expect(throws: MailFailure.self) {
            try await CurlMail().send(mail(server, user: "ann", isEncrypted: true))
        }
        #expect(failure?.code == .untrusted)
        #expect(server.commands.allSatisfy { $0.hasPrefix("EHLO") || $0 == "QUIT" })
    }

    @Test(arguments: ["", "EHLO", "RCPT", "."])
    func `a connection that ends early may be tried again`(command: String) async throws {
        #expect(try await failure([command: .close]).code == .interrupted)
    }

    @Test func `nobody there is unreachable`() async throws {
        let server = try ScriptedMailServer()
        server.stop()
        var mail = mail(server)
        for url in [server.url, "smtp://no-such-host.invalid"] {
            mail.server.url = url
            let failure = await #expect(throws: MailFailure.self) { try await CurlMail().send(mail) }
            #expect(failure?.code == .unreachable)
        }
    }

    @Test func `a server that says nothing is too slow`() async throws {
        #expect(try await failure(["RCPT": .hold], timeout: .milliseconds(200)).code == .timedOut)
    }

    @Test func `a cancelled mail ends at once`() async throws {
        let server = try ScriptedMailServer([".": .hold])
        defer { server.stop() }
        let sending = Task { try await CurlMail().send(mail(server, timeout: .seconds(600))) }
        await server.received("DATA")
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
    }

    @Test func `a mail is taken although the server does not say goodbye`() async throws {
        let server = try ScriptedMailServer(["QUIT": .hold])
        defer { server.stop() }
        try await CurlMail().send(mail(server))
        #expect(server.contents.count == 1)
    }

    @Test(arguments: ["a@b\r\nRCPT TO:<c@d>", "a>b@c", "", "no-at", "a b@c", "é@example.com"])
    func `an address that could be more than one is refused`(address: String) async throws {
        let server = try ScriptedMailServer()
        defer { server.stop() }
        for isSender in [true, false] {
            var mail = mail(server)
            if isSender { mail.sender = address } else { mail.recipients = [address] }
            let failure = await #expect(throws: MailFailure.self) { try await CurlMail().send(mail) }
            #expect(failure?.code == .invalidMail)
        }
        #expect(server.commands.isEmpty)
    }

    @Test func `what a server says is cut and made fit to be shown`() async throws {
        let reply = "550 \u{1B}[31m" + String(repeating: "no ", count: 300)
        let failure = try await failure(["MAIL": .say(reply)])
        #expect(failure.detail.utf8.count < 210)
        #expect(failure.detail.printableLine == failure.detail)
    }
}
