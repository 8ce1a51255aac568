package import CEL

extension PreparedRule {
    /// Carries a run forward from its step: composes posts, stops at a wait, at a write (which the host carries out) or
    /// at the end.
    ///
    /// `activation` must be bound to `subject`. The run is appended to the decision as it is afterwards.
    package func advance(
        _ run: inout Run, subject: Subject?, _ activation: Activation, now: Timestamp, isFolded: Bool = false,
        _ decision: inout Decision
    ) {
        let steps = steps(of: run.key.part)
        run.state = .done
        run.stepSince = now
        run.waitingFor = nil
        walk: while run.step < steps.count {
            switch steps[run.step].action {
            case .post(let post):
                for channel in post.channels(activation) {
                    var draft = PostDraft(
                        run: run.key, step: run.step, channel: channel, post: post, subject: subject, at: now,
                        activation)
                    draft.isFolded = isFolded && post.urgency != .high
                    decision.posts.append(draft)
                }
                run.step += 1
            case .wait(let duration):
                run.state = .waiting(until: now + duration)
                decision.wake(after: duration)
                break walk
            case .write:
                run.state = .writing
                break walk
            }
        }
        decision.runs.append(run)
    }

    /// What a run would do, a line per step, for `plan` and dry runs.
    package func preview(
        _ part: Run.Part, subject: Subject?, _ activation: Activation, now: Timestamp
    ) -> [String] {
        steps(of: part).map { step in
            switch step.action {
            case .post(let post):
                "post \(post.channels(activation).joined(separator: ", ")): \(post.text.render(activation).plain)"
            case .wait(let duration):
                "wait \(duration)"
            case .write(let write):
                switch write.request(subject: subject, activation, rule: rule, now: now) {
                case .success(let request): request.description
                case .failure(let reason): "\(write.name): withdrawn, \(reason.message)"
                }
            }
        }
    }
}

extension PostDraft {
    init(
        run: RunKey, step: Int, channel: String, post: Post, subject: Subject?, at: Timestamp, _ activation: Activation
    ) {
        let kind: Kind =
            run.subject.type == Slot.subjectType ? .report : run.part == .resolved ? .resolved : .firing
        self.init(
            run: run, rule: run.rule, step: step, channel: channel, kind: kind, urgency: post.urgency,
            title: post.title?.render(activation), text: post.text.render(activation), subject: subject, at: at)
    }
}

extension Post {
    /// The channels named, or computed: a string, or a list of them. What is neither names none.
    func channels(_ activation: Activation) -> [String] {
        switch target {
        case .channels(let names): names
        case .expression(let program):
            switch program.evaluate(activation) {
            case .string(let name): [name]
            case .list(let names):
                names.compactMap { if case .string(let name) = $0 { name } else { nil } }
            default: []
            }
        }
    }
}
