package import CEL
package import Rules

/// What the rules of a file missed by one clause in the last week that was recorded, for `status --rules`.
package struct NearMissReport: Sendable {
    /// What was looked at: the week before the last decision, or as much of it as is recorded and can be read.
    package var from: Timestamp?
    package var to: Timestamp?
    package var recordedSince: Timestamp?
    /// Rules that had something to look at, in the order of the file.
    package var rules: [NearMisses] = []
    /// Why nothing was looked at, or less than there is.
    package var note: String?

    private static let week: Duration = .seconds(7 * 86_400)

    /// A whole week was looked at.
    package var isWhole: Bool { span.map { $0 >= Self.week } ?? false }

    package var span: Duration? {
        guard let from, let to else { return nil }
        return to - from
    }
}

extension NearMissReport {
    /// Reads the recording in a state directory, beside a running bot too. What is wrong with it becomes a note.
    ///
    /// - Parameter progress: told how far it is, from 0 to 1.
    package init(_ file: RuleFile, in directory: StateDirectory, progress: (Double) -> Void = { _ in }) {
        do {
            try read(Recording(directory), file, progress)
        } catch {
            note = "\(error)"
        }
    }

    private mutating func read(_ recording: Recording, _ file: RuleFile, _ progress: (Double) -> Void) throws {
        recordedSince = recording.starts.lazy.map(\.at).min()
        guard let last = try recording.lastDecision() else { return }
        let since = last - Self.week
        var walk = NearMissWalk(file, from: try recording.beginning(before: since).start, since: since)
        while let next = try go(&walk, recording, progress) { walk = NearMissWalk(file, from: next, since: since) }
        guard let looks = walk.looks else {
            note = note ?? "no reading is recorded yet"
            return
        }
        // Before Zimmer's first answer places to begin at go by this machine's clock, which may be ahead.
        let begin = min(walk.start.at, looks.first)
        recordedSince = recordedSince.map { min($0, begin) }
        from = max(since, begin)
        to = looks.last
        rules = try walk.search.nearMisses().map { try PastStore(recording.database).unfired($0, since: since) }
    }

    /// Goes through the recording to its end.
    ///
    /// - Returns: where to begin instead, behind what cannot be read.
    private mutating func go(
        _ walk: inout NearMissWalk, _ recording: Recording, _ progress: (Double) -> Void
    ) throws -> HistoryStore.Start? {
        do {
            try recording.entries(from: walk.start, progress: progress) { _, entry in
                walk.take(entry)
                return true
            }
            return nil
        } catch let error as ReplayError {
            guard let row = error.row else { throw error }
            let next = recording.starts.first { $0.id > row }
            let left = next == nil ? "from there on" : "up to there"
            note = "row \(row) of what was recorded cannot be read: nothing \(left) was looked at"
            return next
        }
    }
}

/// Makes the world of each recorded decision again, and looks at it.
private struct NearMissWalk {
    let start: HistoryStore.Start
    private(set) var search: NearMissSearch
    /// The earliest by its date, which is not the first where that was dated by this machine's clock; and the last.
    private(set) var looks: (first: Timestamp, last: Timestamp)?
    private let since: Timestamp
    private let freshness: Observation.Freshness
    private var observation: Observation

    /// - Parameter since: what was before is read, not looked at.
    init(_ file: RuleFile, from start: HistoryStore.Start, since: Timestamp) {
        self.start = start
        self.since = since
        search = NearMissSearch(RuleSet(file.rules))
        freshness = (file.zimmer?.polling ?? ZimmerSettings.Polling()).freshness
        observation = Observation(freshness: freshness, startedAt: start.at)
    }

    mutating func take(_ entry: HistoryEntry) {
        switch entry {
        case .state(let now, let held):
            for item in held { observation.take(item, localNow: now) }
            observation.decided(keeping: [])
        case .decision(let decision): take(decision)
        case .act: break
        }
    }

    private mutating func take(_ decision: RecordedDecision) {
        if let startedAt = decision.startedAt {
            observation = Observation(
                freshness: freshness, startedAt: startedAt, sessions: observation.sessions,
                objects: observation.storedObjects)
            search.restart()
        }
        for item in decision.intake { observation.take(item, localNow: decision.localNow) }
        if decision.now >= since {
            search.look(at: observation.world(now: decision.now, localNow: decision.localNow, latest: []))
            looks = (min(looks?.first ?? decision.now, decision.now), decision.now)
        }
        observation.decided(keeping: [])
    }
}

extension PastStore {
    /// Without the subjects that the rule ran for all the same, as it was then.
    fileprivate func unfired(_ misses: NearMisses, since: Timestamp) throws -> NearMisses {
        guard !misses.near.isEmpty else { return misses }
        let fired = try subjects(of: misses.rule, since: since)
        var misses = misses
        misses.near.removeAll { fired.contains($0.subject) }
        return misses
    }
}
