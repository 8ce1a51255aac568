package import CEL
package import Rules

/// A run of `do` or `resolved`, as it happened or as it would have.
package struct Firing: Hashable, Sendable {
    package var at: Timestamp
    package var rule: String
    package var subject: SubjectID
    /// Of a session, if it is known.
    package var title: String?
    package var part: Run.Part
    package var episode: Int
    /// `CHANNEL: TEXT`, those that were composed.
    package var messages: [String] = []
    /// What Zimmer was asked for.
    package var writes: [String] = []
}

/// How what rules would have done differs from what was done.
package struct ReplayReport: Sendable {
    /// What one rule did.
    package struct Counts: Hashable, Sendable {
        package var firings = 0
        package var messages = 0
        package var writes = 0
    }

    package struct RuleCounts: Sendable {
        package var rule: String
        package var then = Counts()
        package var now = Counts()
    }

    /// A run that is started as it was, and does something else.
    package struct Change: Sendable {
        package var then: Firing
        package var now: Firing
    }

    /// A difference that says nothing about the rules.
    package struct Unclear: Sendable {
        package var firing: Firing
        /// It happened, and does not here; else it happens here alone.
        package var hasHappened: Bool
        package var reason: String
    }

    /// What was played.
    package var from: Timestamp
    package var to: Timestamp
    package var polls = 0
    package var rules: [RuleCounts] = []
    /// What would have happened besides, in order.
    package var added: [Firing] = []
    /// What would not have happened, in order.
    package var removed: [Firing] = []
    /// What would have happened otherwise, in order.
    package var changed: [Change] = []
    package var unchanged = 0
    var unchangedByRule: [String: Int] = [:]
    package var notReplayable: [Unclear] = []
    /// What could not be decided on, as it was not recorded.
    package var notes: [String] = []

    package var hasDifferences: Bool { !added.isEmpty || !removed.isEmpty || !changed.isEmpty }
}

/// Why nothing can be replayed, and what to do.
package struct ReplayError: Error, Sendable, CustomStringConvertible {
    package var description: String
    /// The row of the recording that cannot be read, if it is that.
    package var row: Int64?
}

extension ReplayReport {
    /// What of it is about one rule.
    package func about(_ rule: String) -> ReplayReport {
        var report = self
        report.rules.removeAll { $0.rule != rule }
        report.added.removeAll { $0.rule != rule }
        report.removed.removeAll { $0.rule != rule }
        report.changed.removeAll { $0.now.rule != rule }
        report.notReplayable.removeAll { $0.firing.rule != rule }
        report.notes.removeAll { !$0.hasPrefix("rule \(rule):") }
        report.unchanged = unchangedByRule[rule, default: 0]
        return report
    }
}
