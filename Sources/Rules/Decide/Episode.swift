package import CEL

/// One stretch of time in which a watch rule's condition holds for a subject.
package struct Episode: Hashable, Sendable {
    package enum Phase: String, Hashable, Sendable {
        /// Holds, `for` is not up yet.
        case pending
        /// Holds; `do` ran, runs, or is kept from running (see `standing`).
        case active
        /// No longer holds, `keep` is not up yet.
        case keeping
        /// Held already at first sight under `existing: skip`, as far as could be told; left only by not holding.
        case baseline
    }

    /// Where the run of `do` stands, once the episode is active.
    package enum Standing: String, Hashable, Sendable {
        /// Not started yet; see `hold`.
        case held
        /// Its `do` was started (and perhaps finished): `resolved` is owed.
        case started
        /// Withdrawn before it wrote anything: counts as not run.
        case notRun
    }

    /// Why a run has not started although the condition holds.
    package enum Hold: String, Hashable, Sendable {
        case perPoll = "per_poll"
        case perHour = "per_hour"
        case perSubject = "per_subject_per_day"
        /// `zimmer.limit`.
        case server = "zimmer.limit"
        /// A new rule that matches much: waits for a person's `release`.
        case release
        /// Its `once` value was used before.
        case once
        /// `once` could not be evaluated, or so much is unknown at first sight that it may be too much.
        case cannotTell = "cannot_tell"

        /// For people.
        package var explanation: String {
            switch self {
            case .perPoll: "limit per_poll: goes on at the next poll"
            case .perHour: "limit per_hour"
            case .perSubject: "limit per_subject_per_day"
            case .server: "zimmer.limit"
            case .release: "the rule is new and matches much: waits for a release"
            case .once: "ran before for this value of 'once'"
            case .cannotTell: "cannot be told yet"
            }
        }
    }

    package var phase: Phase
    /// The printed value of `key`, empty without one.
    package var key: String
    /// Since when the condition holds, moved forward by whatever time could not be told.
    package var since: Timestamp
    /// Since when the outcome cannot be told; timers stand still from here.
    package var frozenSince: Timestamp?
    package var activeSince: Timestamp?
    /// Since when it does not hold any more, while that is ridden out; moved like `since`.
    package var keptSince: Timestamp?
    /// When `do` last started; moved like `since`.
    package var ranAt: Timestamp?
    /// How often `do` started again since.
    package var repeats = 0
    /// The subject as it was when `do` started, where the rule's steps read that.
    package var fired: Snapshot?
    /// The person who has it in hand: nothing is waited for or repeated any more.
    package var ackedBy: String?
    /// Counts the runs of this rule for this subject; 0 before the first.
    package var number: Int
    package var standing: Standing
    package var hold: Hold?
    /// The rule's meaning changed, or nothing was known yet: the next outcome that can be told adopts or ends the episode,
    /// without running anything.
    package var isResetting: Bool

    package init(phase: Phase, key: String, since: Timestamp) {
        self.phase = phase
        self.key = key
        self.since = since
        frozenSince = nil
        activeSince = nil
        number = 0
        standing = .held
        hold = nil
        isResetting = false
    }

    /// `for` is up.
    mutating func activate(at now: Timestamp) {
        phase = .active
        activeSince = now
    }

    /// Its `do` starts.
    mutating func run(as number: Int, at now: Timestamp) {
        self.number = number
        standing = .started
        hold = nil
        ranAt = now
    }

    /// Its `do` starts once more.
    mutating func runAgain(at now: Timestamp) {
        repeats += 1
        hold = nil
        ranAt = now
    }

    /// It does not hold any more.
    mutating func keep(from now: Timestamp) {
        phase = .keeping
        keptSince = now
    }

    /// It holds again before that was the end.
    mutating func recover() {
        phase = .active
        keptSince = nil
    }

    /// `do` ran, and is to run again by now.
    func isDue(_ repetition: Rule.Repetition, at now: Timestamp) -> Bool {
        guard canRunAgain, ackedBy == nil, let ranAt, repeats < repetition.times ?? .max else { return false }
        return now - ranAt >= repetition.every
    }

    package var canRunAgain: Bool { phase == .active && standing == .started && frozenSince == nil && !isResetting }

    func facts(runs: Int, ended: Ending? = nil) -> EpisodeFacts {
        EpisodeFacts(
            number: number, since: since, activeSince: activeSince ?? since, runs: runs, ended: ended, ackedBy: ackedBy)
    }

    /// As it is when only the next outcome says whether it goes on, and with which key.
    func resetting() -> Episode {
        var copy = self
        copy.isResetting = true
        return copy
    }

    /// Stops the timers at `now`, unless they stand still already.
    package mutating func freeze(at now: Timestamp) {
        if frozenSince == nil { frozenSince = now }
    }

    /// Lets the timers go on, as if the frozen time had not passed.
    package mutating func thaw(at now: Timestamp) {
        guard let frozen = frozenSince else { return }
        let lost = now - frozen
        since = since + lost
        keptSince = keptSince.map { $0 + lost }
        ranAt = ranAt.map { $0 + lost }
        frozenSince = nil
    }
}

/// How an episode ended, as `episode.ended` says it.
package enum Ending: String, Hashable, Sendable, CaseIterable {
    case no = "false"
    case key, archived, gone
}
