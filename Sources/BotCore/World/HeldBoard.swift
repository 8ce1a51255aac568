import CEL
import Rules

/// The last whole reading of the board as rules see it, and the sessions that left it but are still spoken of.
struct HeldBoard: Sendable {
    private(set) var subjects: Subjects?
    /// The value of `board`.
    private(set) var held: HeldValue?
    /// Sessions as last read, by id.
    private(set) var sessions: [Int64: Object]
    /// All of those are as the last whole reading saw them.
    private var areFromBoard = false
    /// Sessions in the last whole reading before this process began; dropped with the first one in it.
    private var restored: [Int64: Object]

    /// - Parameter sessions: as last read before a restart.
    init(sessions: [Int64: Object]) {
        self.sessions = sessions
        restored = sessions
    }

    /// Takes a whole reading.
    ///
    /// - Parameter isDecided: the reading before was decided on. One that was not is no `previous`.
    /// - Complexity: a comparison of references for each session, where they are those of the reading before.
    mutating func take(
        _ reading: BoardReading, departed: [SubjectID: Departure], revision: UInt64, isDecided: Bool
    ) {
        let changes = changes(in: reading)
        if let changes {
            subjects?.move(changes, departed: departed, revision: revision, isDecided: isDecided)
        } else {
            subjects = subjects(of: reading, departed: departed, revision: revision, isDecided: isDecided)
        }
        if let changes, departed.isEmpty, areFromBoard {
            for change in changes { sessions[reading.sessions[change.index].id] = change.value }
        } else {
            keep(reading, departed)
        }
        areFromBoard = departed.isEmpty
        restored = [:]
        let isSame = changes?.isEmpty ?? false
        held = HeldValue(
            value: reading.value, readAt: reading.readAt, revision: isSame ? held?.revision ?? revision : revision)
    }

    /// A session that was read by itself, for a last look or because it left the board.
    mutating func note(_ object: Object, of session: Int64) {
        sessions[session] = object
        areFromBoard = false
    }

    /// A session in the last whole reading.
    func previous(of session: Int64) -> Object? {
        guard let subjects else { return restored[session] }
        return subjects[SubjectID(type: "session", id: String(session))]?.value
    }

    /// What differs from the last whole reading; nil when other sessions were read, or in another order.
    private func changes(in reading: BoardReading) -> [Subjects.Change]? {
        guard let all = subjects?.all, all.count == reading.sessions.count else { return nil }
        var changes: [Subjects.Change] = []
        for index in all.indices where all[index].value !== reading.sessions[index].object {
            let session = reading.sessions[index]
            guard all[index].session == session.id else { return nil }
            changes.append(Subjects.Change(index: index, value: session.object, anchor: session.newestPullRequest))
        }
        return changes
    }

    private func subjects(
        of reading: BoardReading, departed: [SubjectID: Departure], revision: UInt64, isDecided: Bool
    ) -> Subjects {
        var changed: [Int] = []
        let all = reading.sessions.enumerated().map { index, session in
            let id = SubjectID(type: "session", id: String(session.id))
            let known = subjects?[id]
            let before = subjects == nil ? restored[session.id] : isDecided ? known?.value : known?.previous
            if before !== session.object { changed.append(index) }
            return Subject(id, session.object, anchor: session.newestPullRequest, previous: before)
        }
        let base = isDecided ? subjects?.revision : nil
        return Subjects(all, departed: departed, revision: revision, changed: base.map { ($0, changed) })
    }

    /// What just left the board is kept as it was last read, for what is still to be said about it.
    private mutating func keep(_ reading: BoardReading, _ departed: [SubjectID: Departure]) {
        var kept: [Int64: Object] = [:]
        kept.reserveCapacity(reading.sessions.count)
        for session in reading.sessions { kept[session.id] = session.object }
        for id in departed.keys {
            guard let number = Int64(id.id), let last = sessions[number] else { continue }
            kept[number] = last
        }
        sessions = kept
    }
}
