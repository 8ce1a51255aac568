package import CEL

/// The bot's memory of all sessions, and what turns rows into readings. Pure: the caller says what time it is, on Zimmer's
/// clock.
package struct SessionTracker: Sendable {
    package private(set) var sessions: [Int64: TrackedSession]
    /// The last reading that saw every session.
    package private(set) var lastWholeReading: Timestamp?

    package init(sessions: [Int64: TrackedSession] = [:], lastWholeReading: Timestamp? = nil) {
        self.sessions = sessions
        self.lastWholeReading = lastWholeReading
    }

    /// Notes a write of ours, before it is sent: a `touched_at` that then moves to about this time counts as ours.
    package mutating func willWrite(to session: Int64, at time: Timestamp) {
        sessions[session]?.wroteAt = time
    }

    /// The reading of a board. Sessions of which nothing changed are those of `previous`, shared.
    package mutating func reading(of rows: BoardRows, previous: BoardReading?, at now: Timestamp) -> BoardReading {
        let readings = rows.rows.map { reading(of: $0, previous: previous?[$0.id], at: now) }
        if rows.isWhole {
            lastWholeReading = now
            if sessions.count > readings.count {
                let ids = Set(readings.map(\.id))
                sessions = sessions.filter { ids.contains($0.key) }
            }
        }
        return BoardReading(
            sessions: readings, isWhole: rows.isWhole, problem: rows.problem, readAt: now, serverDate: rows.serverDate,
            skippedRows: rows.skippedRows)
    }

    /// The reading of one session.
    package mutating func reading(of row: SessionRow, previous: SessionReading?, at now: Timestamp) -> SessionReading {
        let known = sessions[row.id]
        let tracked =
            known?.observing(row, at: now, lastWholeReading: lastWholeReading) ?? TrackedSession(row, at: now)
        if tracked != known { sessions[row.id] = tracked }
        if let previous, previous.isStill(row, tracked, at: now) { return previous }
        return SessionReading(row, tracked, at: now)
    }
}
