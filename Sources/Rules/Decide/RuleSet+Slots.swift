package import CEL

extension RuleSet {
    /// Rules with a slot that is due, so that the host can read afresh what they use before it decides.
    ///
    /// - Parameter now: on this machine's clock.
    package func dueSlots(_ memory: Memory, now: Timestamp) -> [(rule: PreparedRule, slot: Slot)] {
        rules.flatMap { prepared -> [(rule: PreparedRule, slot: Slot)] in
            guard prepared.rule.mode != .off, let schedule = prepared.rule.schedule,
                let own = memory.rules[prepared.name], own.meaning == prepared.rule.meaning, let next = own.nextSlot
            else { return [] }
            let due = schedule.due(
                from: next, now: now - prepared.offset, in: prepared.rule.timeZone, missed: prepared.rule.missed)
            let asked = own.askedAt.map { [Slot(time: $0, missed: false)] } ?? []
            return (due.slots + asked).map { (prepared, $0) }
        }
    }

    /// Runs what is due of one schedule. The claim of a slot and the next slot are one change of `memory`.
    func decideSlots(_ prepared: PreparedRule, _ schedule: CronSchedule, _ world: World, _ draft: inout Draft) {
        let (now, zone) = (world.localNow, prepared.rule.timeZone)
        var own = draft.memory.rules[prepared.name] ?? RuleMemory(prepared.rule)
        defer {
            draft.memory.rules[prepared.name] = own
            // One that is due but cannot be told is for whoever reads what it needs to try again.
            if let next = own.nextSlot.map({ $0 + prepared.offset }), next > now {
                draft.decision.wake(after: next - now)
            }
        }
        guard own.meaning == prepared.rule.meaning, let next = own.nextSlot else {
            if let next = own.nextSlot, next <= now {
                draft.note(.missed, "the rule was edited while it was due", of: prepared.name, Slot.subject(next))
            }
            for id in own.episodes.keys {
                draft.decision.episodes.insert(RuleSubject(rule: prepared.name, subject: id))
            }
            let (pausedUntil, askedAt) = (own.pausedUntil, own.askedAt)
            own = RuleMemory(prepared.rule)
            (own.pausedUntil, own.askedAt) = (pausedUntil, askedAt)
            if askedAt != nil { draft.decision.wake(after: .zero) }
            own.isNew = false
            own.nextSlot = schedule.next(after: now, in: zone)
            return
        }
        runAsked(prepared, world, &own, &draft)
        if schedule.isBeyondReach(next, now: now, in: zone) {
            own.nextSlot = schedule.next(after: now, in: zone)
            return
        }
        if world.isClockPutForward, next <= now {
            let reason = "this machine's clock was put forward beyond it"
            draft.note(.missed, reason, of: prepared.name, Slot.subject(next))
            own.unreadable = nil
            own.nextSlot = schedule.next(after: now, in: zone)
            return
        }
        let due = schedule.due(from: next, now: now - prepared.offset, in: zone, missed: prepared.rule.missed)
        if own.pausedUntil.map({ $0 > world.now }) ?? false {
            for time in due.skipped + due.slots.map(\.time) {
                draft.note(.skipped, "the rule is paused", of: prepared.name, Slot.subject(time))
            }
            own.unreadable = nil
            own.nextSlot = due.next
            return
        }
        for time in due.skipped {
            let reason = own.unreadable.map { "could not be told: \($0.reason)" } ?? "the bot was not running"
            draft.note(.missed, reason, of: prepared.name, Slot.subject(time))
        }
        for slot in due.slots {
            if let reason = run(slot, prepared, world, &own, &draft) {
                // It stays due, and is tried again whenever something is decided.
                own.unreadable = RuleMemory.Untold(since: own.unreadable?.since ?? world.now, reason: reason)
                own.nextSlot = slot.time
                return
            }
        }
        own.unreadable = nil
        own.nextSlot = due.next
    }

    /// A wish that cannot be told stays for so long.
    private static let askedFor: Duration = .seconds(3_600)

    /// Runs the slot that a person asked for.
    private func runAsked(
        _ prepared: PreparedRule, _ world: World, _ own: inout RuleMemory, _ draft: inout Draft
    ) {
        guard let asked = own.askedAt else { return }
        guard let reason = run(Slot(time: asked, missed: false), prepared, world, &own, &draft) else {
            own.askedAt = nil
            return
        }
        guard world.localNow - asked >= Self.askedFor else { return }
        own.askedAt = nil
        draft.note(.missed, "was asked for and could not be told: \(reason)", of: prepared.name, Slot.subject(asked))
    }

    /// Decides one slot; says why, when it cannot be told yet.
    private func run(
        _ slot: Slot, _ prepared: PreparedRule, _ world: World, _ own: inout RuleMemory, _ draft: inout Draft
    ) -> String? {
        var evaluator = Evaluator(prepared, world: world, slot: slot)
        if let reason = evaluator.unavailable() ?? world.unread(since: slot, by: prepared) { return reason }
        if let watchable = prepared.watchable {
            guard let subjects = world.standing[watchable.name] else { return "the board has not been read yet" }
            sweep(slot, subjects, prepared, world, &own, &draft)
            return nil
        }
        switch evaluator.outcome() {
        case .no: return nil
        case .cannotTell(let reason): return reason
        case .yes: own.matchedAt = world.now
        }
        let subject = Slot.subject(slot.time)
        guard draft.memory.recent.count(of: prepared.name) < prepared.rule.limit.perHour else {
            draft.note(.missed, Episode.Hold.perHour.explanation, of: prepared.name, subject)
            return nil
        }
        let key = RunKey(rule: prepared.name, subject: subject, key: "", episode: 1, part: .steps)
        if prepared.rule.mode == .live {
            let run = Run(key: key, startedAt: world.now, cost: prepared.cost(of: .steps), once: nil)
            draft.start(run, of: prepared, subject: nil, evaluator)
        } else {
            draft.preview(key, of: prepared, subject: nil, evaluator, RunContext())
        }
        return nil
    }
}

extension World {
    /// Why a slot has to wait for a reading: something that its rule uses was read before it came due.
    fileprivate func unread(since slot: Slot, by prepared: PreparedRule) -> String? {
        func isOld(_ variable: Variable?) -> Bool {
            guard let readAt = variable?.readAt else { return false }
            return localNow - (now - readAt) < slot.time
        }
        for name in prepared.reads.sorted() where name != "costs" {
            if isOld(variables[name]) { return "'\(name)' has not been read since then" }
        }
        for request in prepared.costsRequests(slot: slot.time) where isOld(costs[request]) {
            return "'costs' has not been read since then"
        }
        return nil
    }
}
