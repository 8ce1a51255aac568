import CEL

extension Explainer {
    /// Everything that keeps the rule from running here, what matters most first.
    mutating func block() {
        if rule.mode == .off { add(.mode, "mode: off") }
        if rule.mode == .dryRun { add(.mode, "mode: dry_run, nothing is sent or written") }
        if let unsupported { add(.notRun, "'run' does not take this file yet: \(unsupported)") }
        if let until = memory.pause(of: prepared.name, at: now) {
            add(.pause, "a person paused the rule", until: until < Memory.forGood ? until : nil)
        }
        if let text = keyTrouble { add(.key, text) }
        blockByReading()
        blockByEpisode()
        blockByRun()
        blockPosts()
    }

    private mutating func add(_ kind: Explanation.Block.Kind, _ text: String, until: Timestamp? = nil) {
        explanation.blocks.append(Explanation.Block(kind, text, until: until))
    }

    private mutating func blockByReading() {
        if let failed = own?.unreadable {
            add(.reading, "nothing can be decided since \(failed.since.wholeSeconds): \(failed.reason)")
        } else if let reason = evaluator.unavailable() {
            add(.reading, reason)
        }
        if let subject, let untold = own?.untold[subject.id] {
            add(.cannotTell, "cannot be told since \(untold.since.wholeSeconds): \(untold.reason)")
        }
        if let missing = explanation.slots?.missing { add(.slot, "the slot is due and waits: \(missing)") }
    }

    private mutating func blockByEpisode() {
        if own?.awaitsRelease == true, prepared.cost.steps > 0 {
            add(
                .release,
                "the rule is new and matched much at once: 'zimmer-bot release \(prepared.name)' lets it go on")
        }
        guard let episode else { return onceWithoutEpisode() }
        if episode.isResetting { add(.reset, "the rule was changed: what was active stays so without running again") }
        if let since = episode.frozenSince { add(.frozen, "timers stand still since \(since.wholeSeconds)") }
        switch episode.phase {
        case .baseline: add(.baseline, "it held already at first sight ('existing: skip')")
        case .pending:
            let left = episode.since + rule.holdFor - now
            add(.timer, "'for: \(rule.holdFor.brief)' has \(left.brief) left", until: episode.since + rule.holdFor)
        case .keeping, .active: blockByStanding(episode)
        }
        if let person = episode.ackedBy { add(.acked, "acknowledged by \(person): nothing is waited for or repeated") }
    }

    private mutating func blockByStanding(_ episode: Episode) {
        switch episode.standing {
        case .held:
            if let hold = episode.hold { add(hold) }
        case .notRun:
            add(.withdrawn, "withdrawn before it wrote anything: may run again after the condition has been false")
        case .started where !explanation.wouldRun:
            if let hold = episode.hold { add(hold) }
            ran(episode)
        case .started: break
        }
    }

    private mutating func ran(_ episode: Episode) {
        guard let again = rule.again else {
            return add(.ran, "'do' ran in this episode, and runs once in each")
        }
        if episode.repeats >= again.times ?? .max {
            add(.ran, "'do' ran \(episode.repeats + 1) times in this episode, as often as 'repeat' says")
        } else if let ranAt = episode.ranAt, episode.ackedBy == nil {
            add(.timer, "'do' ran; 'repeat' runs it again", until: ranAt + again.every)
        }
    }

    private mutating func add(_ hold: Episode.Hold) {
        switch hold {
        case .perPoll, .perHour, .perSubject, .server:
            let use = explanation.limits.first { $0.freeAt != nil && $0.name.hasPrefix(hold.rawValue) }
            let amount = use.map { ", \($0.used) of \($0.bound) used" } ?? ""
            add(.limit, "held: \(hold.explanation)\(amount)", until: use?.freeAt)
        case .release: break  // Said of the rule.
        case .once: add(.once, "'do' ran before for this value of 'once': \(explanation.once?.value ?? "")")
        case .cannotTell: add(.cannotTell, "held: \(hold.explanation)")
        }
    }

    private mutating func onceWithoutEpisode() {
        guard explanation.onceIsUsed else { return }
        add(.once, "'do' ran before for this value of 'once': \(explanation.once?.value ?? "")")
    }

    /// Runs under way.
    private mutating func blockByRun() {
        let runs = memory.runs.values.filter { run in
            guard run.key.rule == prepared.name else { return false }
            return subject.map { $0.id == run.key.subject } ?? (prepared.watchable == nil)
        }
        for run in runs.sorted(by: { $0.startedAt < $1.startedAt }) where before.runs[run.key] != nil {
            let place = "\(run.key.part.word), step \(run.step + 1)"
            switch run.state {
            case .waiting(let until):
                add(.wait, "\(place) waits", until: until)
                explanation.timers.append(.init(name: "wait", length: until - run.stepSince, end: until))
            case .writing where run.isCalling:
                add(.lastLook, "\(place): the call is under way, or its answer was lost and is looked for")
            case .writing:
                let reason = run.waitingFor ?? "it is taken up at once"
                add(
                    .lastLook,
                    "\(place) waits since \(run.stepSince.wholeSeconds) for a last look that holds: \(reason)",
                    until: run.stepSince + PreparedRule.patience)
            default: break
            }
        }
    }

    /// What holds back messages only.
    private mutating func blockPosts() {
        guard rule.steps.contains(where: { !$0.isWrite }) else { return }
        if let suppressor { add(.suppress, "messages are held: \(suppressor) is active") }
        if let end = rule.quiet?.end(at: world.localNow) { add(.quiet, "messages wait: quiet hours", until: end) }
        if rule.group != nil, let group = evaluator.group() {
            add(
                .group,
                "messages of group \(group.value.dropFirst(2)) wait \(group.wait.brief) for others,"
                    + " \(group.interval.brief) after the one before")
        }
    }

    // MARK: - Limits

    /// How far each limit that bears on this rule is used up.
    func limits() -> [Explanation.Use] {
        let own = memory.recent.all.filter { $0.rule == prepared.name && !$0.part.isResolved }
        let times = own.map { (at: $0.at, cost: 1) }
        var uses = [Self.use("per_hour", times, .seconds(3_600), 1, rule.limit.perHour, now)]
        let startedNow = own.count { $0.at == memory.decidedAt }
        uses.append(
            .init(
                name: "per_poll", used: startedNow, bound: rule.limit.perPoll,
                freeAt: startedNow >= rule.limit.perPoll ? now : nil))
        if let subject {
            let there = own.filter { $0.subject == subject.id }.map { (at: $0.at, cost: 1) }
            uses.append(
                Self.use(
                    "per_subject_per_day", there, .seconds(86_400), 1, rule.limit.perSubjectPerDay, now))
        }
        guard prepared.cost.steps > 0 else { return uses }
        let all = memory.recent.all.map { (at: $0.at, cost: $0.cost) }
        let cost = prepared.cost.steps
        uses.append(Self.use("zimmer.limit per_hour", all, .seconds(3_600), cost, limit.perHour, now))
        uses.append(Self.use("zimmer.limit per_day", all, .seconds(86_400), cost, limit.perDay, now))
        return uses
    }

    /// - Parameter starts: oldest first.
    private static func use(
        _ name: String, _ starts: [(at: Timestamp, cost: Int)], _ span: Duration, _ cost: Int, _ bound: Int,
        _ now: Timestamp
    ) -> Explanation.Use {
        let counted = starts.filter { $0.at > now - span }
        let used = counted.reduce(0) { $0 + $1.cost }
        var left = used
        var free: Timestamp?
        for start in counted where left + cost > bound {
            left -= start.cost
            free = start.at + span
        }
        return Explanation.Use(name: name, used: used, bound: bound, freeAt: free)
    }
}
