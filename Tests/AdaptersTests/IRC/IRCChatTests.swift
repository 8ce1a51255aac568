import AdapterKit
import Testing

@testable import IRCAdapter

@Suite struct IRCChatTests {
    private static let tags = "account-tag batch message-tags server-time"

    @Test func `what a person says comes with the account, the time and the id that the server gives`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.tags)
        try driver.hear(
            "@account=alice;msgid=m1;time=2026-10-09T12:00:00.500Z :Ally!a@h PRIVMSG #OPS :!board \u{02}now\u{0F} ")
        let message = try #require(driver.heard.first)
        #expect(message.account == "alice" && message.nick == "Ally" && message.id == "m1")
        #expect(message.time == WallTime(seconds: 1_791_547_200, nanoseconds: 500_000_000))
        #expect(message.text == "!board now ")
    }

    @Test(arguments: [
        ":alice!a@h NOTICE #ops :an answer", ":alice!a@h PRIVMSG #ops :\u{01}ACTION waves\u{01}",
        ":alice!a@h PRIVMSG #ops :\u{01}VERSION\u{01}", ":bot!~bot@host.test PRIVMSG #ops :our own",
        ":alice!a@h PRIVMSG bot :in private", ":alice!a@h PRIVMSG #other :elsewhere",
        ":alice!a@h PRIVMSG @#ops :to ops",
        ":alice!a@h PRIVMSG #ops", "PRIVMSG #ops :nobody", "@bot :robo!a@h PRIVMSG #ops :another bot",
        "@batch=h1 :alice!a@h PRIVMSG #ops :long ago", "@batch=h2 :alice!a@h PRIVMSG #ops :long ago too",
    ])
    func `what is not said by a person here and now is not heard`(line: String) throws {
        var driver = try SessionDriver.joined(capabilities: Self.tags)
        try driver.hear(":irc.test BATCH +h1 chathistory #ops", "@batch=h1 :irc.test BATCH +h2 other")
        try driver.hear(line)
        #expect(driver.heard.isEmpty)
    }

    @Test func `a nick alone says nothing about who it is`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.tags)
        try driver.hear(
            "@account=* :alice!a@h PRIVMSG #ops :x", ":alice!a@h PRIVMSG #ops :x",
            "@account= :alice!a@h PRIVMSG #ops :x")
        #expect(driver.heard.map(\.account) == [nil, nil, nil])
        // Without any of the capabilities a tag could be somebody's invention.
        driver = try SessionDriver.joined()
        try driver.hear(":alice!a@h ACCOUNT boss", ":carol!c@h JOIN #ops boss :real", ":carol!c@h PRIVMSG #ops :x")
        #expect(driver.heard.map(\.account) == [nil])
    }

    @Test func `accounts are known by what the server tells, for as long as it tells`() throws {
        var driver = try SessionDriver.joined(capabilities: "account-notify extended-join", support: "WHOX")
        func account(_ nick: String) throws -> String? {
            try driver.hear(":\(nick)!x@h PRIVMSG #ops :x")
            return driver.heard.last?.account
        }
        try driver.hear(":irc.test 354 bot 152 #ops alice alice-account", ":irc.test 354 bot 152 #ops dave 0")
        try driver.hear(":carol!c@h JOIN #ops carol-account :Carol", ":eve!e@h JOIN #ops * :Eve")
        #expect(try account("alice") == "alice-account")
        #expect(try account("dave") == nil)
        #expect(try account("carol") == "carol-account")
        #expect(try account("eve") == nil)
        try driver.hear(":dave!d@h ACCOUNT dave-account", ":alice!a@h ACCOUNT *", ":carol!c@h NICK caro")
        #expect(try account("dave") == "dave-account")
        #expect(try account("alice") == nil)
        #expect(try account("CARO") == "carol-account")
        #expect(try account("carol") == nil)
        try driver.hear(":caro!c@h PART #ops :bye", ":dave!d@h QUIT :bye")
        #expect(try account("caro") == nil)
        #expect(try account("dave") == nil)
    }

    @Test func `two queries among programs are answered, now and then, by notice`() throws {
        var driver = try SessionDriver.joined()
        try driver.hear(":alice!a@h PRIVMSG bot :\u{01}VERSION\u{01}", ":alice!a@h PRIVMSG bot :\u{01}PING 123\u{01}")
        #expect(
            driver.said() == ["NOTICE alice :\u{01}VERSION zimmer-bot\u{01}", "NOTICE alice :\u{01}PING 123\u{01}"])
        for _ in 0..<100 { try driver.hear(":alice!a@h PRIVMSG bot :\u{01}VERSION\u{01}") }
        try driver.hear(":alice!a@h NOTICE bot :\u{01}VERSION\u{01}", ":alice!a@h PRIVMSG bot :\u{01}TIME\u{01}")
        #expect(driver.said() == [])
    }

    @Test func `a flood of talk is heard as far as it makes sense`() throws {
        var driver = try SessionDriver.joined()
        for number in 0..<5000 { try driver.hear(":alice!a@h PRIVMSG #ops :\(number)") }
        #expect(driver.heard.count == 500)
    }

    @Test(arguments: ["", "yesterday", "2026-13-40T99:99:99Z", "9999999-01-01T00:00:00.000Z", "2026-10-09T12:00:00Z"])
    func `a time that is none is left out`(text: String) throws {
        var driver = try SessionDriver.joined(capabilities: Self.tags)
        try driver.hear("@time=\(text) :alice!a@h PRIVMSG #ops :x")
        #expect(driver.heard.count == 1)
    }

    @Test func `no line whatever brings a session to a stop`() throws {
        var seed: UInt64 = 7
        func random(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % count
        }
        let commands = [
            "JOIN", "PART", "KICK", "NICK", "QUIT", "MODE", "ACCOUNT", "CHGHOST", "BATCH", "CAP", "AUTHENTICATE",
            "FAIL",
            "PRIVMSG", "NOTICE", "PONG", "KILL", "001", "005", "324", "354", "396", "403", "404", "433", "470", "731",
            "903",
        ]
        let words = [
            "#ops", "bot", "bot_", ":", "", "+c-c+", "+r", "-r", "LS", "ACK", "NAK", "NEW", "DEL", "*", "152", "😀",
            "\u{01}PING",
        ]
        for _ in 0..<200 {
            var driver = try SessionDriver.joined(capabilities: Self.tags)
            driver.begin([[Span("x", .bold)]])
            do {
                for _ in 0..<50 {
                    let parameters = (0..<random(5)).map { _ in words[random(words.count)] }.joined(separator: " ")
                    let source = [":bot!b@h ", ":irc.test ", "@batch=r;label=dlv_1-1 :alice ", ""][random(4)]
                    try driver.hear(source + commands[random(commands.count)] + " " + parameters)
                    _ = try driver.pass(.milliseconds(500))
                }
            } catch {
                // An end is as good as any.
            }
        }
    }
}
