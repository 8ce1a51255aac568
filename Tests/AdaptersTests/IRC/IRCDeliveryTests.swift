import AdapterKit
import Testing

@testable import IRCAdapter

/// What counts as proof that a message arrived, for each kind of server.
@Suite struct IRCDeliveryTests {
    private static let labels = "batch message-tags labeled-response echo-message"
    private let bold = [Span("bold", .bold)]

    private func plain(_ texts: String...) -> [[Span]] { texts.map { [Span($0)] } }

    // MARK: - Labels

    @Test func `a repeated line with our label is proof`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.labels)
        driver.begin(plain("one", "two"))
        #expect(driver.said() == ["@label=dlv_1-1 NOTICE #ops :one", "@label=dlv_1-2 NOTICE #ops :two"])
        try driver.hear("@label=dlv_1-1;msgid=a :bot!~bot@host.test NOTICE #ops :one")
        #expect(driver.finished == [])
        try driver.hear("@label=dlv_1-2 :irc.test ACK")
        #expect(driver.finished == [.confirmed])
    }

    @Test func `the first formatted line goes ahead, in case the channel refuses it`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.labels)
        driver.begin([bold] + plain("two"))
        #expect(driver.said() == ["@label=dlv_1-1 NOTICE #ops :\u{02}bold"])
        try driver.hear("@label=dlv_1-1 :irc.test 404 bot #ops :Can't send formatting characters to channel (+c set)")
        #expect(driver.said() == ["@label=dlv_1-1p NOTICE #ops :bold", "@label=dlv_1-2 NOTICE #ops :two"])
        try driver.hear("@label=dlv_1-1p :bot!b@h NOTICE #ops :bold", "@label=dlv_1-2 :bot!b@h NOTICE #ops :two")
        #expect(driver.finished == [.confirmed])
        #expect(driver.session.channels[0].formats == .refused)
        driver.begin([bold], id: 2)
        #expect(driver.said() == ["@label=dlv_2-1p NOTICE #ops :bold"])
    }

    @Test func `who wants no formatting says nothing about the channel`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.labels)
        driver.session.begin(
            LineDelivery(
                id: 1, channel: 0, target: "#ops", command: "NOTICE", label: DeliveryID("dlv_1"), lines: [bold],
                isPlain: true, confirmation: .label))
        #expect(driver.said() == ["@label=dlv_1-1p NOTICE #ops :bold"])
        try driver.hear("@label=dlv_1-1p :bot!b@h NOTICE #ops :bold")
        #expect(driver.finished == [.confirmed] && driver.session.channels[0].formats == .unknown)
    }

    @Test func `a channel that took formatting once gets all lines at once`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.labels)
        driver.begin([bold])
        _ = driver.said()
        try driver.hear("@label=dlv_1-1 :bot!b@h NOTICE #ops :\u{02}bold")
        driver.begin([bold, bold], id: 2)
        #expect(driver.said().count == 2)
    }

    @Test func `what is refused with and without formatting is refused`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.labels)
        driver.begin([bold] + plain("two"))
        _ = driver.said()
        try driver.hear("@label=dlv_1-1 :irc.test 404 bot #ops :Cannot send to channel (+m is set)")
        _ = driver.said()
        try driver.hear("@label=dlv_1-1p :irc.test 404 bot #ops :Cannot send to channel (+m is set)")
        // The second line is out by now, and its answer has to be known.
        #expect(driver.finished == [])
        try driver.hear("@label=dlv_1-2 :irc.test 404 bot #ops :Cannot send to channel (+m is set)")
        guard case .refused(let reason) = driver.finished.first else {
            Issue.record("\(driver.finished)")
            return
        }
        #expect(reason.contains("#ops") && reason.contains("404"))
        #expect(driver.session.channels[0].formats != .refused)
    }

    @Test func `an answer of several lines is a refusal if one of them is`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.labels)
        driver.begin(plain("one"))
        _ = driver.said()
        try driver.hear(
            "@label=dlv_1-1 :irc.test BATCH +r1 labeled-response", "@batch=r1 :irc.test NOTICE bot :be careful",
            "@batch=r1 :irc.test 404 bot #ops :no")
        #expect(driver.finished == [])
        try driver.hear(":irc.test BATCH -r1")
        #expect(driver.finished.count == 1 && driver.finished != [.confirmed])
    }

    @Test func `labels of others, or answered twice, are nothing`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.labels)
        driver.begin(plain("one", "two"))
        _ = driver.said()
        try driver.hear(
            "@label=dlv_1-1 :irc.test ACK", "@label=dlv_1-1 :irc.test ACK", "@label=dlv_9-2 :irc.test ACK",
            "@label= :irc.test ACK", "@label=dlv_1-22 :irc.test ACK")
        #expect(driver.finished == [])
    }

    @Test func `no answer for a minute is no proof`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.labels)
        driver.begin(plain("one"))
        _ = driver.said()
        _ = try driver.pass(.seconds(59))
        #expect(driver.finished == [])
        _ = try driver.pass(.seconds(1))
        #expect(driver.finished.count == 1 && driver.finished != [.confirmed])
    }

    // MARK: - No capability at all

    @Test func `an answered PING behind the lines is proof`() throws {
        var driver = try SessionDriver.joined()
        driver.begin(plain("one", "two"))
        #expect(driver.said() == ["NOTICE #ops :one", "NOTICE #ops :two", "PING :dlv_1-1-1"])
        try driver.hear(":irc.test PONG irc.test :dlv_1-1-0", ":irc.test PONG irc.test :alive")
        #expect(driver.finished == [])
        try driver.hear(":irc.test PONG irc.test :dlv_1-1-1")
        #expect(driver.finished == [.confirmed])
    }

    @Test(arguments: [401, 403, 404, 442, 477, 531])
    func `a refusal before that is none`(number: Int) throws {
        var driver = try SessionDriver.joined()
        driver.begin(plain("one"))
        _ = driver.said()
        try driver.hear(":irc.test \(number) bot #ops :no", ":irc.test PONG irc.test :dlv_1-1-1")
        #expect(driver.finished.count == 1 && driver.finished != [.confirmed])
    }

    @Test(arguments: [411, 412])
    func `a text that no server takes is given up`(number: Int) throws {
        var driver = try SessionDriver.joined()
        driver.begin(plain("one"))
        _ = driver.said()
        try driver.hear(":irc.test \(number) bot :No text to send", ":irc.test PONG irc.test :dlv_1-1-1")
        guard case .impossible = driver.finished.first else {
            Issue.record("\(driver.finished)")
            return
        }
    }

    @Test func `a standard refusal counts too`() throws {
        var driver = try SessionDriver.joined()
        driver.begin(plain("one"))
        _ = driver.said()
        try driver.hear(":irc.test FAIL NOTICE CANNOT_SEND #ops :no", ":irc.test PONG irc.test :dlv_1-1-1")
        #expect(driver.finished.count == 1 && driver.finished != [.confirmed])
    }

    @Test func `refused formatting is left out, and the lines behind it come behind it`() throws {
        var driver = try SessionDriver.joined()
        driver.begin([bold] + plain("two"))
        #expect(driver.said() == ["NOTICE #ops :\u{02}bold", "PING :dlv_1-1-1"])
        try driver.hear(
            ":irc.test 408 bot #ops :You cannot use colors on this channel", ":irc.test PONG irc.test :dlv_1-1-1")
        #expect(driver.said() == ["NOTICE #ops :bold", "NOTICE #ops :two", "PING :dlv_1-1-2"])
        try driver.hear(":irc.test PONG irc.test :dlv_1-1-2")
        #expect(driver.finished == [.confirmed])
    }

    @Test func `a refusal that is about another channel is not ours`() throws {
        var driver = try SessionDriver.joined()
        driver.begin(plain("one"))
        _ = driver.said()
        try driver.hear(":irc.test 404 bot #other :no", ":irc.test PONG irc.test :dlv_1-1-1")
        #expect(driver.finished == [.confirmed])
    }

    // MARK: - Servers that repeat, without labels

    @Test func `a line that is not repeated before the PONG did not arrive`() throws {
        var driver = try SessionDriver.joined(capabilities: "echo-message")
        driver.begin(plain("one", "two"))
        #expect(driver.said() == ["NOTICE #ops :one", "NOTICE #ops :two", "PING :dlv_1-1-1"])
        // Some servers refuse a NOTICE without a word.
        try driver.hear(":bot!b@h NOTICE #ops :two", ":irc.test PONG irc.test :dlv_1-1-1")
        #expect(driver.finished.count == 1 && driver.finished != [.confirmed])
    }

    @Test func `a line that the server changed on the way arrived`() throws {
        var driver = try SessionDriver.joined(capabilities: "echo-message")
        driver.begin([bold] + plain("two, darn"))
        #expect(driver.said() == ["NOTICE #ops :\u{02}bold", "PING :dlv_1-1-1"])
        try driver.hear(":bot!b@h NOTICE #OPS :bold", ":irc.test PONG irc.test :dlv_1-1-1")
        _ = driver.said()
        try driver.hear(":bot!b@h NOTICE #ops :two, ****")
        #expect(driver.finished == [.confirmed])
    }

    // MARK: - Order and loss

    @Test func `what was taken back is not written`() throws {
        var driver = try SessionDriver.joined()
        driver.begin(plain("one"))
        let delivery = driver.session.takeBack(delivery: 1)
        #expect(delivery?.isUncertain == false)
        #expect(driver.said() == [])
    }

    @Test func `of what is out when the connection ends, the rest is known`() throws {
        var driver = try SessionDriver.joined(capabilities: Self.labels)
        driver.begin(plain("one", "two", "three"))
        _ = driver.said()
        try driver.hear("@label=dlv_1-1 :irc.test ACK")
        let taken = driver.session.takeBack(delivery: 1)
        let delivery = try #require(taken)
        #expect(delivery.isUncertain)
        var memory = AttemptMemory()
        memory.keep(delivery, DeliveryID("dlv_1"))
        var again = Delivery(id: DeliveryID("dlv_1"), message: .test("one"), attempt: 2)
        again.mayBeRepeated = true
        let lines = memory.lines(Draft(again, slot: 0), limit: 400).map(\.plain)
        #expect(lines == ["two", "three (may be repeated)"])
        memory.forget(DeliveryID("dlv_1"))
        #expect(memory.lines(Draft(again, slot: 0), limit: 400).map(\.plain) == ["one (may be repeated)"])
    }

    @Test func `one whole message is out before the next, each in its channel`() throws {
        let channels = ["#ops", "#dev"].map { Membership($0, key: nil, now: WallTime(seconds: 0)) }
        var driver = try SessionDriver.joined(channels: channels)
        driver.begin(plain("a", "b"), id: 1, channel: 0)
        driver.begin(plain("c"), id: 2, channel: 1)
        #expect(
            driver.said() == [
                "NOTICE #ops :a", "NOTICE #ops :b", "PING :dlv_1-1-1", "NOTICE #dev :c", "PING :dlv_2-2-1",
            ])
        try driver.hear(":irc.test 404 bot #dev :no", ":irc.test PONG x :dlv_1-1-1", ":irc.test PONG x :dlv_2-2-1")
        #expect(driver.finished.count == 2 && driver.finished.first == .confirmed)
    }
}

extension Message {
    static func test(_ text: String) -> Message {
        Message(
            kind: .firing, channel: "ops", time: WallTime(seconds: 1_791_547_320), body: TextTree(text: text),
            markdown: text)
    }
}
