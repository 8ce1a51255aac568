import AdapterKit
import AdapterKitTesting
import BotTestSupport
import Testing

@testable import IRCAdapter

/// Certificates, accounts and nicks on InspIRCd with Atheme.
@Suite(.timeLimit(.minutes(10))) struct IRCLoginServiceTests {
    @Test func `by password and by certificate, over TLS, the bot is who it says it is`() async throws {
        let network = try await IRCNetwork()
        let observer = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "watcher")
        try await observer.join("#ops")
        let certificate: [String: ConfigurationValue] = [
            "mechanism": .text("external"), "certificate": .text(network.value("IRC_CLIENT_CERT")),
            "key": .text(network.value("IRC_CLIENT_KEY")),
        ]
        let account = network.value("IRC_CLIENT_CERT_ACCOUNT")
        for (number, changes) in [[:], ["sasl": ConfigurationValue.section(certificate)]].enumerated() {
            let bot = try IRCBot(network, changes)
            try await bot.running {
                try await bot.deliver(.test("hello \(number)"), id: "dlv_\(number)")
                let line = try await observer.next { $0.command == "NOTICE" && $0.source?.name == "zimmer" }
                #expect(line.trailing == "hello \(number)")
                #expect(line.tags["account"] == account)
            }
            #expect(try await observer.next(from: "zimmer").command == "QUIT")
        }
        withExtendedLifetime(network) {}
    }

    @Test func `a certificate that is not trusted, or made out to another, is not talked to`() async throws {
        let network = try await IRCNetwork()
        let changes: [[String: ConfigurationValue?]] = [["ca_file": nil], ["server": .text("irc.localhost")]]
        for change in changes {
            let bot = try IRCBot(network, change)
            await bot.running {
                await bot.down("not trusted")
                guard case .wait = await bot.adapter.deliver(Delivery.test("dlv_1", "hello")) else {
                    Issue.record("it did not wait")
                    return
                }
            }
        }
        withExtendedLifetime(network) {}
    }

    @Test func `with a wrong password no channel is joined, and nobody is asked again soon`() async throws {
        let network = try await IRCNetwork()
        let observer = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "watcher")
        try await observer.join("#ops")
        let login: [String: ConfigurationValue] = [
            "account": .text("bot"), "password": .secret(Secret("a-wrong-password")),
        ]
        let bot = try IRCBot(network, ["sasl": .section(login)])
        await bot.running {
            await bot.down("'sasl'")
            guard
                case .wait(let reason, let retryAfter?, _) = await bot.adapter.deliver(Delivery.test("dlv_1", "hello"))
            else {
                Issue.record("it did not wait")
                return
            }
            #expect(reason.contains("904"))
            #expect(retryAfter > .seconds(25))
        }
        for text in bot.log.lines + bot.monitor.reports.map({ "\($0)" }) { #expect(!text.contains("a-wrong-password")) }
        try await observer.send("PRIVMSG #ops :end")
        try await observer.send("PING :end")
        let line = try await observer.next { $0.command == "JOIN" || $0.command == "PONG" }
        #expect(line.command == "PONG")
        withExtendedLifetime(network) {}
    }

    @Test func `without services the bot waits outside, and comes in when they are back`() async throws {
        let network = try await IRCNetwork()
        try await network.tell("services-down")
        let bot = try IRCBot(network)
        try await bot.running {
            await bot.down("services")
            try await network.tell("services-up")
            let failures = try await bot.deliver(.test("hello"), id: "dlv_1")
            #expect(failures.allSatisfy { if case .wait = $0 { true } else { false } })
        }
        withExtendedLifetime(network) {}
    }

    @Test func `a nick that somebody has is taken back`() async throws {
        let network = try await IRCNetwork()
        let thief = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "bot")
        let observer = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "watcher")
        try await observer.join("#ops")
        let bot = try IRCBot(network, ["nick": .text("bot")])
        try await bot.running {
            try await bot.deliver(.test("under another name"), id: "dlv_1")
            let change = try await observer.next { $0.command == "NICK" }
            #expect(change.source?.name == "bot_" && change.trailing == "bot")
            try await bot.deliver(.test("under its own"), id: "dlv_2")
            _ = try await observer.next { $0.source?.name == "bot" && $0.trailing == "under its own" }
        }
        await #expect(throws: (any Error).self) { _ = try await thief.next { $0.command == "NEVER" } }
        withExtendedLifetime(network) {}
    }

    @Test func `who said something is known by the account, not by the nick`() async throws {
        let network = try await IRCNetwork()
        let bot = try IRCBot(network)
        try await bot.running {
            await bot.monitor.wait { $0 == .up }
            let alice = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "somebody")
            try await alice.join("#ops")
            try await alice.send("PRIVMSG #ops :!first")
            try await alice.send("PRIVMSG NickServ :IDENTIFY alice alice-pass")
            _ = try await alice.next { $0.numeric == 900 }
            try await alice.send("NOTICE #ops :!notice")
            try await alice.send("PRIVMSG #ops :!second \u{02}bold")
            let events = [await bot.listener.next(), await bot.listener.next()]
            #expect(events.map(\.sender) == [nil, "alice"])
            #expect(events.map(\.senderName) == ["somebody", "somebody"])
            #expect(events.map(\.content) == [.text("!first"), .text("!second bold")])
        }
        withExtendedLifetime(network) {}
    }
}

extension Delivery {
    static func test(_ id: String, _ text: String) -> Delivery {
        Delivery(id: DeliveryID(id), message: .test(text), attempt: 1)
    }
}
