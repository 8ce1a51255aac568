import AdapterKit

/// Being in one channel: joining, and coming back after a refusal or a kick.
struct Membership: Sendable {
    enum State: Hashable, Sendable {
        case outside(until: WallTime)
        /// `JOIN` is queued or out, until the server says something or this time has come.
        case joining(until: WallTime)
        case joined
    }

    static let answerTime = Duration.seconds(30)
    static let firstRetry = Duration.seconds(30)
    static let longestRetry = Duration.seconds(900)
    /// After a kick: so many returns in an hour.
    static let mostReturns = 3
    static let hour = Duration.seconds(3600)

    let name: String
    private let key: Secret?
    private(set) var state: State
    /// Why we are not inside, for people; nil while nothing went wrong.
    private(set) var problem: String?
    private var refusals = 0
    private var kicks: [WallTime] = []

    /// What the channel does to formatting, as far as it is known.
    enum Formats: Hashable, Sendable {
        case unknown, passed, refused
    }
    var formats = Formats.unknown

    init(_ name: String, key: Secret?, now: WallTime) {
        self.name = name
        self.key = key
        state = .outside(until: now)
    }

    func hasKey(_ other: Secret?) -> Bool { key == other }

    var isJoined: Bool { state == .joined }

    var wakeAt: WallTime? {
        switch state {
        case .outside(let time), .joining(let time): time
        case .joined: nil
        }
    }

    /// A new connection: nothing holds us back but what the channel did to us.
    mutating func opened(now: WallTime) {
        formats = .unknown
        if case .outside(let time) = state, problem != nil, time > now { return }
        state = .outside(until: now)
    }

    mutating func timePassed(now: WallTime) -> [OutgoingLine] {
        if case .joining(let time) = state, now >= time {
            refused("the server did not answer our JOIN", now: now)
        }
        guard case .outside(let time) = state, now >= time else { return [] }
        state = .joining(until: now + Self.answerTime)
        guard let line = try? OutgoingLine("JOIN", [name] + (key.map { [$0.reveal()] } ?? [])) else { return [] }
        return [line]
    }

    mutating func joined() {
        state = .joined
        problem = nil
        refusals = 0
    }

    /// The server does not let us in, by its words.
    mutating func refused(_ reason: String, now: WallTime) {
        problem = reason
        let wait = Self.firstRetry * (1 << min(refusals, 10))
        refusals += 1
        state = .outside(until: now + min(wait, Self.longestRetry))
    }

    /// We were put out of the channel.
    ///
    /// - Parameter jitter: 0 … 1.
    mutating func removed(_ reason: String, now: WallTime, jitter: Double) {
        problem = reason
        kicks = kicks.suffix(Self.mostReturns - 1) + [now]
        var back = now + .seconds(10) + .milliseconds(Int((min(max(jitter, 0), 1) * 50_000).rounded()))
        if kicks.count == Self.mostReturns, let first = kicks.first, now < first + Self.hour {
            back = max(back, first + Self.hour)
        }
        state = .outside(until: back)
    }

    /// What a refusal's number means for people.
    static func reason(_ line: IncomingLine, channel: String) -> String {
        let advice =
            switch line.numeric {
            case 471: "it is full"
            case 473: "it is for invited people only: invite the bot, or put it on the invitation list"
            case 474: "the bot is banned there"
            case 475: "the 'key' is missing or wrong"
            case 477: "only people with a services account may join: log in with 'sasl'"
            case 403, 476, 479: "the server has no such channel"
            case 405: "the bot is in too many channels"
            default: "the server refused"
            }
        return "cannot join \(channel): \(advice) (\(line.command): \(line.trailing))"
    }
}
