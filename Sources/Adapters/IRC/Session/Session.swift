import AdapterKit

/// One connection, from its first line to its end, as a value: it takes what the server says and what time it is, and says
/// what to write. It neither reads nor writes nor knows a clock.
struct Session: Sendable {
    /// What others want to know of.
    enum Event: Sendable {
        case heard(HeardMessage)
        /// The delivery is over; its `result` says how.
        case finished(LineDelivery)
    }

    /// A server that does not say where its greeting ends is given this long for it.
    static let greetingTime = Duration.seconds(10)

    let settings: ServerSettings
    var registration: Registration
    var nick: NickKeeper
    var channels: [Membership]
    var queue: OutgoingQueue
    var liveness: Liveness
    var support = ServerSupport()
    var accounts = AccountBook()
    var batches = Batches()
    var courtesy = Pacer(Rate(burst: 2, per: .seconds(10)))
    /// As the server shows us to others; learnt from what it sends.
    var user: String?
    var host: String?
    var deliveries: [LineDelivery] = []
    var events: [Event] = []
    private(set) var welcomedAt: WallTime?
    /// The server's greeting is over: it has said all about itself that it will.
    var isReady = false

    /// - Parameters:
    ///   - nick: as the last connection left it.
    ///   - channels: likewise.
    init(
        _ settings: ServerSettings, nick: NickKeeper, channels: [Membership], rate: Rate, now: WallTime
    ) throws(Ending) {
        self.settings = settings
        self.nick = nick
        self.channels = channels
        registration = Registration(settings, now: now)
        queue = OutgoingQueue(rate)
        liveness = Liveness(now: now)
        self.nick.opened()
        for index in self.channels.indices { self.channels[index].opened(now: now) }
        try queue.add(registration.start(nick: settings.nick))
    }

    // MARK: - Time

    /// When `timePassed` or `nextLine` has something to do.
    func wakeAt(now: WallTime) -> WallTime {
        var times = [liveness.wakeAt]
        times += [registration.wakeAt, queue.wakeAt(now: now)].compactMap { $0 } + deliveries.compactMap(\.wakeAt)
        if isReady {
            times += channels.compactMap(\.wakeAt) + [nick.wakeAt].compactMap { $0 }
        } else if let welcomedAt {
            times.append(welcomedAt + Self.greetingTime)
        }
        return times.min() ?? now
    }

    mutating func timePassed(now: WallTime) throws(Ending) {
        try registration.timePassed(now: now)
        try queue.add(liveness.timePassed(now: now))
        if let welcomedAt, !isReady, now >= welcomedAt + Self.greetingTime { try greeted() }
        if isReady {
            try queue.add(nick.timePassed(now: now, isLoggedIn: registration.isLoggedIn))
            for index in channels.indices { try queue.add(channels[index].timePassed(now: now)) }
        }
        for index in deliveries.indices { deliveries[index].timePassed(now: now) }
        settle()
    }

    mutating func welcomed(as name: String, now: WallTime) {
        welcomedAt = now
        nick.welcomed(as: name, now: now)
    }

    /// Everything that a server says unasked has been said.
    mutating func greeted() throws(Ending) {
        guard !isReady, welcomedAt != nil else { return }
        isReady = true
        if let mode = support.botMode, let line = try? OutgoingLine("MODE", [nick.current, "+\(mode)"]) {
            try queue.add([line])
        }
        if support.hasMonitor, let line = try? OutgoingLine("MONITOR", ["+", nick.wanted]) { try queue.add([line]) }
    }

    // MARK: - Lines out

    /// The next line that may go now.
    mutating func nextLine(now: WallTime) -> OutgoingLine? {
        guard let entry = queue.next(now: now) else { return nil }
        if let id = entry.owner.delivery, let index = deliveries.firstIndex(where: { $0.id == id }) {
            deliveries[index].written(entry.owner, now: now)
        }
        return entry.line
    }

    /// Whether two names are the same to this server.
    func areEqual(_ a: String, _ b: String) -> Bool {
        support.caseMapping.areEqual(a, b)
    }

    func isUs(_ name: String?) -> Bool {
        name.map { areEqual($0, nick.current) } ?? false
    }

    func channelIndex(_ name: String) -> Int? {
        channels.firstIndex { areEqual($0.name, name) }
    }
}
