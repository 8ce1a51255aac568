package import CEL

/// What a decision rested on, for the audit trail.
package struct Evidence: Sendable {
    /// The values that the condition read, by the expression that read them.
    package var values: [String: Value]
    package var clause: Clause?

    package init(values: [String: Value] = [:], clause: Clause? = nil) {
        self.values = values
        self.clause = clause
    }
}

extension Evaluator {
    /// Of the subject that is bound.
    func evidence() -> Evidence {
        Evidence(values: values(), clause: clause())
    }
}

extension PreparedRule {
    /// What a last look at this run's subject rests on.
    package func evidence(at run: Run, subject: Subject?, world: World) -> Evidence {
        var evaluator = Evaluator(self, world: world, slot: run.key.slot)
        if var subject {
            subject.previous = run.context.previous?.object
            evaluator.bind(subject)
        }
        return evaluator.evidence()
    }
}
