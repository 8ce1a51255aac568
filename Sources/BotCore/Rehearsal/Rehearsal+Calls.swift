import AdapterKit
import CEL
import Rules

/// Calls to Zimmer that are not made: how each ends is for whoever rehearses to say, what follows from it is for the
/// functions of the ledger.
extension Rehearsal {
    /// A call that has no end yet.
    struct OpenCall: Sendable {
        var attempt: Attempt
        /// Its answer was lost, so what became of it is found out first; else it is made again.
        var isLost: Bool
        /// Not before then.
        var due: Timestamp
    }

    /// Makes a call at which a run stands.
    mutating func call(
        _ request: WriteRequest, on target: TargetReading, of run: Run, _ prepared: PreparedRule, _ subject: Subject?,
        _ world: World
    ) {
        let attempt = begin(request, of: run, at: world.now)
        finish(attempt, outcome(of: attempt, on: target, at: world.now), of: prepared, subject: subject, in: world)
    }

    private mutating func begin(_ request: WriteRequest, of run: Run, at now: Timestamp) -> Attempt {
        let before = calls[run.key]?.attempt
        if before == nil { counter += 1 }
        let attempt = Attempt(
            action: before?.action ?? Int64(counter), run: run.key, request: request, mark: "",
            number: (before?.number ?? 0) + 1, intendedAt: now)
        budget.note(attempt.action, cost: request.cost, at: now)
        if let session = request.target.session { tracker.willWrite(to: session, at: now) }
        beginCall(of: run)
        return attempt
    }

    /// Remembers that a run's call is under way.
    mutating func beginCall(of run: Run) {
        var run = run
        if !run.hasWritten, let value = run.once {
            memory.once.insert(OnceKey(rule: run.key.rule, subject: run.key.subject, value: value))
        }
        run.hasWritten = true
        run.isCalling = true
        run.waitingFor = nil
        memory.runs[run.key] = run
    }

    private mutating func finish(
        _ attempt: Attempt, _ outcome: Attempt.Outcome, of prepared: PreparedRule?, subject: Subject?, in world: World
    ) {
        keep(attempt, outcome, at: world.now)
        note(outcome, of: attempt, at: world.now)
        change(at: world.now) { draft in
            guard let run = draft.memory.runs[attempt.run] else { return }
            draft.conclude(run, outcome, of: prepared, subject: subject, in: world)
        }
    }

    private mutating func keep(_ attempt: Attempt, _ outcome: Attempt.Outcome, at now: Timestamp) {
        switch outcome {
        case .done, .refused, .unknown: calls[attempt.run] = nil
        case .retry(_, let after):
            calls[attempt.run] = OpenCall(attempt: attempt, isLost: false, due: now + (after ?? .zero))
            budget.forget(attempt.action)
        case .unsettled:
            calls[attempt.run] = OpenCall(attempt: attempt, isLost: true, due: now + Attempt.settling)
        }
    }

    private mutating func note(_ outcome: Attempt.Outcome, of attempt: Attempt, at now: Timestamp) {
        if let incident = NoticeBook.Cause(outcome, of: attempt) { incidents.append(incident) }
        let what: Happening.What
        switch outcome {
        // What Zimmer makes of the session is for the readings to say.
        case .done: what = .write(attempt.request)
        case .refused(let reason): what = .told(.refused, "\(attempt.request): \(reason)")
        case .unknown(let reason): what = .told(.unknown, "\(attempt.request): \(reason)")
        // It may be hundreds of times.
        case .retry(let reason, _) where attempt.number == 1: what = .told(.retrying, "\(attempt.request): \(reason)")
        case .retry, .unsettled: return
        }
        let key = attempt.run
        note(Happening(at: now, rule: key.rule, subject: key.subject, episode: key.episode, what: what, run: key))
    }

    // MARK: - How it ends

    private func outcome(of attempt: Attempt, on target: TargetReading, at now: Timestamp) -> Attempt.Outcome {
        if case .nothing(let outcome) = attempt.need(on: target) { return outcome }
        let again = attempt.backOff(1)
        switch fate(attempt.request) {
        case .done: return .done("", result: target.session.map { Snapshot($0.object) })
        case .refused:
            // What is refused because it is so already was done.
            if attempt.request.isState, case .done(let detail, _) = settle(attempt, at: now) { return .done(detail) }
            return .refused(ZimmerError(.refused, status: 422, message: "it is refused in this test").description)
        case .unavailable:
            let error = ZimmerError(.unavailable, status: 503, message: "it cannot be done just now in this test")
            return .retry(error.description, after: again)
        case .lost, .found:
            let outcome = settle(attempt, at: now)
            guard case .retry = outcome else { return outcome }
            return .retry("no answer came", after: again)
        }
    }

    /// Finds out what became of a call whose answer was lost.
    ///
    /// - Returns: whether its run goes on.
    mutating func settle(_ open: OpenCall, at now: Timestamp) -> Bool {
        let key = open.attempt.run
        let outcome = settle(open.attempt, at: now)
        if case .unsettled = outcome { return false }
        let prepared = rules.rule(key.rule)
        let world = observation.world(now: now, localNow: now, latest: [key.subject])
        let subject = prepared.flatMap { world.latest(key.subject, for: $0) }
        finish(open.attempt, outcome, of: prepared, subject: subject, in: world)
        if case .retry = outcome { return false }
        return true
    }

    private func settle(_ attempt: Attempt, at now: Timestamp) -> Attempt.Outcome {
        let age = now - attempt.intendedAt
        if attempt.request.isState {
            if fate(attempt.request) == .found { return .done("read back") }
            switch self.target(attempt.request.target, at: now) {
            case .success(let target): return attempt.settled(by: target, after: age, backOff: attempt.backOff(1))
            case .failure(let stop):
                guard case .wait(let reason) = stop.look else {
                    return attempt.settled(by: nil, after: age, backOff: attempt.backOff(1))
                }
                return attempt.unreadable(reason, after: age)
            }
        }
        if let failure = failures["board"] { return attempt.unreadable(failure.description, after: age) }
        return fate(attempt.request) == .found
            ? .done("found by its mark") : attempt.notFound("nothing with our mark is found", after: age)
    }

    // MARK: - Whose turn it is

    /// Does everything that can be written now, chains to their end.
    ///
    /// A run that only waits for its last look holds up no other, as with the daemon's executor.
    ///
    /// - Parameter left: runs of which it is known otherwise what becomes of them.
    mutating func workOff(at now: Timestamp, leaving left: Set<RunKey> = []) {
        var waiting = left
        while let run = nextWrite(after: waiting, at: now) {
            let goesOn: Bool
            if let open = calls[run.key], open.isLost {
                goesOn = settle(open, at: now)
            } else {
                goesOn = write(run, at: now)
            }
            if !goesOn { waiting.insert(run.key) }
        }
        let dues = calls.values.map(\.due) + questions.values.filter { $0.answer == nil }.map(\.until)
        nextCall = dues.filter { $0 > now }.min()
    }

    private func nextWrite(after waiting: Set<RunKey>, at now: Timestamp) -> Run? {
        memory.runs.values.lazy
            .filter { $0.state == .writing && !waiting.contains($0.key) && !isHeldUp($0, at: now) }
            .min { order[$0.key, default: 0] < order[$1.key, default: 0] }
    }

    /// What became of a call, or when it may be made again, is waited for before anything that started later is written
    /// to that subject.
    private func isHeldUp(_ run: Run, at now: Timestamp) -> Bool {
        if calls.isEmpty { return false }
        if let own = calls[run.key], !own.isLost, own.due > now { return true }
        return calls.contains { key, call in
            key.subject == run.key.subject && order[key, default: 0] < order[run.key, default: 0]
                && (call.isLost || call.due > now)
        }
    }
}
