/// What is worth a line, of calls that no reading stands behind: those of last looks and of details.
///
/// One call can fail for one session and work for the next, so a trouble is over only when there was none for a while.
struct CallNews: Sendable {
    enum Finding: Hashable, Sendable {
        case nothing
        /// This call fails from now on, or in another way.
        case failure
        /// This one no longer does.
        case works
    }

    private struct Trouble {
        /// How it fails, as far as that was said.
        var said: Set<ZimmerError.Code> = []
        var failures = 0
        var last: Duration
    }

    private var troubles: [ZimmerCall: Trouble] = [:]

    /// What became of these is said of the reading that made them.
    private static let ofReadings: Set<ZimmerCall> = [
        .board, .health, .costs, .notifications, .triggers, .backlog, .tools, .elicitations,
    ]
    /// Without a failure.
    private static let calm: Duration = .seconds(300)

    /// - Parameter isOutage: Zimmer as a whole cannot be read, and that was said.
    mutating func note(_ record: CallLog.Record, at elapsed: Duration, isOutage: Bool) -> Finding {
        let call = record.call
        guard ZimmerCall.reads.contains(call), !Self.ofReadings.contains(call) else { return .nothing }
        guard let error = record.error else {
            guard let trouble = troubles[call], elapsed - trouble.last >= Self.calm else { return .nothing }
            troubles[call] = nil
            return trouble.said.isEmpty ? .nothing : .works
        }
        // A session, or what belongs to one, that is gone is an answer like any other.
        if error.code == .notFound, !error.label.isEmpty { return .nothing }
        var trouble = troubles[call] ?? Trouble(last: elapsed)
        defer { troubles[call] = trouble }
        trouble.last = elapsed
        trouble.failures += 1
        // What may be a trouble of Zimmer as a whole is left to the readings, unless they do not find it.
        let isNews = error.trouble == nil || (trouble.failures > 1 && !isOutage)
        return isNews && trouble.said.insert(error.code).inserted ? .failure : .nothing
    }
}
