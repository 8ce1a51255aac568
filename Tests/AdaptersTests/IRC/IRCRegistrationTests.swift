import AdapterKit
import Foundation
import Testing

@testable import IRCAdapter

@Suite struct IRCRegistrationTests {
    private static let plain = ServerSettings.Login.plain(account: "bot", password: Secret("bot-password"))
    private let loggingIn = SessionDriver.settings(login: plain)

    @Test func `a server without any capability is joined all the same`() throws {
        var driver = try SessionDriver()
        #expect(driver.said() == ["CAP LS 302", "NICK bot", "USER bot 0 * :zimmer-bot"])
        try driver.hear(":irc.test 421 bot CAP :Unknown command")
        try driver.welcome()
        #expect(try driver.pass(.zero) == ["JOIN #ops"])
    }

    @Test func `PASS comes first`() throws {
        var driver = try SessionDriver(SessionDriver.settings(password: Secret("two words")))
        #expect(driver.said().first == "PASS :two words")
    }

    @Test func `nothing is joined before the greeting is over, however long it takes`() throws {
        var driver = try SessionDriver()
        _ = driver.said()
        try driver.hear(":irc.test 001 bot :Welcome")
        #expect(try driver.pass(.seconds(9)) == [])
        #expect(try driver.pass(.seconds(1)) == ["JOIN #ops"])
    }

    @Test func `capabilities come in several lines and are asked for in parts`() throws {
        var driver = try SessionDriver()
        _ = driver.said()
        try driver.hear(":irc.test CAP * LS * :account-tag batch=x server-time")
        #expect(driver.said() == [])
        try driver.hear(":irc.test CAP * LS :echo-message labeled-response message-tags martian-mode ")
        #expect(
            driver.said() == [
                "CAP REQ :account-tag batch echo-message labeled-response message-tags server-time"
            ])
        // One is refused, so each is asked for by itself.
        try driver.hear(":irc.test CAP * NAK :account-tag batch echo-message labeled-response message-tags server-time")
        let singles = driver.said()
        #expect(singles.count == 6)
        for single in singles.dropLast() { try driver.hear(":irc.test CAP * ACK :\(single.dropFirst(9))") }
        #expect(driver.said() == [])
        try driver.hear(":irc.test CAP * NAK :server-time")
        #expect(driver.said() == ["CAP END"])
        #expect(driver.session.confirmation == .label)
    }

    @Test func `an account is logged in to before anything else`() throws {
        var driver = try SessionDriver(loggingIn)
        _ = driver.said()
        try driver.hear(":irc.test CAP * LS :sasl=PLAIN,EXTERNAL batch")
        #expect(driver.said() == ["CAP REQ :sasl batch"])
        try driver.hear(":irc.test CAP bot ACK :sasl batch ")
        #expect(driver.said() == ["AUTHENTICATE PLAIN"])
        try driver.hear("AUTHENTICATE :+")
        #expect(driver.said() == ["AUTHENTICATE " + Data("\0bot\0bot-password".utf8).base64EncodedString()])
        try driver.hear(":irc.test 900 bot bot!b@h bot :You are now logged in as bot")
        try driver.hear(":irc.test 903 bot :SASL authentication successful")
        #expect(driver.said() == ["CAP END"])
        try driver.welcome()
        #expect(try driver.pass(.zero) == ["JOIN #ops"])
    }

    @Test(arguments: [(295, [400, 1]), (296, [400, 4]), (100, [140]), (600, [400, 400, 8])])
    func `a long password goes in pieces, and a full last piece is followed by an empty one`(
        length: Int, sizes: [Int]
    ) throws {
        let password = String(repeating: "x", count: length)
        let exchange = LoginExchange(login: .plain(account: "bot", password: Secret(password)))
        let challenge = try #require(IncomingLine(Array("AUTHENTICATE +".utf8)))
        guard case .send(let lines) = exchange.receive(challenge) else {
            Issue.record("nothing was sent")
            return
        }
        let words = lines.map {
            String(decoding: $0.bytes.dropFirst("AUTHENTICATE ".utf8.count).dropLast(2), as: UTF8.self)
        }
        #expect(words.map(\.utf8.count) == sizes)
        let text = words.filter { $0 != "+" }.joined()
        #expect(Data(base64Encoded: text) == Data("\0bot\0\(password)".utf8))
    }

    @Test func `a certificate logs in without words`() throws {
        var driver = try SessionDriver(SessionDriver.settings(login: .external(account: nil)))
        _ = driver.said()
        try driver.hear(":irc.test CAP * LS :sasl")
        try driver.hear(":irc.test CAP * ACK :sasl")
        try driver.hear("AUTHENTICATE +")
        #expect(driver.said() == ["CAP REQ :sasl", "AUTHENTICATE EXTERNAL", "AUTHENTICATE +"])
    }

    @Test(arguments: [
        [":irc.test CAP * LS :batch", ":irc.test CAP * ACK :batch"],
        [":irc.test CAP * LS :"],
        [":irc.test CAP * LS :sasl=EXTERNAL", ":irc.test CAP * ACK :sasl"],
        [":irc.test CAP * LS :sasl", ":irc.test CAP * NAK :sasl"],
        [":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl", ":irc.test 904 bot :SASL authentication failed"],
        [":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl", ":irc.test 902 bot :locked"],
        [":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl", ":irc.test 906 bot :aborted"],
        [":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl", ":irc.test 908 bot EXTERNAL :mechanisms"],
        [":irc.test 001 bot :Welcome"],
        [":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl", ":irc.test 001 bot :Welcome"],
        [":irc.test 464 bot :Password incorrect"],
    ])
    func `without its login the bot goes nowhere`(lines: [String]) throws {
        var driver = try SessionDriver(loggingIn)
        let ending = #expect(throws: Ending.self) {
            for line in lines { try driver.hear(line) }
            _ = try driver.pass(.seconds(20))
        }
        #expect(ending?.cause == .notLoggedIn)
        #expect(!driver.said().contains { $0.hasPrefix("JOIN") })
    }

    @Test func `services that say nothing are given 15 seconds`() throws {
        var driver = try SessionDriver(loggingIn)
        try driver.hear(":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl")
        _ = try driver.pass(.seconds(14))
        let ending = #expect(throws: Ending.self) { _ = try driver.pass(.seconds(1)) }
        #expect(ending?.cause == .notLoggedIn)
        #expect(ending?.reason.contains("services") == true)
    }

    @Test func `a server that says nothing is left after a minute, but answers to PING are given`() throws {
        var driver = try SessionDriver()
        try driver.hear("PING :before-welcome")
        #expect(driver.said().first == "PONG :before-welcome")
        _ = try driver.pass(.seconds(59))
        #expect(throws: Ending.self) { _ = try driver.pass(.seconds(1)) }
    }

    @Test func `being logged out ends the connection`() throws {
        var driver = try SessionDriver(loggingIn)
        try driver.hear(":irc.test CAP * LS :sasl", ":irc.test CAP * ACK :sasl", ":irc.test 903 bot :ok")
        try driver.welcome()
        let ending = #expect(throws: Ending.self) {
            try driver.hear(":irc.test 901 bot bot!b@h :You are now logged out")
        }
        #expect(ending?.cause == .notLoggedIn)
    }

    @Test func `capabilities that come later are taken, and those that go are done without`() throws {
        var driver = try SessionDriver.joined(capabilities: "batch message-tags labeled-response echo-message")
        #expect(driver.session.confirmation == .label)
        try driver.hear(":irc.test CAP bot DEL :labeled-response sasl")
        #expect(driver.session.confirmation == .echo)
        try driver.hear(":irc.test CAP bot NEW :labeled-response sasl=PLAIN")
        #expect(driver.said() == ["CAP REQ :labeled-response"])
        try driver.hear(":irc.test CAP bot ACK :labeled-response")
        #expect(driver.session.confirmation == .label)
    }

    @Test(arguments: [
        ("Closing Link: (Throttled: Reconnecting too fast)", Ending.Cause.unwelcome),
        ("Closing link: (bot@h) [G-Lined: go away]", .unwelcome), ("Closing link: (Ping timeout)", .lost),
        ("", .lost),
    ])
    func `what ERROR says decides how soon to come back`(text: String, cause: Ending.Cause) throws {
        var driver = try SessionDriver()
        let ending = #expect(throws: Ending.self) { try driver.hear("ERROR :\(text)") }
        #expect(ending?.cause == cause)
    }

    @Test func `banned is banned`() throws {
        var driver = try SessionDriver()
        let ending = #expect(throws: Ending.self) { try driver.hear(":irc.test 465 bot :You are banned") }
        #expect(ending?.cause == .unwelcome)
    }
}

@Suite struct ReconnectionTests {
    private func delays(_ cause: Ending.Cause, _ count: Int, lasted: Duration? = nil, jitter: Double = 0) -> [Double] {
        var reconnection = Reconnection()
        return (0..<count).map { _ in reconnection.delay(after: cause, lasted: lasted, jitter: jitter) / .seconds(1) }
    }

    @Test func `the wait doubles up to a limit`() {
        #expect(delays(.lost, 8) == [5, 10, 20, 40, 80, 160, 300, 300])
        #expect(delays(.notLoggedIn, 6) == [30, 60, 120, 240, 480, 900])
        #expect(delays(.unwelcome, 4) == [300, 600, 1200, 1800])
        #expect(delays(.lost, 1, jitter: 1) == [6.25])
        #expect(delays(.lost, 2000).allSatisfy { $0 <= 300 })
    }

    @Test func `only a connection that lasted makes up for those that failed`() {
        #expect(delays(.lost, 3, lasted: .seconds(59)) == [5, 10, 20])
        #expect(delays(.lost, 3, lasted: .seconds(60)) == [5, 5, 5])
    }
}

@Suite struct LivenessTests {
    @Test func `silence is asked about, and then believed`() throws {
        var driver = try SessionDriver.joined()
        #expect(try driver.pass(.seconds(74)) == [])
        #expect(try driver.pass(.seconds(1)) == ["PING :alive"])
        try driver.hear(":irc.test PONG irc.test :alive")
        #expect(try driver.pass(.seconds(75)) == ["PING :alive"])
        #expect(try driver.pass(.seconds(44)) == [])
        #expect(throws: Ending.self) { _ = try driver.pass(.seconds(1)) }
    }
}
