import CEL
import Rules

/// One reading with its revision: a number that changes whenever the value does.
struct HeldValue: Sendable {
    var value: Value
    var readAt: Timestamp
    var revision: UInt64
}

extension HeldValue? {
    /// As a variable of rules, for as long as it is not stale.
    func variable(_ name: String, stale: Duration, now: Timestamp) -> World.Variable {
        guard let self else {
            return World.Variable(.error(EvaluationError(.unavailable, "'\(name)' has not been read yet")), revision: 0)
        }
        guard now - self.readAt <= stale else {
            let text = "'\(name)' is stale: last read \(self.readAt.description)"
            return World.Variable(.error(EvaluationError(.unavailable, text)), revision: UInt64.max)
        }
        return World.Variable(self.value, revision: self.revision, readAt: self.readAt)
    }
}
