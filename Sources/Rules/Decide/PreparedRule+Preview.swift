package import CEL

extension PreparedRule {
    /// What a run would do, a line per step, for `plan` and dry runs.
    package func preview(
        _ part: Run.Part, subject: Subject?, _ evaluator: Evaluator, now: Timestamp
    ) -> [String] {
        zip(steps(of: part), stepPreviews(part, subject: subject, evaluator, now: now)).compactMap { step, preview in
            guard preview.skipped != nil else { return preview.text }
            if case .cannotTell(let reason) = evaluator.condition(of: step) { return "nothing: \(reason)" }
            return nil
        }
    }

    /// Every step, with what it would do and whether it would.
    package func stepPreviews(
        _ part: Run.Part, subject: Subject?, _ evaluator: Evaluator, now: Timestamp
    ) -> [StepPreview] {
        steps(of: part).map { step in
            let skipped: String? =
                switch evaluator.condition(of: step) {
                case .holds: nil
                case .fails(let reason), .cannotTell(let reason): reason
                }
            return StepPreview(
                condition: step.condition?.source.onOneLine.trimmed, skipped: skipped,
                text: question(before: step) + text(of: step, subject, evaluator, now: now))
        }
    }

    /// What is asked before a step that has `confirm`.
    private func question(before step: Step) -> String {
        step.confirmation.map { "asks in \($0.channel), then " } ?? ""
    }

    private func text(of step: Step, _ subject: Subject?, _ evaluator: Evaluator, now: Timestamp) -> String {
        let activation = evaluator.activation
        switch step.action {
        case .post(let post):
            return "post \(post.channels(activation).joined(separator: ", ")): \(post.text.render(activation).plain)"
        case .reply(let text): return "reply: \(text.render(activation).plain)"
        case .wait(let duration): return "wait \(duration.humanized)"
        case .write(let write):
            switch write.request(subject: subject, activation, rule: rule, now: now) {
            case .success(let request): return request.description
            case .failure(let reason): return "\(write.name): withdrawn, \(reason.message)"
            }
        }
    }
}
