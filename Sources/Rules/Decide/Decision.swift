package import CEL

/// What one call of `decide` decided. Nothing in it has happened yet.
package struct Decision: Sendable {
    /// Runs that were started or moved on, in order.
    package var runs: [Run] = []
    /// Messages to put into the outbox, in order.
    package var posts: [PostDraft] = []
    /// What to write into the audit trail, in order.
    package var events: [Event] = []
    /// Episodes that appeared or changed, and those that ended.
    package var episodes: Set<RuleSubject> = []
    /// Numbers of the episodes that began to run: never used again, also where the episode itself ends at once.
    package var numbers: [RuleSubject: Int] = [:]
    /// `once` values used up by this decision.
    package var once: [OnceKey] = []
    /// Rules that are no longer remembered.
    package var forgotten: [String] = []
    /// After how long to decide again even if nothing is read: the end of a wait, a slot.
    package var pause: Duration?

    package init() {}

    mutating func wake(after duration: Duration) {
        pause = pause.map { min($0, duration) } ?? duration
    }
}

/// A line of the audit trail.
package struct Event: Sendable {
    package enum Kind: String, Sendable {
        case started, ended, held, withdrawn, would, missed, skipped, paused, resumed
        case cannotTell = "cannot_tell"
        case released
        case reset
        case firstSight = "first_sight"
    }

    package var at: Timestamp
    package var kind: Kind
    package var rule: String
    package var subject: SubjectID?
    package var episode: Int?
    package var detail: String
    /// The values that decided, by the expression that read them.
    package var values: [String: Value]
    /// How the condition came to what it is.
    package var clause: Clause?

    package init(
        at: Timestamp, _ kind: Kind, rule: String, subject: SubjectID? = nil, episode: Int? = nil, detail: String = "",
        values: [String: Value] = [:], clause: Clause? = nil
    ) {
        self.at = at
        self.kind = kind
        self.rule = rule
        self.subject = subject
        self.episode = episode
        self.detail = detail
        self.values = values
        self.clause = clause
    }
}
