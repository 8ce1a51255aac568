import CEL

extension RuleSet {
    /// Explains what a rule says of one subject, of the world as it was read and decided on just now.
    ///
    /// Pure, as `decide` is, and evaluates with the same programs.
    ///
    /// - Parameters:
    ///   - subject: what it is about; nil for a schedule that watches nothing.
    ///   - before: what was remembered before the decision.
    ///   - after: what is remembered since.
    package func explain(
        _ prepared: PreparedRule, _ subject: Subject?, world: World, before: Memory, after: Memory
    ) -> Explanation {
        let slot = prepared.rule.schedule == nil ? nil : Slot(time: world.localNow, missed: false)
        var evaluator = Evaluator(prepared, world: world, slot: slot)
        if let subject { evaluator.bind(subject) }
        var explainer = Explainer(prepared, subject, evaluator, world, before, after, limit: limit)
        explainer.suppressor = suppressor(of: prepared, subject?.id, after)
        explainer.unsupported = (prepared.rule.notRun + rules.flatMap(\.rule.notRun)).first?.message
        return explainer.explain()
    }
}

/// Puts one explanation together.
struct Explainer {
    let prepared: PreparedRule
    let subject: Subject?
    var evaluator: Evaluator
    let world: World
    let before: Memory
    let memory: Memory
    let limit: ServerLimit
    var suppressor: String?
    /// Why the bot does not take the rules, this one or another.
    var unsupported: String?
    var explanation: Explanation

    init(
        _ prepared: PreparedRule, _ subject: Subject?, _ evaluator: Evaluator, _ world: World, _ before: Memory,
        _ after: Memory, limit: ServerLimit
    ) {
        self.prepared = prepared
        self.subject = subject
        self.evaluator = evaluator
        self.world = world
        self.before = before
        memory = after
        self.limit = limit
        let outcome = self.evaluator.outcome()
        explanation = Explanation(
            rule: prepared.name, mode: prepared.rule.mode, trigger: prepared.rule.triggerText, at: world.now,
            subject: subject?.id, title: subject?.title, outcome: outcome)
    }

    var rule: Rule { prepared.rule }
    var now: Timestamp { world.now }
    var own: RuleMemory? { memory.rules[prepared.name] }
    var episode: Episode? { subject.flatMap { own?.episodes[$0.id] } }

    consuming func explain() -> Explanation {
        explanation.condition = evaluator.clause()
        explanation.bindings = rule.bindings.map { named($0.name, $0.program, evaluator.activation[$0.slot]) }
        explanation.key = rule.key.map { named("key", $0, $0.evaluate(evaluator.activation)) }
        if case .value(let program) = rule.once {
            explanation.once = named("once", program, program.evaluate(evaluator.activation))
            explanation.onceIsUsed = isOnceUsed
        }
        if let episode { describe(episode) }
        explanation.wouldRun = startsNow
        explanation.limits = limits()
        explanation.slots = slots()
        block()
        evaluator.bind(context)
        explanation.steps = prepared.stepPreviews(.steps, subject: subject, evaluator, now: now)
        return explanation
    }

    private func named(_ name: String, _ program: Program, _ value: Value) -> Explanation.Named {
        let isError = if case .error = value { true } else { false }
        return Explanation.Named(
            name: name, source: program.source.onOneLine.trimmed, value: value.brief, isError: isError)
    }

    /// Why nothing follows from a condition that holds: what `key` says.
    var keyTrouble: String? {
        guard let key = rule.key, explanation.condition.map({ $0.outcome == .holds }) ?? true else { return nil }
        switch explanation.outcome {
        case .yes: return nil
        case .cannotTell(let reason): return reason.onOneLine
        case .no:
            let reason = if case .error(let error) = key.evaluate(evaluator.activation) { error.message } else { "" }
            return "'key' does not apply: \(reason.onOneLine)"
        }
    }

    private var isOnceUsed: Bool {
        guard let subject, case .success(let value?) = evaluator.once() else { return false }
        return before.once.contains(OnceKey(rule: prepared.name, subject: subject.id, value: value))
    }

    /// The decision started a run that was not there before.
    private var startsNow: Bool {
        guard let subject, let episode, episode.standing == .started else { return false }
        guard let known = before.rules[prepared.name]?.episodes[subject.id], known.standing == .started else {
            return true
        }
        return known.number != episode.number || known.repeats != episode.repeats
    }

    /// What the steps may name of the episode, as a run that starts now would have it.
    private var context: RunContext {
        let episode = episode ?? Episode(phase: .active, key: "", since: now)
        return RunContext(
            fired: subject.map { Snapshot($0.value) }, episode: episode.facts(runs: episode.repeats + 1))
    }

    private mutating func describe(_ episode: Episode) {
        explanation.episode = Explanation.EpisodeState(
            phase: episode.phase, number: episode.number, since: episode.since, activeSince: episode.activeSince,
            ranAt: episode.ranAt, runs: episode.ranAt == nil ? 0 : episode.repeats + 1, ackedBy: episode.ackedBy,
            frozenSince: episode.frozenSince)
        if episode.phase == .pending, rule.holdFor > .zero {
            explanation.timers.append(.init(name: "for", length: rule.holdFor, end: episode.since + rule.holdFor))
        }
        if episode.phase == .keeping, let since = episode.keptSince {
            explanation.timers.append(.init(name: "keep", length: rule.keep, end: since + rule.keep))
        }
        if let again = rule.again, let ranAt = episode.ranAt, episode.phase == .active,
            episode.ackedBy == nil, episode.repeats < again.times ?? .max
        {
            explanation.timers.append(.init(name: "repeat", length: again.every, end: ranAt + again.every))
        }
    }

    private func slots() -> Explanation.Slots? {
        guard let schedule = rule.schedule else { return nil }
        let pause = memory.pause(of: prepared.name, at: now)
        if pause == Memory.forGood { return Explanation.Slots(next: [], jitter: prepared.offset) }
        var next: [Timestamp] = []
        var from = world.localNow
        // A pause ends by Zimmer's clock. A slot that is due just then runs.
        if let pause { from = pause + (world.localNow - now) - prepared.offset - .nanoseconds(1) }
        if let due = own?.nextSlot, pause == nil || due > from {
            next.append(due)
            from = max(from, due)
        }
        while next.count < 5, let slot = schedule.next(after: from, in: rule.timeZone) {
            next.append(slot)
            from = slot
        }
        let isDue = own?.nextSlot.map { $0 + prepared.offset <= world.localNow } ?? false
        return Explanation.Slots(
            next: next.map { $0 + prepared.offset }, jitter: prepared.offset,
            missing: isDue && pause == nil ? own?.unreadable?.reason ?? evaluator.unavailable() : nil)
    }
}

extension Rule {
    /// `watch: session`, as written in the file.
    package var triggerText: String {
        switch trigger {
        case .watch(let watchable): "watch: \(watchable.name)"
        case .schedule(let schedule): "schedule: \(schedule.text) (\(timeZone))"
        case .command(let word): "command: \(word)"
        case .sweep(let schedule, let watchable):
            "schedule: \(schedule.text) (\(timeZone)), watch: \(watchable.name)"
        }
    }
}

extension Subject {
    /// What people call it.
    package var title: String? {
        if case .string(let title) = value["title"] { return title.onOneLine.cut(to: 120) }
        return nil
    }
}
