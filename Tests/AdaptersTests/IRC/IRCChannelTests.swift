import AdapterKit
import Testing

@testable import IRCAdapter

@Suite struct IRCChannelTests {
    @Test func `a channel is joined with its key, and again after a kick, some time later`() throws {
        let membership = Membership("#ops", key: Secret("sesame"), now: WallTime(seconds: 0))
        var driver = try SessionDriver(channels: [membership])
        _ = driver.said()
        try driver.welcome()
        #expect(try driver.pass(.zero) == ["JOIN #ops sesame"])
        try driver.hear(":bot!b@h JOIN #OPS")
        #expect(driver.said() == ["MODE #OPS"])
        try driver.hear(":alice!a@h KICK #ops bot :out")
        #expect(driver.session.channels[0].problem == "alice kicked the bot out of #ops (out)")
        #expect(try driver.pass(.seconds(34)) == [])
        #expect(try driver.pass(.seconds(1)) == ["JOIN #ops sesame"])
    }

    @Test(arguments: [(0.0, 10), (1.0, 60), (0.5, 35)])
    func `the return after a kick is not at once`(jitter: Double, seconds: Int) {
        var membership = Membership("#ops", key: nil, now: WallTime(seconds: 0))
        membership.joined()
        membership.removed("kicked", now: WallTime(seconds: 100), jitter: jitter)
        #expect(membership.wakeAt == WallTime(seconds: Int64(100 + seconds)))
    }

    @Test func `there are three returns in an hour`() {
        var membership = Membership("#ops", key: nil, now: WallTime(seconds: 0))
        var returns: [Int64] = []
        for _ in 0..<7 {
            membership.joined()
            let now = returns.last ?? 0
            membership.removed("kicked", now: WallTime(seconds: now), jitter: 0)
            returns.append(membership.wakeAt?.seconds ?? -1)
        }
        for index in returns.indices.dropFirst(3) { #expect(returns[index] - returns[index - 3] >= 3600) }
        #expect(returns.prefix(2) == [10, 20])
    }

    @Test(arguments: [403, 405, 471, 473, 474, 475, 477, 437, 489])
    func `a refused channel is tried again, less and less often`(number: Int) throws {
        var driver = try SessionDriver()
        _ = driver.said()
        try driver.welcome()
        _ = try driver.pass(.zero)
        for wait in [30, 60, 120, 240, 480, 900, 900] {
            try driver.hear(":irc.test \(number) bot #ops :Cannot join")
            #expect(driver.session.channels[0].problem?.contains("#ops") == true)
            #expect(driver.session.channels[0].wakeAt == driver.now + .seconds(wait))
            var lines: [String] = []
            for _ in 0..<(wait / 30) {
                lines += try driver.pass(.seconds(30))
                try driver.hear(":irc.test NOTICE bot :still here")
            }
            #expect(lines.filter { $0.hasPrefix("JOIN") } == ["JOIN #ops"])
        }
        try driver.hear(":bot!b@h JOIN #ops")
        #expect(driver.session.channels[0].isJoined && driver.session.channels[0].problem == nil)
    }

    @Test func `a JOIN without an answer is tried again`() throws {
        var driver = try SessionDriver()
        _ = driver.said()
        try driver.welcome()
        #expect(try driver.pass(.seconds(60)) == ["JOIN #ops", "JOIN #ops"])
    }

    @Test func `a channel that we were sent to instead is left`() throws {
        var driver = try SessionDriver.joined()
        try driver.hear(":bot!b@h JOIN ##elsewhere")
        #expect(driver.said() == ["PART ##elsewhere"])
    }

    @Test func `a netsplit of others changes nothing for us`() throws {
        var driver = try SessionDriver.joined()
        try driver.hear(":alice!a@h QUIT :hub.test leaf.test", ":alice!a@h JOIN #ops")
        #expect(driver.session.channels[0].isJoined)
        #expect(driver.said() == [])
    }

    @Test func `we are a bot where that can be said`() throws {
        var driver = try SessionDriver()
        _ = driver.said()
        try driver.welcome(support: "BOT=B MONITOR=100")
        #expect(try driver.pass(.zero) == ["MODE bot +B", "MONITOR + bot", "JOIN #ops"])
    }

    @Test func `asking too much of us ends the connection`() throws {
        var driver = try SessionDriver.joined()
        let ending = #expect(throws: Ending.self) {
            for number in 0..<1000 { try driver.hear(":bot!b@h JOIN #trap\(number)") }
        }
        #expect(ending?.cause == .unwelcome)
    }

    @Test func `a flood of PINGs is answered as far as it makes sense`() throws {
        var driver = try SessionDriver.joined()
        for number in 0..<1000 { try driver.hear("PING :\(number)") }
        #expect(driver.said().last == "PONG :999")
    }
}

@Suite struct OutgoingQueueTests {
    private func line(_ text: String) throws -> OutgoingLine { try OutgoingLine("NOTICE", ["#c"], text: text) }

    @Test func `a burst goes at once, and then one line each time`() throws {
        var queue = OutgoingQueue(OutgoingQueue.defaultRate)
        var now = WallTime(seconds: 1000)
        for number in 1...20 { queue.add(try line("\(number)"), for: .delivery(number, part: 0)) }
        var times: [Duration] = []
        while let wake = queue.wakeAt(now: now) {
            now = max(now, wake)
            while queue.next(now: now) != nil { times.append(now - WallTime(seconds: 1000)) }
        }
        #expect(times.count == 20)
        #expect(times.prefix(5).allSatisfy { $0 == .zero })
        for index in 5..<20 { #expect(times[index] - times[index - 1] == .milliseconds(1200)) }
    }

    @Test func `all commands count but PONG and QUIT, which never wait`() throws {
        var queue = OutgoingQueue(Rate(burst: 1, per: .seconds(10)))
        let now = WallTime(seconds: 1000)
        try queue.add([
            try OutgoingLine("JOIN", ["#c"]), try OutgoingLine("PONG", text: "x"), try OutgoingLine("QUIT", text: "x"),
        ])
        #expect(queue.next(now: now)?.line.command == "PONG")
        #expect(queue.next(now: now)?.line.command == "QUIT")
        #expect(queue.next(now: now)?.line.command == "JOIN")
        try queue.add([try OutgoingLine("PING", text: "x")])
        #expect(queue.next(now: now) == nil)
        #expect(queue.wakeAt(now: now) == now + .seconds(10))
    }
}
