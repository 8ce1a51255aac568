import AdapterKit
import Testing

@testable import IRCAdapter

/// A session whose server and clock is the test.
struct SessionDriver {
    static let unpaced = Rate(burst: 1000, per: .zero)

    var session: Session
    var now = WallTime(seconds: 1_791_547_320)

    static func settings(
        nick: String = "bot", password: Secret? = nil, login: ServerSettings.Login? = nil
    ) -> ServerSettings {
        ServerSettings(
            endpoint: ByteStreamEndpoint(host: "irc.example.org", port: 6697, tls: .init()), nick: nick, user: "bot",
            realName: "zimmer-bot", password: password, login: login)
    }

    init(
        _ settings: ServerSettings = settings(), nick: NickKeeper? = nil, channels: [Membership]? = nil,
        rate: Rate = unpaced
    ) throws {
        session = try Session(
            settings, nick: nick ?? NickKeeper(settings.nick),
            channels: channels ?? [Membership("#ops", key: nil, now: now)], rate: rate, now: now)
    }

    /// A session that is in its channels. The server knows these capabilities.
    static func joined(
        capabilities: String = "", support: String = "CASEMAPPING=rfc1459", settings: ServerSettings = settings(),
        channels: [Membership]? = nil
    ) throws -> SessionDriver {
        var driver = try SessionDriver(settings, channels: channels)
        if !capabilities.isEmpty {
            try driver.hear(":irc.test CAP * LS :\(capabilities)")
            for line in driver.said() where line.hasPrefix("CAP REQ :") {
                try driver.hear(":irc.test CAP * ACK :\(line.dropFirst("CAP REQ :".count))")
            }
        }
        try driver.welcome(support: support)
        for channel in driver.session.channels { try driver.hear(":bot!~bot@host.test JOIN \(channel.name)") }
        _ = driver.said()
        return driver
    }

    mutating func welcome(nick: String = "bot", support: String = "CASEMAPPING=rfc1459") throws(Ending) {
        try hear(":irc.test 001 \(nick) :Welcome", ":irc.test 005 \(nick) \(support) :are supported by this server")
        try hear(":irc.test 376 \(nick) :End of /MOTD command.")
    }

    /// The server says these lines.
    mutating func hear(_ lines: String...) throws(Ending) {
        for line in lines {
            guard let line = IncomingLine(Array(line.utf8)) else { continue }
            try session.receive(line, now: now, random: 0.5)
        }
    }

    /// Everything that may be written now.
    mutating func said() -> [String] {
        var lines: [String] = []
        while let line = session.nextLine(now: now) {
            lines.append(String(decoding: line.bytes.dropLast(2), as: UTF8.self))
        }
        return lines
    }

    /// Time goes by, and the session is asked as often as it wants; what it writes meanwhile.
    mutating func pass(_ duration: Duration) throws(Ending) -> [String] {
        let end = now + duration
        var lines = said()
        while true {
            let wake = max(session.wakeAt(now: now), now)
            guard wake <= end else { break }
            now = wake
            try session.timePassed(now: now)
            let more = said()
            // A session that wants to be asked again at once and does nothing would never let go of a processor.
            if more.isEmpty, session.wakeAt(now: now) <= now {
                Issue.record("the session is restless")
                break
            }
            lines += more
        }
        now = end
        return lines
    }

    var heard: [HeardMessage] {
        session.events.compactMap { event in
            if case .heard(let message) = event { message } else { nil }
        }
    }

    var finished: [LineDelivery.Result?] {
        session.events.compactMap { event in
            if case .finished(let delivery) = event { delivery.result } else { nil }
        }
    }

    /// Begins to say these lines.
    mutating func begin(_ lines: [[Span]], id: Int = 1, channel: Int = 0) {
        session.begin(
            LineDelivery(
                id: id, channel: channel, target: session.channels[channel].name, command: "NOTICE",
                label: DeliveryID("dlv_\(id)"), lines: lines, isPlain: session.channels[channel].formats == .refused,
                confirmation: session.confirmation))
    }
}
