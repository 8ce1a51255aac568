import AdapterKit
import AdapterKitTesting
import BotTestSupport
import Foundation
import Testing

@testable import IRCAdapter

/// What becomes of messages on InspIRCd, where things go wrong.
@Suite(.timeLimit(.minutes(10))) struct IRCDeliveryServiceTests {
    @Test func `of fifty messages at once a server that kills who floods gets all, in order`() async throws {
        let network = try await IRCNetwork(["IRCD_FLOOD": "kill"])
        let observer = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "watcher")
        try await observer.join("#ops")
        let bot = try IRCBot(network)
        try await bot.running {
            for number in 1...50 {
                let failures = try await bot.deliver(.test("message \(number)"), id: "dlv_\(number)")
                #expect(failures == [])
            }
        }
        for number in 1...50 {
            let line = try await observer.next { $0.command == "NOTICE" && $0.source?.name == "zimmer" }
            #expect(line.trailing == "message \(number)")
        }
        withExtendedLifetime(network) {}
    }

    @Test func `a server that goes and comes back gets what it missed, once`() async throws {
        let network = try await IRCNetwork()
        let bot = try IRCBot(network)
        try await bot.running {
            try await bot.deliver(.test("before"), id: "dlv_1")
            try await network.tell("stop")
            await bot.down("localhost")
            guard case .wait = await bot.adapter.deliver(Delivery.test("dlv_2", "after")) else {
                Issue.record("it did not wait")
                return
            }
            try await network.start()
            let observer = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "watcher")
            try await observer.join("#ops")
            try await bot.deliver(.test("after"), id: "dlv_2")
            try await bot.deliver(.test("end"), id: "dlv_3")
            for text in ["after", "end"] {
                let line = try await observer.next { $0.command == "NOTICE" && $0.source?.name == "zimmer" }
                #expect(line.trailing == text)
            }
        }
        withExtendedLifetime(network) {}
    }

    @Test func `a netsplit of others is no matter, and one of our own is a connection that ended`() async throws {
        let network = try await IRCNetwork(["IRCD_LEAF": "1"])
        let leaf: [String: ConfigurationValue?] = [
            "port": .integer(Int(network.value("IRC_LEAF_PORT")) ?? 0), "tls": .boolean(false), "ca_file": nil,
            "sasl": nil,
            "nick": .text("leafbot"),
        ]
        let (near, far) = (try IRCBot(network), try IRCBot(network, leaf))
        let observer = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "watcher")
        try await observer.join("#ops")
        try await near.running {
            try await far.running {
                try await near.deliver(.test("near"), id: "dlv_1")
                try await far.deliver(.test("far"), id: "dlv_2")
                try await network.tell("split")
                _ = try await observer.next { $0.command == "QUIT" && $0.source?.name == "leafbot" }
                await far.down("localhost")
                #expect(try await near.deliver(.test("still near"), id: "dlv_3") == [])
                try await network.tell("heal")
                try await far.deliver(.test("far again"), id: "dlv_4")
                let line = try await observer.next { $0.command == "NOTICE" && $0.source?.name == "leafbot" }
                #expect(line.trailing == "far again")
            }
        }
        #expect(near.monitor.reports == [.up])
        withExtendedLifetime(network) {}
    }

    @Test func `after a kick the bot comes back with the key`() async throws {
        let network = try await IRCNetwork()
        let owner = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "owner")
        try await owner.join("#ops")
        try await owner.send("MODE #ops +k sesame")
        let bot = try IRCBot(network, ["key": .secret(Secret("sesame"))])
        try await bot.running {
            try await bot.deliver(.test("one"), id: "dlv_1")
            try await owner.send("KICK #ops zimmer :out")
            await bot.down("owner kicked the bot out of #ops (out)")
            let failures = try await bot.deliver(.test("two"), id: "dlv_2")
            #expect(failures.count <= 2)
            _ = try await owner.next { $0.command == "NOTICE" && $0.trailing == "two" }
        }
        withExtendedLifetime(network) {}
    }

    @Test func `where formatting is forbidden it is left out, and where speaking is, the message waits`() async throws {
        let network = try await IRCNetwork()
        let owner = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "owner")
        try await owner.join("#ops")
        let bot = try IRCBot(network)
        try await bot.running {
            try await bot.deliver(.test("text", title: "Title"), id: "dlv_1")
            _ = try await owner.next { $0.trailing == "\u{02}Title" }
            try await owner.send("MODE #ops +c")
            _ = try await owner.next { $0.command == "MODE" }
            try await bot.deliver(.test("text", title: "Forbidden"), id: "dlv_2")
            _ = try await owner.next { $0.trailing == "Forbidden" }
            for mode in ["+m", "+b zimmer!*@*"] {
                try await owner.send("MODE #ops \(mode)")
                _ = try await owner.next { $0.command == "MODE" }
                guard case .wait(let reason, _, .channel) = await bot.adapter.deliver(Delivery.test("dlv_3", "three"))
                else {
                    Issue.record("it was said in spite of \(mode)")
                    continue
                }
                #expect(reason.contains("#ops") && reason.contains("404"))
                try await owner.send("MODE #ops \(mode.replacingOccurrences(of: "+", with: "-"))")
                _ = try await owner.next { $0.command == "MODE" }
            }
            #expect(try await bot.deliver(.test("three"), id: "dlv_3") == [])
        }
        withExtendedLifetime(network) {}
    }

    private static let hostile = [
        "a\r\nQUIT :injected", "a\nJOIN #injected", "a\0b\rPRIVMSG #ops :injected", "\u{03}04,01red \u{02}bold\u{0F}",
        "\u{202E}desrever\u{2066}", "\u{01}ACTION injects\u{01}", ":leading colon", "@label=x;y PRIVMSG",
        String(repeating: "x", count: 5000), String(repeating: "word ", count: 1000),
        String(repeating: "👩‍👩‍👧‍👦", count: 300), "é" + String(repeating: "\u{301}", count: 3000), "/quit", "PRIVMSG #ops :x",
    ]

    @Test func `whatever a title holds, others see one message in the channel and nothing else`() async throws {
        let network = try await IRCNetwork(["IRCD_FLOOD": "off"])
        let observer = try await IRCRawClient(port: network.value("IRC_PORT"), nick: "watcher")
        try await observer.join("#ops")
        let bot = try IRCBot(network)
        try await bot.running {
            await bot.monitor.wait { $0 == .up }
            _ = try await observer.next(from: "zimmer")
            for (number, text) in Self.hostile.enumerated() {
                try await bot.deliver(.test("end \(number)", title: text), id: "dlv_\(number)")
                var lines: [IncomingLine] = []
                while !(lines.last?.trailing.contains("end \(number)") ?? false), lines.count < 5 {
                    lines.append(try await observer.next(from: "zimmer"))
                    if lines.last?.trailing.contains("… +") == true { break }
                }
                #expect((1...4).contains(lines.count), "\(number)")
                for line in lines {
                    #expect(line.command == "NOTICE" && line.parameter(0) == "#ops")
                    let isClean = line.trailing.withoutFormatting.unicodeScalars.allSatisfy { $0.value >= 0x20 }
                    #expect(isClean && !line.trailing.contains("\u{01}") && !line.trailing.contains("\u{FFFD}"))
                }
            }
        }
        #expect(try await observer.next(from: "zimmer").trailing.contains("Goodbye"))
        withExtendedLifetime(network) {}
    }
}
