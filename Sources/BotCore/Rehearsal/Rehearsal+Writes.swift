import AdapterKit
import CEL
import Rules

extension Rehearsal {
    /// Reads health again for a last look or a slot, unless that was done just now.
    ///
    /// - Returns: why that did not work out.
    mutating func readHealth(at now: Timestamp) -> ZimmerError? {
        if let failure = failures["health"] { return failure }
        guard var reading = health, now - reading.readAt >= WriteExecutor.freshEnough else { return nil }
        reading.readAt = now
        health = reading
        observation.take(reading)
        return nil
    }

    /// Reads windows of costs.
    ///
    /// - Returns: whether there was anything to take.
    mutating func readCosts(_ requests: Set<CostsRequest>, at now: Timestamp) -> Bool {
        var hasTaken = false
        for request in requests {
            switch costs(request, now) {
            case nil: continue
            case .success(let reading):
                observation.take(reading, for: request, localNow: now)
                observation.note(nil, board: nil, skew: .zero)
            case .failure(let error):
                observation.fail(request, error.description)
                observation.note(error, board: nil, skew: .zero)
            }
            hasTaken = true
        }
        return hasTaken
    }

    /// Takes a run's last look, and does what it allows.
    ///
    /// - Returns: false when it does not go on now.
    mutating func write(_ run: Run, at now: Timestamp) -> Bool {
        guard let prepared = rules.rule(run.key.rule) else { return false }
        if memory.pause(of: prepared.name, at: now) != nil {
            return wait(run, .wait("the rule is paused"), word: "pause", at: now)
        }
        guard hasConsent(run, prepared, at: now) else { return false }
        if let write = prepared.write(of: run), !budget.allows(write.cost, within: rules.limit, now: now) {
            return wait(run, .wait("zimmer.limit"), word: Episode.Hold.server.rawValue, at: now)
        }
        if let error = refresh(prepared, for: run, at: now) { return wait(run, .wait(error.description), at: now) }
        let subject: Subject?
        switch self.subject(of: run, prepared, at: now) {
        case .success(let found): subject = found
        case .failure(let stop): return wait(run, stop.look, at: now)
        }
        let world = observation.snapshot(now: now, localNow: now)
        if prepared.write(of: run) == nil, prepared.isPost(at: run) {
            post(run, prepared, subject, world)
            return true
        }
        let look = prepared.lastLook(at: run, subject: subject, world: world, boardInterval: polling.board)
        if case .skip(let reason) = look {
            skip(run, reason, prepared, subject, world)
            return true
        }
        guard case .go(let request) = look else { return wait(run, look, at: now) }
        switch self.target(request.target, at: now) {
        case .failure(let stop): return wait(run, stop.look, at: now)
        case .success(let target):
            if let objection = request.objection(to: target) { return wait(run, objection, at: now) }
            call(request, on: target, of: run, prepared, subject, world)
            return calls[run.key] == nil
        }
    }

    private mutating func skip(
        _ run: Run, _ reason: String, _ prepared: PreparedRule, _ subject: Subject?, _ world: World
    ) {
        var next = run
        next.context.result = nil
        calls[run.key] = nil
        change(at: world.now) { draft in
            draft.skip(run, reason)
            draft.goOn(next, of: prepared, subject: subject, in: world)
        }
    }

    private mutating func refresh(_ prepared: PreparedRule, for run: Run, at now: Timestamp) -> ZimmerError? {
        if prepared.reads.contains("health") || prepared.namesPullRequests, let error = readHealth(at: now) {
            return error
        }
        guard prepared.reads.contains("costs"),
            let request = prepared.costsRequest(slot: run.key.slot?.time),
            observation.readAt(of: request).map({ now - $0 >= WriteExecutor.freshEnough }) ?? true
        else { return nil }
        if case .failure(let error)? = costs(request, now) { return error }
        _ = readCosts([request], at: now)
        return nil
    }

    private func subject(of run: Run, _ prepared: PreparedRule, at now: Timestamp) -> Result<
        Subject?, WriteExecutor.Stop
    > {
        guard prepared.watchable != nil else { return .success(nil) }
        if let kind = ListingKind(rawValue: run.key.subject.type) {
            return subject(run.key.subject, of: kind, prepared, at: now)
        }
        guard run.key.subject.type == "session", let id = Int64(run.key.subject.id) else {
            let world = observation.world(now: now, localNow: now, latest: [run.key.subject])
            return .success(world.latest(run.key.subject, for: prepared))
        }
        return session(id).map { reading in
            prepared.subject(reading, frozen: observation.pullRequestsFrozen(of: reading, now: now))
        }
    }

    /// What a write is to, read by itself.
    func target(_ target: WriteTarget, at now: Timestamp) -> Result<TargetReading, WriteExecutor.Stop> {
        switch target {
        case .zimmer: return .success(.zimmer)
        case .session(let id): return session(id).map { .session($0) }
        case .notification(let id): return row(.notification, id, at: now)
        case .trigger(let id): return row(.trigger, id, at: now)
        case .elicitation(let id): return row(.elicitation, id, at: now)
        }
    }

    private func row(
        _ kind: ListingKind, _ id: Int64, at now: Timestamp
    ) -> Result<TargetReading, WriteExecutor.Stop> {
        if let failure = failures[kind.reader.rawValue] {
            return .failure(.init(look: .wait(failure.description)))
        }
        let subject = kind.subject(String(id))
        guard let listing = observation.listings[kind]?.listing ?? unwatched(kind, now) else {
            return .success(.zimmer)
        }
        guard let row = listing.rows.first(where: { $0.id == subject }) else {
            return .failure(.init(look: .withdrawn("\(subject) is gone")))
        }
        return .success(.row(row.object))
    }

    /// A session read by itself: as the board had it, or as it was when it left.
    func session(_ id: Int64) -> Result<SessionReading, WriteExecutor.Stop> {
        if let failure = failures["board"] { return .failure(.init(look: .wait(failure.description))) }
        if let reading = board?[id] { return .success(reading) }
        if let reading = departed[id] { return .success(reading) }
        return .failure(.init(look: .withdrawn("session \(id) is gone")))
    }

    /// Notes that a run does not write now.
    private mutating func wait(_ run: Run, _ look: LastLook, word: String = "last_look", at now: Timestamp) -> Bool {
        guard let state = look.end(of: run, now: now) else {
            guard case .wait(let reason) = look, run.waitingFor != reason else { return false }
            memory.runs[run.key]?.waitingFor = reason
            note(run, .held(word, reason: reason), at: now)
            return false
        }
        change(at: now) { $0.withhold(run, as: state) }
        return false
    }

    /// Changes what is remembered in one go, and notes what that brought.
    mutating func change(at now: Timestamp, _ body: (inout Draft) -> Void) {
        var draft = Draft(exchange(&memory, with: Memory()), at: now)
        body(&draft)
        rules.suppress(&draft)
        memory = draft.memory
        note(draft.decision, at: now)
        if let pause = draft.decision.pause { wake(at: now + pause) }
    }

    // MARK: - What happened

    mutating func note(_ decision: Decision, at now: Timestamp) {
        for event in decision.events {
            note(Happening(event, of: event.subject.flatMap { memory.rules[event.rule]?.episodes[$0] }))
        }
        let untold = messages.drop(of: decision)
        for post in decision.posts where !post.isUntold(in: untold) { take(post, at: now) }
        for run in decision.runs {
            switch run.state {
            case .withdrawn(let reason): note(run, .told(.withdrawn, reason), at: now)
            case .gaveUp(let reason): note(run, .told(.gaveUp, reason), at: now)
            // Said with the call itself.
            case .done, .refused, .unknown: break
            case .waiting, .writing: enlist(run.key)
            }
            if run.state.isFinished { forget(run.key) }
        }
    }

    /// Runs write in the order in which they started.
    mutating func enlist(_ key: RunKey) {
        guard order[key] == nil else { return }
        counter += 1
        order[key] = counter
    }

    private mutating func forget(_ key: RunKey) {
        order[key] = nil
        calls[key] = nil
        questions[key] = nil
    }

    private mutating func take(_ post: PostDraft, at now: Timestamp) {
        if notesComposed {
            // Whether its end is told hangs on what was held back.
            if post.suppressedBy != nil { _ = messages.take(post, Message(post), delivery, now: now) }
            return note(Message(post), of: post.run, at: now)
        }
        guard delivery.channels[post.channel] != nil else {
            let reason = "there is no channel '\(post.channel)', so this message goes nowhere"
            return note(
                Happening(
                    at: now, rule: post.rule, subject: post.subject?.id, episode: post.run?.episode,
                    what: .told(.withdrawn, reason)))
        }
        let message = Message(post)
        guard let hold = messages.take(post, message, delivery, now: now) else {
            return note(message, of: post.run, at: now)
        }
        let reason = "the message to \(post.channel) waits \(hold.reason)"
        note(
            Happening(
                at: now, rule: post.rule, subject: post.subject?.id, episode: post.run?.episode,
                what: .held(hold.word, reason: reason)))
    }

    mutating func note(_ message: Message, of run: RunKey? = nil, at now: Timestamp) {
        let subject = message.subject.map { SubjectID(type: $0.type, id: $0.id) }
        note(
            Happening(
                at: now, rule: message.rule, subject: subject, episode: message.episode, what: .post(message), run: run)
        )
    }

    mutating func note(_ run: Run, _ what: Happening.What, at now: Timestamp) {
        let key = run.key
        note(
            Happening(
                at: now, rule: key.rule, subject: key.subject, episode: key.episode, what: what, run: key))
    }
}

extension PreparedRule {
    /// A run stands at a post, as one does of which a person is asked.
    fileprivate func isPost(at run: Run) -> Bool {
        let steps = steps(of: run.key.part)
        guard run.step < steps.count, case .post = steps[run.step].action else { return false }
        return true
    }
}
