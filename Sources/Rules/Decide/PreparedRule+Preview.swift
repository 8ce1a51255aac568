package import CEL

extension PreparedRule {
    /// What a run would do, a line per step, for `plan` and dry runs.
    package func preview(
        _ part: Run.Part, subject: Subject?, _ evaluator: Evaluator, now: Timestamp
    ) -> [String] {
        let activation = evaluator.activation
        return steps(of: part).compactMap { step in
            switch evaluator.condition(of: step) {
            case .holds: break
            case .fails: return nil
            case .cannotTell(let reason): return "nothing: \(reason)"
            }
            return switch step.action {
            case .post(let post):
                "post \(post.channels(activation).joined(separator: ", ")): \(post.text.render(activation).plain)"
            case .reply(let text): "reply: \(text.render(activation).plain)"
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
