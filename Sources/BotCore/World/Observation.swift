package import CEL
package import Rules

/// The latest readings of everything, with what is known of their freshness. A value: readers hand in what they got, and
/// `world` says what rules may know of it at an instant.
package struct Observation: Sendable {
    /// How long a reading serves until it is stale.
    package struct Freshness: Hashable, Sendable {
        package var board: Duration
        package var health: Duration
        package var costs: Duration = .seconds(45 * 60)
        /// A bot that runs decides at least so often.
        package var decision: Duration

        /// Three of a reader's intervals, at least five minutes.
        package init(boardInterval: Duration, healthInterval: Duration) {
            decision = boardInterval * 3
            board = max(boardInterval * 3, .seconds(300))
            health = max(healthInterval * 3, .seconds(300))
        }
    }

    private var freshness: Freshness
    var revision: UInt64 = 0
    private(set) var board: HeldBoard
    private var health: HeldValue?
    /// Health as it was in the last reading that was decided on before this one.
    private var previousHealth: Object?
    /// Zimmer's standing and the channels at the last decision. Nothing is known of them from before the start.
    private var previousStanding: Object?
    private var previousChannels: [String: Object] = [:]
    private var costs = HeldCosts()
    /// What Zimmer lists beside the board.
    var listings: [ListingKind: HeldListing]
    package private(set) var standing: ZimmerStanding
    /// How Zimmer took the key, and how the sign-in of a person stands: `standing` has the worse of both.
    private var keyStanding = ZimmerStanding.SignIn.ok
    private var personStanding = ZimmerStanding.SignIn.ok
    /// What became of each reader's last call.
    var reach = ZimmerReach()
    /// How the channels fare, by name; never stale.
    private var channels: [String: (status: ChannelStatus, object: Object)] = [:]
    private var channelRevision: UInt64 = 0
    /// Whether a reader was answered, or not, since the start; before that nothing is known of Zimmer.
    private var hasAsked = false
    /// Why the last reading of each kind is no whole one, by the word of `watch:`.
    var failures: [String: String] = [:]
    /// What came in since the last decision, by the word of `watch:`.
    var news: Set<String> = []
    /// Of these a whole one.
    private var undecided: Set<String> = []
    /// What came in since the last decision, in order.
    private(set) var intake: [Intake] = []

    /// - Parameters:
    ///   - sessions: as last read before a restart.
    ///   - objects: of other kinds, as last read before a restart.
    package init(
        freshness: Freshness, startedAt: Timestamp, sessions: [Int64: Object] = [:], objects: [SubjectID: Object] = [:]
    ) {
        self.freshness = freshness
        board = HeldBoard(sessions: sessions)
        previousHealth = objects[Self.healthID]
        let stored = Dictionary(grouping: objects) { $0.key.type }
        listings = Dictionary(
            uniqueKeysWithValues: ListingKind.allCases.map { kind in
                let own = (stored[kind.rawValue] ?? []).map { ($0.key, $0.value) }
                return (kind, HeldListing(kind, objects: Dictionary(own) { first, _ in first }))
            })
        standing = ZimmerStanding(isReachable: false, lastReadAt: nil, startedAt: startedAt)
    }

    package mutating func setFreshness(_ freshness: Freshness) {
        self.freshness = freshness
    }

    // MARK: - Readings

    package mutating func take(_ reading: BoardReading, departed: [SubjectID: Departure]) {
        guard reading.isWhole else {
            return fail("session", reading.problem ?? "only a part of the board was read")
        }
        let isDecided = noteWhole("session")
        note(.board(reading, departed: departed))
        failures["session"] = nil
        revision += 1
        board.take(reading, departed: departed, revision: revision, isDecided: isDecided)
    }

    /// Notes a whole reading; true where the one before, if any, was decided on.
    mutating func noteWhole(_ word: String) -> Bool {
        news.insert(word)
        return undecided.insert(word).inserted
    }

    var subjects: Subjects? { board.subjects }
    /// Sessions as last read, by id.
    var sessions: [Int64: Object] { board.sessions }

    static let healthID = SubjectID(type: "health", id: "health")

    package mutating func take(_ reading: HealthReading) {
        revision += 1
        let isDecided = noteWhole("health")
        if isDecided, case .object(let before)? = health?.value { previousHealth = before }
        note(.health(reading))
        failures["health"] = nil
        health = HeldValue(value: .object(reading.object), readAt: reading.readAt, revision: revision)
    }

    /// - Parameter localNow: on this machine's clock, which slots go by.
    package mutating func take(_ reading: CostsReading, for request: CostsRequest, localNow: Timestamp) {
        revision += 1
        news.insert("costs")
        note(.costs(reading, request))
        costs.take(reading, for: request, localNow: localNow, revision: revision)
    }

    /// A window that could not be read.
    package mutating func fail(_ request: CostsRequest, _ reason: String) {
        news.insert("costs")
        note(.failedCosts(request, reason: reason))
        costs.fail(request, reason)
    }

    /// A read that failed: an earlier reading serves until it is stale, but nothing is decided about its object.
    package mutating func fail(_ watchable: String, _ reason: String) {
        news.insert(watchable)
        note(.failed(watchable, reason: reason))
        failures[watchable] = reason
    }

    /// How Zimmer answered a reader: with an error, or at all.
    ///
    /// - Parameters:
    ///   - reader: who asked. Where one fails while others are answered, that says nothing of Zimmer.
    ///   - board: when the board was read whole, if that is what was read.
    package mutating func note(
        _ error: ZimmerError?, of reader: String = "zimmer", board: Timestamp?, skew: Duration,
        at now: Timestamp = Timestamp(seconds: 0)
    ) {
        reach.note(reader, error, at: now)
        let trouble = reach.trouble?.error.trouble
        var next = standing
        next.isReachable = trouble?.isFromZimmer ?? true
        next.error = reach.error?.description
        next.serverTimeSkew = skew
        if let board { next.lastReadAt = board }
        switch trouble {
        case .signIn: keyStanding = .expired
        case .edge: keyStanding = .edgeRefused
        case nil: keyStanding = .ok
        // What became of the credential is not known.
        case .unreachable, .failing, .redirected, .tunnel, .elsewhere: break
        }
        next.signIn = signIn
        take(next)
    }

    /// How the sign-in of a person stands.
    mutating func note(signIn: ZimmerStanding.SignIn) {
        personStanding = signIn
        guard standing.signIn != self.signIn else { return }
        standing.signIn = self.signIn
        note(.standing(standing))
    }

    private var signIn: ZimmerStanding.SignIn { keyStanding == .ok ? personStanding : keyStanding }

    /// After so long without a reading the board is stale.
    var boardPatience: Duration { freshness.board }

    mutating func take(_ standing: ZimmerStanding) {
        hasAsked = true
        note(.standing(standing))
        self.standing = standing
    }

    /// Takes how the channels fare; true when a rule could see a difference.
    mutating func take(_ statuses: [ChannelStatus]) -> Bool {
        guard
            statuses.count != channels.count
                || statuses.contains(where: { $0.differs(from: channels[$0.channel]?.status) })
        else { return false }
        note(.channels(statuses))
        channels = Dictionary(statuses.map { ($0.channel, ($0, $0.object)) }) { first, _ in first }
        revision += 1
        channelRevision = revision
        return true
    }

    package var healthReadAt: Timestamp? { health?.readAt }

    func readAt(of window: CostsRequest) -> Timestamp? { costs.windows[window]?.readAt }

    /// The last reading of health, while it is not stale.
    package func health(now: Timestamp) -> HealthReading? {
        guard let health, now - health.readAt <= freshness.health, case .object(let object) = health.value else {
            return nil
        }
        return HealthReading(object, readAt: health.readAt)
    }

    /// A session that was read by itself, for a last look or because it left the board.
    package mutating func note(_ object: Object, of session: Int64) {
        board.note(object, of: session)
    }

    /// Of each kind the last is what counts.
    mutating func note(_ item: Intake) {
        intake.removeAll { $0.isReplaced(by: item) }
        intake.append(item)
    }

    /// Everything that is known but the board, as it came in last.
    var held: [Intake] {
        var held: [Intake] = []
        if let health, case .object(let object) = health.value {
            held.append(.health(HealthReading(object, readAt: health.readAt)))
        }
        for listing in listings.values.compactMap(\.listing) { held.append(.listing(listing, departed: [:])) }
        for (word, reason) in failures { held.append(.failed(word, reason: reason)) }
        held += costs.intake
        if hasAsked { held.append(.standing(standing)) }
        if !channels.isEmpty { held.append(.channels(channels.values.map(\.status))) }
        return held
    }

    /// Takes what was recorded.
    mutating func take(_ item: Intake, localNow: Timestamp) {
        switch item {
        case .board(let reading, let departed): take(reading, departed: departed)
        case .health(let reading): take(reading)
        case .listing(let reading, let departed): take(reading, departed: departed)
        case .costs(let reading, let request): take(reading, for: request, localNow: localNow)
        case .failed(let word, let reason): fail(word, reason)
        case .failedCosts(let request, let reason): fail(request, reason)
        case .standing(let standing): take(standing)
        case .channels(let channels): _ = take(channels)
        }
    }

    // MARK: - The world

    /// What rules may know at `now`. `decided` says afterwards that the readings in it were decided on.
    ///
    /// - Parameter latest: the subjects of runs, which may be missing from what was read. What departed is there anyway.
    package func world(now: Timestamp, localNow: Timestamp, latest: Set<SubjectID>) -> World {
        var world = snapshot(now: now, localNow: localNow)
        for word in news { world.watched[word] = watched(word, now: now) }
        if let subjects { world.standing["session"] = subjects }
        if hasAsked {
            let subject = Subject(
                SubjectID(type: "zimmer", id: "zimmer"), standing.object, previous: previousStanding)
            world.watched["zimmer"] = .whole(Subjects([subject], revision: standing.revision))
        }
        // As with Zimmer's standing: what a rule waits for may be time alone.
        if !channels.isEmpty { world.watched["channel"] = watched("channel", now: now) }
        for id in latest.union(subjects?.departed.keys.map(\.self) ?? []).union(departedFromListings) {
            world.latest[id] = self.latest(id)
            if let number = Int64(id.id), id.type == "session" { world.latest[id] = sessions[number] }
            if id.type == "health", case .object(let object)? = health?.value { world.latest[id] = object }
            if id.type == "zimmer" { world.latest[id] = standing.object }
            if id.type == "channel" { world.latest[id] = channels[id.id]?.object }
        }
        return world
    }

    /// The news were decided on: the same reading is decided once.
    ///
    /// - Parameter slots: those whose runs go on, and may still use the costs that were read for them.
    package mutating func decided(keeping slots: Set<Timestamp>) {
        news = []
        undecided = []
        intake = []
        if hasAsked { previousStanding = standing.object }
        previousChannels = channels.mapValues(\.object)
        costs.forget(but: slots)
    }

    /// The variables as they are at `now`, without anything to decide on: for last looks.
    package func snapshot(now: Timestamp, localNow: Timestamp) -> World {
        var world = World(now: now, localNow: localNow)
        world.variables["board"] = boardVariable(now: now)
        world.variables["health"] = health.variable("health", stale: freshness.health, now: now)
        world.costs = costs.variables(stale: freshness.costs, now: now)
        world.failedCosts = costs.failures
        let all = channels.map { (Value.string($0.key), Value.object($0.value.object)) }
        world.variables["channels"] = World.Variable(.map(MapValue(all)), revision: channelRevision)
        world.variables["now"] = World.Variable(.timestamp(now), revision: 0)
        return world
    }

    func boardVariable(now: Timestamp) -> World.Variable {
        board.held.variable("board", stale: freshness.board, now: now)
    }

    /// The last reading of a kind, be it news or not.
    func watched(_ word: String, now: Timestamp) -> Watched {
        if let reason = failures[word] { return .cannotTell(reason) }
        if let kind = ListingKind(rawValue: word) { return watched(kind) }
        switch word {
        case "session": return subjects.map(Watched.whole) ?? .cannotTell("the board has not been read yet")
        case "health":
            guard let health, case .object(let object) = health.value else {
                return .cannotTell("'health' has not been read yet")
            }
            let subject = Subject(Self.healthID, object, previous: previousHealth)
            return .whole(Subjects([subject], revision: health.revision))
        case "channel":
            let all = channels.sorted { $0.key < $1.key }.map {
                Subject(SubjectID(type: word, id: $0.key), $0.value.object, previous: previousChannels[$0.key])
            }
            return .whole(Subjects(all, revision: channelRevision))
        // Costs: each rule takes its own window.
        default: return .whole(Subjects([], revision: revision))
        }
    }
}

extension ZimmerStanding {
    /// Changes whenever a rule could see a difference, apart from the time that passes.
    fileprivate var revision: UInt64 { UInt64(truncatingIfNeeded: hashValue) }
}
