package import CEL

/// One execution of `do` or `resolved`: a chain of steps worked off in order.
package struct Run: Hashable, Sendable {
    /// Which steps of its episode they are.
    package enum Part: Hashable, Sendable {
        case steps
        /// `do` once more in the same episode, counted from 1.
        case again(Int)
        case resolved

        package var isResolved: Bool { self == .resolved }

        package var word: String {
            switch self {
            case .steps: "do"
            case .again(let count): "repeat \(count)"
            case .resolved: "resolved"
            }
        }

        /// Nil for a word of another version.
        package init?(word: String) {
            switch word {
            case "do": self = .steps
            case "resolved": self = .resolved
            default:
                guard word.hasPrefix("repeat "), let count = Int(word.dropFirst(7)), count > 0 else { return nil }
                self = .again(count)
            }
        }
    }

    package enum State: Hashable, Sendable {
        /// At a `wait` step, until then.
        case waiting(until: Timestamp)
        /// At a write step: it takes its last look, then it is carried out.
        case writing
        case done
        /// Stopped before its end, for a reason that lies in the world: the last look, the end of the episode.
        case withdrawn(String)
        /// Zimmer said no.
        case refused(String)
        /// A call's answer was lost and could not be settled; never repeated.
        case unknown(String)
        /// Tried for as long as the rules allow.
        case gaveUp(String)

        package var isFinished: Bool {
            switch self {
            case .waiting, .writing: false
            case .done, .withdrawn, .refused, .unknown, .gaveUp: true
            }
        }
    }

    package var key: RunKey
    /// Index of the step that is next.
    package var step: Int
    package var state: State
    package var startedAt: Timestamp
    /// When the chain came to the step where it is.
    package var stepSince: Timestamp
    /// A write of this run was attempted, so the episode counts as run.
    package var hasWritten: Bool
    /// The call of this step is under way, or its answer was lost. What became of it is found out first, whatever happens
    /// to the episode meanwhile: the call itself may be what ends it.
    package var isCalling: Bool
    /// What it takes from `zimmer.limit`.
    package var cost: Int
    /// The value of `once` that the first write uses up.
    package var once: String?
    /// The subject's `anchor` when this was decided.
    package var anchor: String?
    /// Why it cannot go on just now, when it waits at a write.
    package var waitingFor: String?
    package var context: RunContext

    package init(
        key: RunKey, startedAt: Timestamp, cost: Int, once: String?, anchor: String? = nil,
        context: RunContext = RunContext()
    ) {
        self.key = key
        step = 0
        state = .writing
        self.startedAt = startedAt
        stepSince = startedAt
        hasWritten = false
        isCalling = false
        self.cost = cost
        self.once = once
        self.anchor = anchor
        waitingFor = nil
        self.context = context
    }
}

/// What makes a run the same run: it is in the ledger once, however often it is decided.
package struct RunKey: Hashable, Sendable {
    package var rule: String
    package var subject: SubjectID
    package var key: String
    package var episode: Int
    package var part: Run.Part

    package init(rule: String, subject: SubjectID, key: String, episode: Int, part: Run.Part) {
        self.rule = rule
        self.subject = subject
        self.key = key
        self.episode = episode
        self.part = part
    }

    /// The slot that it is of; nil when it is of an episode.
    package var slot: Slot? { Slot(subject) ?? Slot(key: key) }
}
