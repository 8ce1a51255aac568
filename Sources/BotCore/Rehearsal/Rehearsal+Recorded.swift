import CEL
import Rules

/// What was recorded is played at its own instants, with both clocks and the departures as they were then; what really
/// became of a write is followed where that is known.
extension Rehearsal {
    /// Goes on from what was remembered and known at a time.
    mutating func begin(remembering memory: Memory, knowing held: [Intake], at now: Timestamp) {
        notesComposed = true
        self.memory = memory
        for run in memory.runs.values.sorted(by: { $0.startedAt < $1.startedAt }) { enlist(run.key) }
        know(held, at: now)
    }

    /// Takes everything that is known, as no news.
    mutating func know(_ held: [Intake], at now: Timestamp) {
        for item in held {
            take(item, localNow: now)
            noteTold(item)
        }
        observation.decided(keeping: [])
    }

    /// A process that goes on without a break remembers when each rule could last be decided: there its timers stop when the
    /// next reading fails. That is not stored, but a rule is decided whenever what it watches was read.
    private mutating func noteTold(_ item: Intake) {
        guard let (watchable, readAt) = item.whole else { return }
        for prepared in rules.rules where prepared.watchable?.name == watchable {
            guard let own = memory.rules[prepared.name], own.toldAt == nil else { continue }
            memory.rules[prepared.name]?.toldAt = readAt
        }
    }

    /// Decides as it was decided then.
    ///
    /// - Parameter isFollowed: whether it is known what became of a run at its write; others write what they may.
    mutating func decide(_ recorded: RecordedDecision, isFollowed: (Run) -> Bool) {
        if let startedAt = recorded.startedAt { restart(at: startedAt) }
        if recorded.isReload { memory.reload() }
        for item in recorded.intake { take(item, localNow: recorded.localNow) }
        var world = observation.world(
            now: recorded.now, localNow: recorded.localNow, latest: Set(memory.runs.keys.lazy.map(\.subject)))
        world.isClockPutForward = recorded.isClockPutForward
        note(rules.decide(world, &memory), at: recorded.now)
        releaseSuppressed(at: recorded.now)
        workOff(at: recorded.now, isFollowed)
        observation.decided(keeping: Set(memory.runs.keys.lazy.compactMap { $0.slot?.time }))
    }

    /// Does what happened between two decisions.
    ///
    /// - Parameter key: the run here that is meant.
    mutating func take(_ act: RecordedAct, to key: RunKey?, at now: Timestamp, isFollowed: (Run) -> Bool) {
        steer(act, at: now)
        guard let key, let run = memory.runs[key], run.state == .writing else { return }
        let prepared = rules.rule(key.rule)
        let world = observation.world(now: now, localNow: now, latest: [key.subject])
        let subject = prepared.flatMap { world.latest(key.subject, for: $0) }
        switch act {
        case .attempted:
            beginCall(of: run)
        case .concluded(_, let outcome):
            change(at: now) { $0.conclude(run, outcome, of: prepared, subject: subject, in: world) }
        case .skipped(_, let reason):
            change(at: now) { $0.skip(run, reason, of: prepared, subject: subject, in: world) }
        case .withheld(_, let reason, let isGivenUp):
            change(at: now) { $0.withhold(run, as: isGivenUp ? .gaveUp(reason) : .withdrawn(reason)) }
        case .steered, .acknowledged: break
        }
        workOff(at: now, isFollowed)
    }

    /// Does what a person did. A rule that waits for a release only here goes on waiting.
    private mutating func steer(_ act: RecordedAct, at now: Timestamp) {
        switch act {
        case .steered(let name, let steering):
            guard let prepared = rules.rule(name) else { return }
            var own =
                memory.rules[name]
                ?? RuleMemory(meaning: prepared.rule.meaning, isDryRun: prepared.rule.mode == .dryRun)
            own.awaitsRelease = own.awaitsRelease && steering.awaitsRelease
            own.pausedUntil = steering.pausedUntil
            own.askedAt = steering.askedAt
            memory.rules[name] = own
        case .acknowledged(let rule, let subject, let person):
            change(at: now) { _ = $0.acknowledge(rule: rule, subject: subject, by: person) }
        default: break
        }
    }

    private mutating func workOff(at now: Timestamp, _ isFollowed: (Run) -> Bool) {
        if !memory.runs.values.contains(where: { $0.state == .writing }) { return }
        workOff(at: now, leaving: Set(memory.runs.values.lazy.filter(isFollowed).map(\.key)))
    }

    private mutating func take(_ item: Intake, localNow: Timestamp) {
        guard case .board(let reading, var left) = item else {
            if case .health(let reading) = item { health = reading }
            guard case .listing(let reading, let left) = item else {
                return observation.take(item, localNow: localNow)
            }
            return observation.take(reading, departed: memory.departed(from: reading).merging(left) { $1 })
        }
        // What these rules remember besides was not read by itself then; nearly all that leaves the board is archived.
        // Something is remembered only of what was on a board.
        let isMissing = !left.isEmpty || areSomeMissing || board?.hasSameSessions(as: reading) != true
        let missing = isMissing ? memory.sessions(missingFrom: { reading[$0] != nil }) : []
        areSomeMissing = !missing.isEmpty
        for id in missing {
            let subject = SubjectID(type: "session", id: String(id))
            if left[subject] == nil, let last = observation.sessions[id] { left[subject] = .archived(last.archived) }
        }
        for case (let subject, .archived(let object)) in left {
            if let id = Int64(subject.id) { departed[id] = SessionReading(object) }
        }
        board = reading
        observation.take(reading, departed: left)
    }
}

extension Intake {
    /// What was read whole, by the word of `watch:`, and when.
    fileprivate var whole: (watchable: String, readAt: Timestamp)? {
        switch self {
        case .board(let reading, _): ("session", reading.readAt)
        case .health(let reading): ("health", reading.readAt)
        case .listing(let reading, _): reading.isWhole ? (reading.kind.rawValue, reading.readAt) : nil
        case .costs(let reading, _): ("costs", reading.readAt)
        case .failed, .failedCosts, .standing, .channels: nil
        }
    }
}

extension Object {
    /// A session as it is once it is archived.
    fileprivate var archived: Object {
        guard type == WorldSchema.session else { return self }
        var slots = slots
        slots[SessionField.status.slot] = .string("archived")
        return Object(type, slots)
    }
}
