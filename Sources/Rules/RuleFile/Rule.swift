package import CEL

/// One rule, loaded and checked: what `decide` runs.
package struct Rule: Sendable {
    package enum Mode: String, Sendable {
        case live, off
        case dryRun = "dry_run"
    }

    package enum Trigger: Sendable {
        case watch(Vocabulary.Watchable)
        case schedule(CronSchedule)
        /// At each slot, once for each object on the board.
        case sweep(CronSchedule, Vocabulary.Watchable)
        /// When a person says this word.
        case command(String)

        /// What it runs for; nil for a schedule by itself.
        package var watchable: Vocabulary.Watchable? {
            switch self {
            case .watch(let watchable), .sweep(_, let watchable): watchable
            case .schedule, .command: nil
            }
        }

        package var schedule: CronSchedule? {
            switch self {
            case .schedule(let schedule), .sweep(let schedule, _): schedule
            case .watch, .command: nil
            }
        }
    }

    /// What of the subjects that already hold at first sight runs.
    package enum Existing: String, Sendable { case run, skip }

    /// How often `do` may run for a subject.
    package enum Once: Sendable {
        /// Once per episode.
        case episode
        /// Once for each value of the expression, over all later episodes.
        case value(Program)
    }

    /// A name of `let`.
    package struct Binding: Sendable {
        package var name: String
        package var slot: Int
        package var program: Program
        /// Depends on the subject, so it is evaluated per subject; otherwise once per poll.
        package var readsSubject: Bool

        package init(name: String, slot: Int, program: Program, readsSubject: Bool) {
            self.name = name
            self.slot = slot
            self.program = program
            self.readsSubject = readsSubject
        }
    }

    package var name: String
    package var position: SourcePosition
    package var description: String?
    package var mode: Mode
    package var trigger: Trigger
    /// Variables and functions of this rule's expressions; `activation` values are laid out by it.
    package var environment: Environment
    package var bindings: [Binding]
    /// `vars` of the file: the value of the variable of that name.
    package var constants: Object
    /// Nil: always true.
    package var condition: Program?
    /// `for`: how long the condition holds before `do` runs.
    package var holdFor: Duration
    /// How long an episode stays active after the condition stopped holding.
    package var keep: Duration = .zero
    /// Runs `do` again while the episode lasts; nil: once.
    package var again: Repetition?
    /// While that rule is active this one's posts are held.
    package var suppress: String?
    package var key: Program?
    package var once: Once
    package var existing: Existing
    package var steps: [Step]
    package var resolved: [Step]
    package var limit: Limit
    /// Makes one message of its posts, by channel and value.
    package var group: Grouping?
    /// When its posts wait.
    package var quiet: QuietHours?
    package var timeZone: String
    /// The window of `costs` here; nil where the rule does not say (seven days, or today where costs are watched).
    package var costs: CostsWindow?
    package var missed: CronSchedule.Missed
    /// Slots come due late by less than this, by the same for each slot of a rule.
    package var jitter: Duration = .zero
    /// A digest of trigger, `if`, `for`, `key` and `let`: a change of it resets the rule, any other edit does not.
    package var meaning: String

    /// `group:`.
    package struct Grouping: Sendable {
        package var by: Program
        /// How long the first message of a group waits for others.
        package var wait: Duration = .seconds(30)
        /// How long the next message of the same group waits after one has gone.
        package var interval: Duration = .seconds(300)
    }

    /// `repeat:`.
    package struct Repetition: Hashable, Sendable {
        package var every: Duration
        /// How often beside the first run; nil: as long as the episode lasts.
        package var times: Int?

        package init(every: Duration, times: Int? = nil) {
            self.every = every
            self.times = times
        }
    }

    /// `limit`, with the defaults of the language.
    package struct Limit: Hashable, Sendable {
        package var perPoll = 10
        package var perHour = 60
        package var perSubjectPerDay = 12

        package init() {}
    }

    /// Every expression of the rule, templates included.
    package var programs: [Program] { conditionPrograms + stepPrograms }
    /// The expressions that decide: `let`, `if`, `key`, `once`.
    package var conditionPrograms: [Program] {
        var all = bindings.map(\.program)
        if let condition { all.append(condition) }
        if let key { all.append(key) }
        if case .value(let program) = once { all.append(program) }
        return all
    }
    package var stepPrograms: [Program] {
        (steps + resolved).flatMap(\.programs) + (group.map { [$0.by] } ?? [])
    }
    package var watchable: Vocabulary.Watchable? { trigger.watchable }
    package var schedule: CronSchedule? { trigger.schedule }
    /// Whether a step changes something in Zimmer.
    package var writes: Bool { (steps + resolved).contains { $0.isWrite } }
}

/// `costs:` of a rule.
package struct CostsWindow: Hashable, Sendable {
    package enum Span: Hashable, Sendable {
        case today, yesterday, week, month
        case back(Duration)
    }

    package var span: Span
    package var agentRoot: String?

    package init(_ span: Span, agentRoot: String? = nil) {
        self.span = span
        self.agentRoot = agentRoot
    }
}
