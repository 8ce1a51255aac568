/// Everything this Zimmer knows, and the only place where it changes. No I/O, no clock of its own: time comes in
/// through `advance(to:)`, requests through `respond(to:)`.
package struct ZimmerState: Sendable {
    /// The server's time, as of the last `advance(to:)`.
    package private(set) var now: ServerTime

    /// Which of its versions this Zimmer is.
    package var generation: Generation {
        get { sessions.generation }
        set { sessions.generation = newValue }
    }

    package var sessions = SessionTable()
    package var queue: [EnqueuedMessage] = []
    package var notifications: [InboxNotification] = []
    package var logs: [LogLine] = []
    package var elicitations: [Elicitation] = []
    package var triggers: [Trigger] = []
    package var backlog: [BacklogItem] = []
    package var ledger = CostLedger()
    package var recovery = QueueRecovery()
    /// What resolving names complains about, and since when. Nil while egress is healthy.
    package var egressProblem: EgressProblem?
    /// Names of command-line tools, and whether each is signed in.
    package var tools: [(name: String, isAuthenticated: Bool)] = [("gh", true), ("cloudctl", true)]
    /// What `GET /up/deep` says does not answer.
    package var failedDependencies: [String] = []
    /// Whether the poller reads pull requests again as time goes by, which moves their rows every minute.
    package var pollsPullRequests = true
    package var agent = AgentBehaviour()

    /// Full API keys.
    package var apiKeys: Set<String>
    /// Bearer tokens of the first-party app, and whether each acts on a person's behalf.
    package var bearerTokens: [String: Bool] = [:]
    /// Sign-ins of people.
    package var oauth = OAuthServer()
    /// What stands in front of this server; nothing, mostly.
    package var edge: EdgeGate?
    /// Who acts in the script and through an acting token.
    package var person = "Pat"

    var agenda = Agenda()
    var lists = ListCache()
    var requestCount = 0
    var cooldowns: [String: ServerTime] = [:]
    private var nextIDs: [IDKind: Int] = [:]
    private var nextTurn = 1
    private var lastPollerRound: ServerTime?

    package init(now: ServerTime, apiKeys: Set<String> = [ZimmerState.demoKey]) {
        self.now = now
        self.apiKeys = apiKeys
        ledger.sweep(at: now)
    }

    /// The key that a server accepts unless told otherwise.
    package static let demoKey = "zmr_demo_key"

    /// Lets time pass: turns begin and end, messages are delivered, the day's script goes on.
    ///
    /// - Complexity: O(what happens meanwhile), times O(sessions) for the pollers in every minute with a happening.
    package mutating func advance(to time: ServerTime) {
        while let (due, happening) = agenda.next(until: time) {
            pass(to: due)
            apply(happening)
        }
        pass(to: time)
    }

    /// What goes on whether or not anything happens.
    private mutating func pass(to time: ServerTime) {
        now = max(now, time)
        recovery.expire(at: now)
        ledger.ingest(at: now)
        readPullRequests()
    }

    /// The poller's round: once a minute, while it is not halted, for sessions that are neither failed nor archived.
    private mutating func readPullRequests() {
        let round = now.rounded(downTo: .minutes(1))
        guard pollsPullRequests, !recovery.paused.contains("pollers"), round > (lastPollerRound ?? .distantPast) else {
            return
        }
        lastPollerRound = round
        for id in sessions.ids {
            guard let session = sessions[id], !session.pullRequests.isEmpty, session.status != .failed,
                session.status != .archived
            else { continue }
            edit(id) { $0.pullRequestsReadAt = round }
        }
    }
}

extension ZimmerState {
    enum IDKind: Hashable, Sendable {
        case session, message, notification, log, elicitation

        var first: Int {
            switch self {
            case .session: 1200
            case .message: 300
            case .notification: 5000
            case .log: 88_000
            case .elicitation: 60
            }
        }
    }

    mutating func nextID(_ kind: IDKind) -> Int {
        var id = nextIDs[kind, default: kind.first] + 1
        while kind == .session, sessions[id] != nil { id += 1 }
        nextIDs[kind] = id
        return id
    }

    mutating func newTurn(prompt: String) -> Turn {
        defer { nextTurn += 1 }
        return Turn(number: nextTurn, prompt: prompt)
    }

    /// Adds a session as it is, replacing one of the same id.
    package mutating func add(_ session: Session) {
        sessions[session.id] = session
    }

    /// A new session of this title, in this status. What is not said is plausible.
    ///
    /// - Returns: its id.
    @discardableResult
    package mutating func addSession(
        id: Int? = nil, title: String, status: Session.Status = .needsInput,
        _ configure: (inout Session) -> Void = { _ in }
    ) -> Int {
        var session = Session(id: id ?? nextID(.session), status: status, title: title, createdAt: now)
        session.prompt = "\(title). Open a pull request when it is done."
        session.lastUserActivityAt = now
        configure(&session)
        if session.runtimeSessionID == nil, session.status != .waiting {
            session.runtimeSessionID = uuid(of: "runtime", session.id)
        }
        add(session)
        return session.id
    }

    /// Changes a session that exists and stamps `updated_at`, as every write of the server does.
    package mutating func edit(_ id: Int, _ change: (inout Session) -> Void) {
        edit(id) { session, _ in change(&session) }
    }

    /// The same for changes that write down the time.
    package mutating func edit(_ id: Int, _ change: (inout Session, _ now: ServerTime) -> Void) {
        guard var session = sessions[id] else { return }
        change(&session, now)
        session.updatedAt = now
        sessions[id] = session
    }
}

extension ServerTime {
    static let distantPast = ServerTime(millisecondsSince1970: .min)
}
