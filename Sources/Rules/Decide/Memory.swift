package import CEL

/// What `decide` remembers from one decision to the next. It is stored in the transaction that stores the decision.
package struct Memory: Sendable {
    /// When the last decision was made; nil in an empty state directory.
    package var decidedAt: Timestamp?
    /// Rules by name, also rules that are no longer in the file until the next decision forgets them.
    package var rules: [String: RuleMemory] = [:]
    /// Runs that are not finished.
    package var runs: [RunKey: Run] = [:]
    /// What was started in the last 24 hours, for the limits.
    package var recent = Starts()
    /// Values of `once` that are used up.
    package var once: Set<OnceKey> = []
    /// The highest episode number of each rule and subject that ever ran.
    package var numbers: [RuleSubject: Int] = [:]

    package init() {}

    /// A started run, as the limits count it.
    package struct Start: Hashable, Sendable {
        package var at: Timestamp
        package var rule: String
        package var subject: SubjectID
        package var part: Run.Part
        package var cost: Int

        package init(at: Timestamp, rule: String, subject: SubjectID, part: Run.Part, cost: Int) {
            self.at = at
            self.rule = rule
            self.subject = subject
            self.part = part
            self.cost = cost
        }
    }
}

package struct RuleSubject: Hashable, Sendable {
    package var rule: String
    package var subject: SubjectID

    package init(rule: String, subject: SubjectID) {
        self.rule = rule
        self.subject = subject
    }
}

package struct OnceKey: Hashable, Sendable {
    package var rule: String
    package var subject: SubjectID
    package var value: String

    package init(rule: String, subject: SubjectID, value: String) {
        self.rule = rule
        self.subject = subject
        self.value = value
    }
}

/// What is remembered of one rule.
package struct RuleMemory: Sendable {
    /// The rule's meaning when it was last decided; another one resets it.
    package var meaning: String
    /// A dry run remembers beside the real thing: nothing of it is stored, and `live` begins at first sight.
    package var isDryRun: Bool
    /// No whole reading was decided under this rule yet.
    package var isNew = true
    /// It matched too much at first sight: writes nothing until a person releases it.
    package var awaitsRelease = false
    /// Episodes of subjects for which the condition holds.
    package var episodes = Episodes()
    /// Subjects whose outcome cannot be told, and since when. Not stored: it is found again.
    package var untold: [SubjectID: Untold] = [:]
    /// The rule as a whole cannot be decided. Not stored.
    package var unreadable: Untold?
    /// When all of it could be decided last; timers stand still from there on while it cannot. Not stored.
    package var toldAt: Timestamp?
    /// The next slot of a schedule.
    package var nextSlot: Timestamp?
    /// A person asked for a run: a slot that is due whatever the schedule says; of a rule that watches, one more run for
    /// everything that is active.
    package var askedAt: Timestamp?
    /// When its condition last began to hold for a subject, or a slot of it last ran; nil: never.
    package var matchedAt: Timestamp?
    /// A person paused it until then; nothing of it is decided meanwhile.
    package var pausedUntil: Timestamp?
    /// What the last evaluation saw. Not stored: after a start everything is evaluated.
    package var seen = Seen()

    package init(meaning: String, isDryRun: Bool = false) {
        self.meaning = meaning
        self.isDryRun = isDryRun
    }

    init(_ rule: Rule) {
        self.init(meaning: rule.meaning, isDryRun: rule.mode == .dryRun)
    }

    package struct Untold: Hashable, Sendable {
        package var since: Timestamp
        package var reason: String
    }

    /// Revisions of the inputs at the last evaluation, so that only what changed is evaluated again.
    package struct Seen: Hashable, Sendable {
        package var subjects: UInt64?
        package var variables: [String: UInt64] = [:]
        /// Of a rule that reads `previous`: subjects that were other ones in the reading before. They have to be looked at
        /// once more, when they are not.
        var moved: [SubjectID] = []
        /// Of a rule that reads the clock: when outcomes may change although nothing was read.
        var flips = Flips()

        package init() {}
    }
}

extension RuleMemory {
    mutating func forgetSeen() {
        seen = Seen()
    }

    /// Notes which inputs have now been evaluated.
    mutating func see(_ subjects: UInt64, _ prepared: PreparedRule, _ world: World) {
        seen.subjects = subjects
        seen.variables = Self.revisions(prepared, world)
        seen.flips.advance(to: world.now)
        toldAt = world.now
    }

    mutating func see(moved subjects: Subjects) {
        seen.moved = subjects.moved
    }

    /// Which of the subjects have to be evaluated; nil for all of them.
    func toEvaluate(_ subjects: Subjects, _ prepared: PreparedRule, _ world: World) -> [Int]? {
        guard seen.variables == Self.revisions(prepared, world) else { return nil }
        let changed: [Int]
        if seen.subjects == subjects.revision {
            changed = []
        } else if let difference = subjects.changed, difference.base == seen.subjects {
            changed = difference.indices
        } else {
            return nil
        }
        var others = prepared.readsPrevious ? seen.moved : []
        if prepared.readsClock {
            guard let due = seen.flips.due(at: world.now) else { return nil }
            others += due
        }
        return others.isEmpty ? changed : Set(changed).union(others.compactMap(subjects.position)).sorted()
    }

    private static func revisions(_ prepared: PreparedRule, _ world: World) -> [String: UInt64] {
        var revisions: [String: UInt64] = [:]
        for name in prepared.decidesOn where name != "now" { revisions[name] = world.variables[name]?.revision }
        if let request = prepared.costsRequest(slot: nil) { revisions["costs"] = world.costs[request]?.revision }
        return revisions
    }
}

extension Memory {
    /// After a start: time while the bot was down does not count, so all timers stand still from the last decision on,
    /// until the next outcome that can be told.
    package mutating func resume() {
        guard let decidedAt else { return }
        for name in rules.keys {
            rules[name]?.forgetSeen()
            for subject in rules[name]?.episodes.keys.map({ $0 }) ?? [] {
                rules[name]?.episodes[subject]?.freeze(at: decidedAt)
            }
        }
    }

    /// Whether what a run of `do` is about has ended since it started.
    package func hasEnded(_ key: RunKey) -> Bool {
        guard !key.part.isResolved, key.slot == nil else { return false }
        return rules[key.rule]?.episodes[key.subject]?.number != key.episode
    }

    /// Whether the last run of an episode's `do` has not come to its end.
    package func isUnderWay(_ episode: Episode, of rule: String, _ subject: SubjectID) -> Bool {
        let last: Run.Part = episode.repeats == 0 ? .steps : .again(episode.repeats)
        let key = RunKey(rule: rule, subject: subject, key: episode.key, episode: episode.number, part: last)
        return runs[key] != nil
    }

    /// After a reload: expressions were compiled anew, so everything is evaluated again.
    package mutating func reload() {
        for name in rules.keys { rules[name]?.forgetSeen() }
    }
}
