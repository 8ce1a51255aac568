package import CEL

extension PreparedRule {
    /// What a rule wants a value for that the host did not read yet.
    package enum Want: Sendable {
        /// To tell whether its condition holds; all other clauses do.
        case toTell
        /// For what it does: the condition holds.
        case toSay
    }

    /// Why a decision about the subject that is bound comes to what was not read; nil when it does not.
    ///
    /// - Parameter isUnread: tells the error that stands for such a value.
    package func want(_ evaluator: Evaluator, _ isUnread: (EvaluationError) -> Bool) -> Want? {
        guard let condition = rule.condition else { return .toSay }
        return switch condition.evaluate(evaluator.activation) {
        case .bool(true): .toSay
        case .error(let error) where isUnread(error): .toTell
        default: nil
        }
    }
}
