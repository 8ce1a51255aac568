package import CEL

extension PreparedRule {
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
