package import CEL

/// A decision in the making: what is remembered and what is decided, which only ever change together.
package struct Draft {
    /// The instant of the decision, on Zimmer's clock.
    package let now: Timestamp
    package var memory: Memory
    package var decision = Decision()

    package init(_ memory: consuming Memory, at now: Timestamp) {
        self.memory = memory
        self.now = now
    }

    mutating func note(
        _ kind: Event.Kind, _ detail: String, of rule: String, _ subject: SubjectID? = nil, episode: Int? = nil,
        values: [String: Value] = [:]
    ) {
        decision.events.append(
            Event(at: now, kind, rule: rule, subject: subject, episode: episode, detail: detail, values: values))
    }

    /// Notes what a rule does about the subject that `evaluator` is bound to, with what that rests on.
    mutating func note(
        _ kind: Event.Kind, _ detail: String, of rule: String, _ subject: SubjectID?, episode: Int? = nil,
        _ evaluator: Evaluator
    ) {
        // Thousands may begin at once: how the condition came about is kept of the first of them.
        let clause = decision.events.count < Self.explained ? evaluator.clause() : nil
        decision.events.append(
            Event(
                at: now, kind, rule: rule, subject: subject, episode: episode, detail: detail,
                values: evaluator.values(), clause: clause))
    }

    private static let explained = 200

    package mutating func use(_ key: OnceKey) {
        if memory.once.insert(key).inserted { decision.once.append(key) }
    }

    /// An episode begins to run under this number, which is never used again.
    mutating func take(_ number: Int, of identity: RuleSubject) {
        memory.numbers[identity] = number
        decision.numbers[identity] = number
    }

    // MARK: - Runs

    /// Starts a run, which from then on counts for the limits.
    ///
    /// - Parameter evaluator: bound to `subject`.
    mutating func start(
        _ run: Run, of prepared: PreparedRule, subject: Subject?, _ evaluator: Evaluator, isFolded: Bool = false
    ) {
        let key = run.key
        memory.recent.append(
            Memory.Start(at: now, rule: key.rule, subject: key.subject, part: key.part, cost: run.cost))
        note(.started, key.part.word, of: key.rule, key.subject, episode: key.episode, evaluator)
        advance(run, of: prepared, subject: subject, evaluator, isFolded: isFolded)
    }

    /// What a dry run says in place of `start`.
    mutating func preview(
        _ key: RunKey, of prepared: PreparedRule, subject: Subject?, _ evaluator: Evaluator, _ context: RunContext
    ) {
        var evaluator = evaluator
        evaluator.bind(context)
        let steps = prepared.preview(key.part, subject: subject, evaluator, now: now)
        note(.would, steps.joined(separator: "\n"), of: key.rule, key.subject, evaluator)
    }

    /// Carries a run forward from its step: composes posts, stops at a wait, at a write (which the host carries out) or
    /// at the end.
    ///
    /// - Parameters:
    ///   - evaluator: bound to `subject`.
    ///   - isConfirmed: a person who was asked about this step said yes.
    package mutating func advance(
        _ run: Run, of prepared: PreparedRule, subject: Subject?, _ evaluator: Evaluator, isFolded: Bool = false,
        isConfirmed: Bool = false
    ) {
        var run = run
        var evaluator = evaluator
        let confirmed = isConfirmed ? run.step : nil
        evaluator.bind(run.context)
        let steps = prepared.steps(of: run.key.part)
        run.state = .done
        run.stepSince = now
        run.waitingFor = nil
        walk: while run.step < steps.count {
            let step = steps[run.step]
            // That of a write belongs to its last look.
            guard step.isWrite || isWanted(step, run, evaluator) else {
                run.step += 1
                continue
            }
            switch step.action {
            // Asking is for the host, as writing is.
            case .post where step.confirmation != nil && run.step != confirmed:
                run.state = .writing
                break walk
            case .post(let post):
                compose(post, run, subject, evaluator, isFolded: isFolded)
                run.step += 1
            // Of rules that nothing calls yet.
            case .reply: run.step += 1
            case .wait(let duration):
                run.state = .waiting(until: now + duration)
                decision.wake(after: duration)
                break walk
            case .write:
                run.state = .writing
                break walk
            }
        }
        memory.runs[run.key] = run.state.isFinished ? nil : run
        decision.runs.append(run)
    }

    private mutating func isWanted(_ step: Step, _ run: Run, _ evaluator: Evaluator) -> Bool {
        switch evaluator.condition(of: step) {
        case .holds: return true
        case .fails(let reason), .cannotTell(let reason):
            skip(run, reason)
            return false
        }
    }

    /// Says that the step at which a run stands is passed over.
    package mutating func skip(_ run: Run, _ reason: String) {
        note(
            .skipped, "step \(run.step + 1): \(reason)", of: run.key.rule, run.key.subject, episode: run.key.episode)
    }

    private mutating func compose(
        _ post: Post, _ run: Run, _ subject: Subject?, _ evaluator: Evaluator, isFolded: Bool
    ) {
        for channel in post.channels(evaluator.activation) {
            var draft = PostDraft(
                run: run.key, step: run.step, channel: channel, post: post, subject: subject, at: now, evaluator)
            draft.isFolded = isFolded && post.urgency != .high
            decision.posts.append(draft)
        }
    }

    /// Ends a run where it stands.
    package mutating func finish(_ run: Run, as state: Run.State) {
        var run = run
        run.state = state
        run.stepSince = now
        memory.runs[run.key] = nil
        decision.runs.append(run)
    }
}
