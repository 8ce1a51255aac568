package import CEL

/// One session as rules see it at a reading.
package struct SessionReading: Sendable {
    package let id: Int64
    package let status: String
    package let object: Object
    /// Nil for a reading that was restored, or that did not come from Zimmer.
    let row: SessionRow?
    /// What is known beyond the row; nil when nothing is, or not of this row.
    let details: SessionDetails?
    /// From then on the object is another, although nothing was sent: an authorization came back.
    private let validUntil: Timestamp?

    /// A reading that was stored, or written down in a test; nil when it is no session or has no id or status.
    package init?(_ object: Object) {
        guard object.type == WorldSchema.session, case .int(let id) = object.slots[SessionField.id.slot],
            case .string(let status) = object.slots[SessionField.status.slot]
        else { return nil }
        self.id = id
        self.status = status
        self.object = object
        row = nil
        details = nil
        validUntil = nil
    }

    /// - Parameter details: of this row.
    init(_ row: SessionRow, _ tracked: TrackedSession, _ details: SessionDetails? = nil, at now: Timestamp) {
        let builder = ReadingBuilder(row, tracked, details, at: now)
        id = row.id
        status = row.status
        object = builder.object
        validUntil = builder.validUntil
        self.row = row
        self.details = details
    }

    /// This is also the reading of `row` at `now`. A row that is the very same one brings no news to the memory either.
    func isStill(_ row: SessionRow, _ details: SessionDetails?, at now: Timestamp) -> Bool {
        guard self.row === row, self.details?.readAt == details?.readAt else { return false }
        return validUntil.map { now < $0 } ?? true
    }

    /// The status, if this version knows it; a write never runs on a session whose status it does not know.
    package var knownStatus: SessionStatus? { SessionStatus(rawValue: status) }

    /// Whether this version knows the session's visibility, as every write requires.
    package var isVisibilityKnown: Bool {
        [SessionField.visibility, .effectiveVisibility].allSatisfy { field in
            guard case .string(let word) = object.slots[field.slot] else { return false }
            return SessionField.visibilities.contains(word)
        }
    }

    /// The newest pull request, which is the one a rule's decision was about.
    package var newestPullRequest: String? {
        guard case .object(let pull) = object.slots[SessionField.pr.slot],
            case .string(let url) = pull.slots[PullRequestField.url.slot]
        else { return nil }
        return url
    }

    package var title: String { text(.title) ?? "Session \(id)" }
    package var url: String? { text(.url) }

    private func text(_ field: SessionField) -> String? {
        if case .string(let text) = object.slots[field.slot] { text } else { nil }
    }
}

/// Adds to a row what the bot's memory and the time of the reading say.
private struct ReadingBuilder {
    private let row: SessionRow
    private let tracked: TrackedSession
    private let now: Timestamp
    private(set) var validUntil: Timestamp?
    private var slots: [Value]

    /// So long after it was recorded an authorization counts as under way, although the session has come to rest.
    private static let authorizationGrace = Duration.seconds(120)

    init(_ row: SessionRow, _ tracked: TrackedSession, _ details: SessionDetails?, at now: Timestamp) {
        self.row = row
        self.tracked = tracked
        self.now = now
        slots = row.slots
        set(.touchedAt, touchedAt)
        set(.statusSince, .timestamp(tracked.statusSince))
        set(.waitingReason, waitingReason)
        let pulls = row.pullRequests.indices.map { Value.object(pullRequest($0)) }
        set(.prs, .list(pulls))
        set(.pr, pulls.last ?? .null)
        details?.fill(&slots)
    }

    var object: Object { Object(WorldSchema.session, slots) }

    private mutating func set(_ field: SessionField, _ value: Value) { slots[field.slot] = value }

    private var touchedAt: Value {
        if case .error = row.touchedAt { return row.touchedAt }
        return tracked.touchedAt.map(Value.timestamp) ?? row.touchedAt
    }

    /// The first reason that applies. A marker from before the last reading that saw another status explains an earlier
    /// wait. (Not: from before `status_since`, the first reading that saw this one. Zimmer writes the marker when the
    /// wait begins, which is always a little before that.)
    private var waitingReason: Value {
        guard row.status == SessionStatus.waiting.rawValue else { return .null }
        let marker = row.waitingMarkers.first { marker in
            guard let at = marker.at, let earliest = tracked.statusNotBefore else { return true }
            return at >= earliest
        }
        return .string((marker?.reason ?? .unknown).rawValue)
    }

    private mutating func pullRequest(_ index: Int) -> Object {
        let pull = row.pullRequests[index]
        var slots = pull.slots
        slots[PullRequestField.ciSince.slot] = .timestamp(tracked.checks[index].since)
        let (authorized, at, word) = authorization(pull)
        slots[PullRequestField.authorized.slot] = authorized
        slots[PullRequestField.authorizedAt.slot] = at
        slots[PullRequestField.authorization.slot] = word
        return Object(WorldSchema.pullRequest, slots)
    }

    private mutating func authorization(_ pull: PullRequestRow) -> (authorized: Value, at: Value, word: Value) {
        switch pull.authorization {
        case .none: return (.bool(false), .null, .string("none"))
        case .unreadable(let error): return (.error(error), .error(error), .error(error))
        case .recorded(let at):
            if pull.state == "merged" || pull.state == "closed" { return (.bool(false), at, .string("spent")) }
            return (.bool(true), at, .string(isUnderWay(since: at) ? "live" : "came_back"))
        }
    }

    private mutating func isUnderWay(since recorded: Value) -> Bool {
        if [SessionStatus.waiting.rawValue, SessionStatus.running.rawValue].contains(row.status) { return true }
        guard case .timestamp(let at) = recorded else { return false }
        let end = at + Self.authorizationGrace
        guard now < end else { return false }
        validUntil = min(validUntil ?? end, end)
        return true
    }
}
