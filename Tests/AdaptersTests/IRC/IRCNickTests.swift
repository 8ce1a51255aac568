import AdapterKit
import Testing

@testable import IRCAdapter

@Suite struct IRCNickTests {
    private let loggedIn = SessionDriver.settings(login: .plain(account: "bot", password: Secret("bot-password")))

    /// Someone else has the nick, and we are logged in.
    private func displaced() throws -> SessionDriver {
        var driver = try SessionDriver(loggedIn)
        try driver.hear(":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl", ":irc.test 903 * :ok")
        _ = driver.said()
        try driver.hear(":irc.test 433 * bot :Nickname is already in use.")
        #expect(driver.said() == ["NICK bot_"])
        try driver.welcome(nick: "bot_")
        return driver
    }

    @Test func `a nick that is taken is tried with something behind it, and not for ever`() throws {
        var driver = try SessionDriver()
        _ = driver.said()
        var tried: [String] = []
        let ending = #expect(throws: Ending.self) {
            for number in [433, 432, 436, 437] + [Int](repeating: 433, count: 10) {
                try driver.hear(":irc.test \(number) * bot :no")
                tried += driver.said()
            }
        }
        #expect(tried.prefix(5) == ["NICK bot_", "NICK bot__", "NICK bot___", "NICK bot4", "NICK bot5"])
        #expect(ending?.reason.contains("'bot'") == true)
    }

    @Test func `services are asked for the nick without any password, and then it is taken`() throws {
        var driver = try displaced()
        #expect(try driver.pass(.zero) == ["PRIVMSG NickServ :GHOST bot", "JOIN #ops"])
        #expect(try driver.pass(.seconds(2)) == ["NICK bot"])
        try driver.hear(":bot_!b@h NICK :bot")
        #expect(driver.session.nick.current == "bot")
        #expect(!(try driver.pass(.seconds(60))).contains { $0.hasPrefix("NICK") })
    }

    @Test func `it is tried again every five minutes`() throws {
        var driver = try displaced()
        _ = try driver.pass(.seconds(2))
        try driver.hear(":irc.test 433 bot_ bot :Nickname is already in use.")
        var lines: [String] = []
        for _ in 0..<11 {
            lines += try driver.pass(.seconds(60))
            try driver.hear(":irc.test NOTICE bot_ :still here")
        }
        #expect(lines.filter { $0 == "NICK bot" }.count == 2)
        #expect(lines.filter { $0.contains("GHOST") }.count == 2)
    }

    @Test func `a guest leaves the nick to whoever has it`() throws {
        var driver = try SessionDriver(loggedIn, nick: NickKeeper("bot", isGuest: true))
        try driver.hear(":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl", ":irc.test 903 * :ok")
        _ = driver.said()
        try driver.hear(":irc.test 433 * bot :Nickname is already in use.")
        try driver.welcome(nick: "bot_")
        var lines = try driver.pass(.zero)
        #expect(lines.contains("JOIN #ops"))
        for _ in 0..<6 {
            lines += try driver.pass(.seconds(60))
            try driver.hear(":irc.test NOTICE bot_ :still here")
        }
        #expect(!lines.contains { $0.contains("GHOST") || $0 == "NICK bot" })
    }

    @Test func `without an account only the nick is asked for, and nobody is driven away`() throws {
        var driver = try SessionDriver()
        _ = driver.said()
        try driver.hear(":irc.test 433 * bot :taken")
        try driver.welcome(nick: "bot_")
        #expect(try driver.pass(.seconds(3)) == ["NICK bot_", "NICK bot", "JOIN #ops"])
    }

    @Test(arguments: [":bot!x@y QUIT :bye", ":BOT!x@y NICK :other", ":irc.test 731 bot_ :Bot"])
    func `a nick that becomes free is taken at once`(line: String) throws {
        var driver = try displaced()
        _ = try driver.pass(.seconds(3))
        try driver.hear(line)
        #expect(try driver.pass(.zero) == ["NICK bot"])
    }

    @Test func `whoever is ghosted twice gives up for an hour`() throws {
        var driver = try displaced()
        _ = try driver.pass(.seconds(3))
        try driver.hear(":bot_!b@h NICK :bot")
        var nick = driver.session.nick
        for second in [0, 100] {
            let now = driver.now + .seconds(second)
            nick.wasGhosted(now: now)
            nick.wasGhosted(now: now)  // KILL and ERROR are one
        }
        driver = try SessionDriver(loggedIn, nick: nick)
        driver.now = driver.now + .seconds(103)
        driver.session.liveness.heard(now: driver.now)
        try driver.hear(":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl", ":irc.test 903 * :ok")
        try driver.hear(":irc.test 433 * bot :taken")
        try driver.welcome(nick: "bot_")
        _ = driver.said()
        var lines: [String] = []
        for _ in 0..<59 {
            lines += try driver.pass(.seconds(60))
            try driver.hear(":irc.test NOTICE bot_ :still here")
        }
        #expect(!lines.contains { $0.contains("GHOST") || $0.hasPrefix("NICK") })
        lines = try driver.pass(.seconds(70))
        #expect(lines.contains { $0.contains("GHOST") })
    }

    @Test func `a nick that the server cut is as good as the whole`() throws {
        var driver = try SessionDriver(SessionDriver.settings(nick: "zimmer-bot-long"))
        _ = driver.said()
        try driver.welcome(nick: "zimmer-bo", support: "NICKLEN=9")
        #expect(try driver.pass(.seconds(20)) == ["JOIN #ops"])
        try driver.hear(":zimmer-bo!b@h JOIN #ops")
        #expect(driver.session.channels[0].isJoined)
    }

    @Test func `the server may call us otherwise, and we notice`() throws {
        var driver = try SessionDriver.joined()
        try driver.hear(":bot!b@h NICK Guest123")
        #expect(driver.session.nick.current == "Guest123")
        try driver.hear(":Guest123!b@h PRIVMSG #ops :our own words")
        #expect(driver.heard.isEmpty)
        try driver.hear(":irc.test NOTICE Guest123 :x")
        var lines: [String] = []
        for _ in 0..<5 {
            lines += try driver.pass(.seconds(60))
            try driver.hear(":irc.test NOTICE Guest123 :x")
        }
        #expect(lines.contains("NICK bot"))
    }

    private static let others: [(line: String, prefix: String)] = [
        ("", ":bot!0123456789@\(String(repeating: "h", count: 63))"),
        (":bot!~bot@host.test JOIN #ops", ":bot!~bot@host.test"),
        (":irc.test 396 bot cloak.test :is now your displayed host", ":bot!0123456789@cloak.test"),
        (":irc.test 396 bot me@cloak.test :is now your displayed host", ":bot!me@cloak.test"),
        (":bot!a@b CHGHOST new host.new", ":bot!new@host.new"),
    ]

    @Test(arguments: others)
    func `the room for text follows from how others see us`(line: String, prefix: String) throws {
        var driver = try SessionDriver()
        try driver.welcome()
        try driver.hear(line)
        let room = 510 - "\(prefix) NOTICE #ops :".utf8.count
        #expect(driver.session.textLimit(command: "NOTICE", target: "#ops") == room)
    }
}
