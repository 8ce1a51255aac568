import CEL

/// One session as Zimmer sent it: everything of `session` that does not need this bot's memory.
///
/// Immutable and shared: a session that did not change keeps its row from one reading of the board to the next.
package final class SessionRow: Sendable {
    package let id: Int64
    package let status: String
    /// Of the whole row as sent. Comparable within this process only.
    let digest: UInt64
    /// By `SessionField`; what `SessionTracker` adds is null here.
    let slots: [Value]
    /// The last time a person acted, as Zimmer has it; an error when that cannot be read.
    let touchedAt: Value
    /// Oldest first.
    let pullRequests: [PullRequestRow]
    /// Why it may be waiting, first the reason that counts most.
    let waitingMarkers: [WaitingMarker]
    /// What of these it was sent with.
    let members: Members

    /// Members of a row that older servers do not send.
    struct Members: OptionSet {
        let rawValue: UInt8
        static let visibility = Members(rawValue: 1)
        static let goalCheck = Members(rawValue: 2)
        static let all: Members = [.visibility, .goalCheck]
    }

    /// What it keeps in memory, in bytes, roughly.
    var weight: Int {
        pullRequests.reduce(slots.weight) { $0 + $1.slots.weight }
    }

    init(
        id: Int64, status: String, digest: UInt64, slots: [Value], touchedAt: Value, pullRequests: [PullRequestRow],
        waitingMarkers: [WaitingMarker], members: Members = .all
    ) {
        self.id = id
        self.status = status
        self.digest = digest
        self.slots = slots
        self.touchedAt = touchedAt
        self.pullRequests = pullRequests
        self.waitingMarkers = waitingMarkers
        self.members = members
    }
}

/// One pull request of a session as Zimmer's record has it.
struct PullRequestRow: Sendable {
    /// What Zimmer's record of merge authorizations says about it.
    enum Authorization: Sendable {
        case none
        /// There is an entry; its time is null when it has none and an error when that cannot be read.
        case recorded(at: Value)
        /// There is an entry of an unknown form.
        case unreadable(EvaluationError)
    }

    var url: String
    var ci: String
    var state: String
    var authorization: Authorization
    /// By `PullRequestField`; `ci_since` and what depends on the session's status are null here.
    var slots: [Value]
}

/// A note in Zimmer's bookkeeping that explains a wait.
struct WaitingMarker: Hashable, Sendable {
    var reason: WaitingReason
    /// When it was written; nil where Zimmer does not note that.
    var at: Timestamp?
}
