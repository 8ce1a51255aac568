package import CEL

/// The bot's memory of all sessions, and what turns rows into readings. Pure: the caller says what time it is, on Zimmer's
/// clock.
package struct SessionTracker: Sendable {
    package private(set) var sessions: [Int64: TrackedSession]
    /// The last reading that saw every session.
    package private(set) var lastWholeReading: Timestamp?
    /// What was read beyond the rows, by session. Not stored: after a start it is read again.
    private(set) var details: [Int64: SessionDetails] = [:]

    package init(sessions: [Int64: TrackedSession] = [:], lastWholeReading: Timestamp? = nil) {
        self.sessions = sessions
        self.lastWholeReading = lastWholeReading
    }

    /// Notes a write of ours, before it is sent: a `touched_at` that then moves to about this time counts as ours.
    package mutating func willWrite(to session: Int64, at time: Timestamp) {
        sessions[session]?.wroteAt = time
    }

    /// What to remember of a session from now on, where somebody knows better.
    mutating func remember(_ tracked: TrackedSession, of session: Int64) {
        sessions[session] = tracked
    }

    /// Notes what was read beyond a session's row; the next reading of that row shows it.
    mutating func note(_ details: SessionDetails, of session: Int64) {
        self.details[session] = details
    }

    /// The reading of a board. Sessions of which nothing changed are those of `previous`, shared; `previous` came from
    /// this tracker, or from the store.
    package mutating func reading(of rows: BoardRows, previous: BoardReading?, at now: Timestamp) -> BoardReading {
        var readings: [SessionReading] = []
        readings.reserveCapacity(rows.rows.count)
        var isSame = previous?.sessions.count == rows.rows.count
        for (index, row) in rows.rows.enumerated() {
            let old = previous.flatMap { $0.sessionLikely(at: index, row.id) }
            let reading = reading(of: row, previous: old, at: now)
            isSame = isSame && previous?.sessions[index].object === reading.object
            readings.append(reading)
        }
        if rows.isWhole { forget(allBut: readings, at: now) }
        var next = previous.flatMap { isSame ? $0 : nil } ?? BoardReading(sessions: readings)
        next.isWhole = rows.isWhole
        next.problem = rows.problem
        next.readAt = now
        next.serverDate = rows.serverDate
        next.skippedRows = rows.skippedRows
        return next
    }

    private mutating func forget(allBut readings: [SessionReading], at now: Timestamp) {
        lastWholeReading = now
        if !details.isEmpty {
            let ids = Set(readings.map(\.id))
            // What left the board is spoken of once more.
            details = details.filter { ids.contains($0.key) || now - $0.value.readAt < .seconds(600) }
        }
        guard sessions.count > readings.count else { return }
        let ids = Set(readings.map(\.id))
        sessions = sessions.filter { ids.contains($0.key) }
    }

    /// The reading of one session.
    package mutating func reading(of row: SessionRow, previous: SessionReading?, at now: Timestamp) -> SessionReading {
        let index = sessions.index(forKey: row.id)
        let details = details[row.id].flatMap { $0.digest == row.digest ? $0 : nil }
        if index != nil, let previous, previous.isStill(row, details, at: now) { return previous }
        let known = index.map { sessions.values[$0] }
        let tracked =
            known?.observing(row, at: now, lastWholeReading: lastWholeReading) ?? TrackedSession(row, at: now)
        if tracked != known { sessions[row.id] = tracked }
        return SessionReading(row, tracked, details, at: now)
    }
}
