import CEL
import Rules

// What follows from a write, wherever it is carried out: the ledger, and a rehearsal, which carries out none.
extension Draft {
    /// Goes on with the next step: composes what comes with the reading of the last look.
    mutating func goOn(_ run: Run, of prepared: PreparedRule, subject: Subject?, in world: World) {
        var run = run
        run.step += 1
        walk(run, of: prepared, subject: subject, in: world)
    }

    /// Goes on with the step at which a run stands, about which a person was asked.
    mutating func goOnAsConfirmed(_ run: Run, of prepared: PreparedRule, subject: Subject?, in world: World) {
        walk(run, of: prepared, subject: subject, in: world, isConfirmed: true)
    }

    private mutating func walk(
        _ run: Run, of prepared: PreparedRule, subject: Subject?, in world: World, isConfirmed: Bool = false
    ) {
        var evaluator = Evaluator(prepared, world: world, slot: run.key.slot)
        if var subject {
            subject.previous = run.context.previous?.object
            evaluator.bind(subject)
        }
        advance(run, of: prepared, subject: subject, evaluator, isConfirmed: isConfirmed)
        withdrawIfEnded(run.key)
    }

    /// What a call's end means for its run.
    ///
    /// - Parameter prepared: its rule, if there is one still.
    mutating func conclude(
        _ run: Run, _ outcome: Attempt.Outcome, of prepared: PreparedRule?, subject: Subject?, in world: World
    ) {
        var run = run
        run.isCalling = false
        switch outcome {
        case .done(_, let result):
            run.context.result = result
            goOn(run, ofLive: prepared, subject: subject, in: world)
        case .refused where continues(after: run, prepared), .unknown where continues(after: run, prepared):
            run.context.result = nil
            goOn(run, ofLive: prepared, subject: subject, in: world)
        case .refused(let reason): finish(run, as: .refused(reason))
        case .unknown(let reason): finish(run, as: .unknown(reason))
        case .retry(let reason, _):
            if now - run.stepSince > PreparedRule.patience { return finish(run, as: .gaveUp(reason)) }
            memory.runs[run.key] = run
            withdrawIfEnded(run.key)
        case .unsettled: break
        }
    }

    /// Passes over the step at which a run stands.
    mutating func skip(
        _ run: Run, _ reason: String, of prepared: PreparedRule?, subject: Subject?, in world: World
    ) {
        skip(run, reason)
        var run = run
        run.context.result = nil
        goOn(run, ofLive: prepared, subject: subject, in: world)
    }

    private mutating func goOn(_ run: Run, ofLive prepared: PreparedRule?, subject: Subject?, in world: World) {
        guard let prepared, prepared.rule.mode == .live else {
            return finish(run, as: .withdrawn("the rule was removed or switched off"))
        }
        goOn(run, of: prepared, subject: subject, in: world)
    }

    /// `on_error: continue` stands beside the step at which a run stands.
    private func continues(after run: Run, _ prepared: PreparedRule?) -> Bool {
        guard let steps = prepared?.steps(of: run.key.part), run.step < steps.count else { return false }
        return steps[run.step].onError == .continue
    }

    /// What was written is said, but nothing more is waited for or written in an episode that ended during the call.
    mutating func withdrawIfEnded(_ key: RunKey) {
        guard memory.hasEnded(key), let run = memory.runs[key] else { return }
        finish(run, as: .withdrawn("the episode ended"))
    }

    /// Ends a run whose last look did not let it write. An episode in which nothing was written counts as not run.
    mutating func withhold(_ run: Run, as state: Run.State) {
        let key = run.key
        finish(run, as: state)
        guard !run.hasWritten, key.part == .steps, !memory.hasEnded(key) else { return }
        memory.rules[key.rule]?.episodes[key.subject]?.standing = .notRun
    }
}

extension LastLook {
    /// How a run ends that this look was the last for; nil while it goes on, or waits and still may.
    func end(of run: Run, now: Timestamp) -> Run.State? {
        switch self {
        case .go, .skip: nil
        case .withdrawn(let reason): .withdrawn(reason)
        case .gaveUp(let reason): .gaveUp(reason)
        case .wait(let reason): now - run.stepSince > PreparedRule.patience ? .gaveUp(reason) : nil
        }
    }
}

extension PreparedRule {
    /// The subject of a last look: of a session that was read just now.
    ///
    /// - Parameter frozen: why nothing may rest on what Zimmer says of its pull requests, if so.
    func subject(_ session: SessionReading, frozen: String?) -> Subject {
        let id = SubjectID(type: "session", id: String(session.id))
        guard namesPullRequests else { return Subject(id, session.object) }
        let object = frozen.map(session.withoutPullRequests) ?? session.object
        return Subject(id, object, anchor: session.newestPullRequest)
    }

    /// The last look, with what only the host knows: checks have to read as they do for one poll of the board.
    ///
    /// Only asked of a condition that holds: checks that say something else by now withdraw the write.
    func lastLook(at run: Run, subject: Subject?, world: World, boardInterval: Duration) -> LastLook {
        let look = lastLook(at: run, subject: subject, world: world, slot: run.key.slot)
        guard case .go = look, namesChecks, let since = subject?.checksSince, world.now - since < boardInterval else {
            return look
        }
        return .wait("CI reads so for less than one poll")
    }
}

extension Observation {
    /// Why no write may rest on what Zimmer says of a session's pull requests; nil when it may
    /// (docs/rules.md, "Last look").
    func pullRequestsFrozen(of session: SessionReading, now: Timestamp) -> String? {
        if session.status == "failed" || session.status == "archived" {
            return "Zimmer does not read pull requests of a session that is \(session.status)"
        }
        guard let health = health(now: now) else { return "health is not known" }
        switch health.arePullRequestsFrozen {
        case nil: return "Zimmer does not say whether its pollers run"
        case true?: return "Zimmer's pollers stand still (queue recovery mode, or paused)"
        case false?: return nil
        }
    }
}
