package import CEL

extension RuleSet {
    /// Rules with a slot that is due, so that the host can read afresh what they use before it decides.
    ///
    /// - Parameter now: on this machine's clock.
    package func dueSlots(_ memory: Memory, now: Timestamp) -> [(rule: PreparedRule, slot: Slot)] {
        rules.flatMap { prepared -> [(rule: PreparedRule, slot: Slot)] in
            guard prepared.rule.mode != .off, case .schedule(let schedule) = prepared.rule.trigger,
                let own = memory.rules[prepared.name], own.meaning == prepared.rule.meaning, let next = own.nextSlot
            else { return [] }
            let due = schedule.due(from: next, now: now, in: prepared.rule.timeZone, missed: prepared.rule.missed)
            return due.slots.map { (prepared, $0) }
        }
    }

    /// Runs what is due of one schedule. The claim of a slot and the next slot are one change of `memory`.
    func decideSlots(
        _ prepared: PreparedRule, _ schedule: CronSchedule, _ world: World, _ memory: inout Memory,
        _ decision: inout Decision
    ) {
        var own = memory.rules[prepared.name] ?? RuleMemory(prepared.rule)
        defer {
            memory.rules[prepared.name] = own
            // One that is due but cannot be told is for whoever reads what it needs to try again.
            if let next = own.nextSlot, next > world.localNow { decision.wake(after: next - world.localNow) }
        }
        guard own.meaning == prepared.rule.meaning, let next = own.nextSlot else {
            if let next = own.nextSlot, next <= world.localNow {
                decision.events.append(
                    Event(
                        at: world.now, .missed, rule: prepared.name, subject: Slot.subject(next),
                        detail: "the rule was edited while it was due"))
            }
            own = RuleMemory(prepared.rule)
            own.isNew = false
            own.nextSlot = schedule.next(after: world.localNow, in: prepared.rule.timeZone)
            return
        }
        if schedule.isBeyondReach(next, now: world.localNow, in: prepared.rule.timeZone) {
            own.nextSlot = schedule.next(after: world.localNow, in: prepared.rule.timeZone)
            return
        }
        let due = schedule.due(
            from: next, now: world.localNow, in: prepared.rule.timeZone, missed: prepared.rule.missed)
        for time in due.skipped {
            let detail = own.unreadable.map { "could not be told: \($0.reason)" } ?? "the bot was not running"
            decision.events.append(
                Event(at: world.now, .missed, rule: prepared.name, subject: Slot.subject(time), detail: detail))
        }
        for slot in due.slots {
            guard run(slot, prepared, world, &own, &memory, &decision) else {
                // It stays due, and is tried again whenever something is decided.
                own.nextSlot = slot.time
                return
            }
        }
        own.unreadable = nil
        own.nextSlot = due.next
    }

    /// Decides one slot; false when it cannot be told yet.
    private func run(
        _ slot: Slot, _ prepared: PreparedRule, _ world: World, _ own: inout RuleMemory, _ memory: inout Memory,
        _ decision: inout Decision
    ) -> Bool {
        var evaluator = Evaluator(prepared, world: world, slot: slot)
        let subject = Slot.subject(slot.time)
        if let reason = evaluator.unavailable() ?? world.unread(since: slot, by: prepared) {
            own.unreadable = RuleMemory.Untold(since: own.unreadable?.since ?? world.now, reason: reason)
            return false
        }
        switch evaluator.outcome() {
        case .no: return true
        case .cannotTell(let reason):
            own.unreadable = RuleMemory.Untold(since: own.unreadable?.since ?? world.now, reason: reason)
            return false
        case .yes: break
        }
        let hourAgo = world.now - .seconds(3_600)
        guard memory.recent.count(where: { $0.rule == prepared.name && $0.at > hourAgo }) < prepared.rule.limit.perHour
        else {
            decision.events.append(
                Event(
                    at: world.now, .missed, rule: prepared.name, subject: subject,
                    detail: Episode.Hold.perHour.explanation))
            return true
        }
        var run = Run(
            key: RunKey(rule: prepared.name, subject: subject, key: "", episode: 1, part: .steps), startedAt: world.now,
            cost: prepared.cost(of: .steps), once: nil)
        guard prepared.rule.mode == .live else {
            let preview = prepared.preview(.steps, subject: nil, evaluator.activation, now: world.now)
            decision.events.append(
                Event(
                    at: world.now, .would, rule: prepared.name, subject: subject,
                    detail: preview.joined(separator: "\n")))
            return true
        }
        memory.recent.append(
            Memory.Start(at: world.now, rule: prepared.name, subject: subject, part: .steps, cost: run.cost))
        decision.events.append(
            Event(
                at: world.now, .started, rule: prepared.name, subject: subject, episode: 1,
                detail: Run.Part.steps.rawValue, values: evaluator.values()))
        prepared.advance(&run, subject: nil, evaluator.activation, now: world.now, &decision)
        memory.runs[run.key] = run.state.isFinished ? nil : run
        return true
    }
}

extension World {
    /// Why a slot has to wait for a reading: something that its rule uses was read before it came due.
    fileprivate func unread(since slot: Slot, by prepared: PreparedRule) -> String? {
        for name in prepared.reads.sorted() {
            var variable = variables[name]
            if name == "costs", let request = prepared.costsRequest(slot: slot.time) { variable = costs[request] }
            guard let readAt = variable?.readAt else { continue }
            let age = now - readAt
            if localNow - age < slot.time { return "'\(name)' has not been read since then" }
        }
        return nil
    }
}
