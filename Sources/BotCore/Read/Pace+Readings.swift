import CEL

// What came of a reading, for the pace of its reader. Times that move by themselves are no news.

extension BoardRows {
    /// - Parameter previous: the last whole reading.
    func outcome(after previous: BoardRows?) -> Pace.Outcome {
        guard isWhole else { return .failed(retryAfter: error?.retryAfter) }
        guard let previous, previous.rows.count == rows.count else { return .moved }
        let isStill = zip(previous.rows, rows).allSatisfy { $0 === $1 || $0.isStill($1) }
        return isStill ? .still : .moved
    }
}

extension SessionRow {
    /// The same but for what Zimmer moves whenever it looks at a session.
    fileprivate func isStill(_ other: SessionRow) -> Bool {
        id == other.id && waitingMarkers == other.waitingMarkers
            && pullRequests.elementsEqual(other.pullRequests) { $0.isStill($1) }
            && Self.telling.allSatisfy { slots[$0].isStill(other.slots[$0]) }
    }

    /// Slots of what is news where it changes.
    private static let telling = SessionField.allCases.filter { field in
        field.detail == nil && field != .updatedAt && field != .customMetadata
    }.map(\.slot)
}

extension PullRequestRow {
    fileprivate func isStill(_ other: PullRequestRow) -> Bool {
        url == other.url && state == other.state && ci == other.ci
            && [PullRequestField.conflict, .labels].allSatisfy { slots[$0.slot].isStill(other.slots[$0.slot]) }
            && authorization.isRecorded == other.authorization.isRecorded
    }
}

extension PullRequestRow.Authorization {
    fileprivate var isRecorded: Bool { if case .none = self { false } else { true } }
}

extension Value {
    /// What cannot be read is no news where it could not be read before.
    fileprivate func isStill(_ other: Value) -> Bool {
        if case .error = self, case .error = other { return true }
        return equals(other)
    }
}

extension Listing {
    /// - Parameter previous: the last whole reading.
    func outcome(after previous: Listing?) -> Pace.Outcome {
        // What this Zimmer does not have is not tried again soon.
        guard isWhole else { return lacks == nil ? .failed(retryAfter: error?.retryAfter) : .still }
        guard let previous, previous.rows.count == rows.count else { return .moved }
        let isStill = zip(previous.rows, rows).allSatisfy { $0.id == $1.id && $0.digest == $1.digest }
        return isStill ? .still : .moved
    }
}

extension HealthReading {
    /// The same trouble as in the other; counters and times may be others.
    func isStill(_ other: HealthReading) -> Bool {
        ["problems", "overall_status", "queue_recovery_mode"].allSatisfy { object[$0].isStill(other.object[$0]) }
    }
}

extension CostsReading {
    /// Nothing was spent since the other.
    func isStill(_ other: CostsReading) -> Bool {
        ["totals", "complete"].allSatisfy { object[$0].isStill(other.object[$0]) }
    }
}
