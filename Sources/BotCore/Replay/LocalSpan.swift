import CEL

/// What is replayed, by this machine's clock, by which messages are dated; the recording tells both.
struct LocalSpan {
    /// Nil until something is compared.
    private(set) var start: Timestamp?
    /// What is not replayed any more begins there; nil where everything is.
    private(set) var end: Timestamp?
    /// This machine's clock minus Zimmer's, at the last decision.
    private(set) var offset: Duration = .zero

    /// - Parameter from: where the comparison begins, of a decision that is compared.
    mutating func note(_ decision: RecordedDecision, from: Timestamp?) {
        offset = decision.localNow - decision.now
        if start == nil, let from { start = from + offset }
    }

    mutating func end(with entry: HistoryEntry) {
        if case .decision(let decision) = entry { end = decision.localNow } else { end = entry.at + offset }
    }
}
