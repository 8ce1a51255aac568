package import CEL

/// The sessions that are not archived, as one reading of the board saw them.
package struct BoardReading: Sendable {
    /// In Zimmer's order: newest first.
    package let sessions: [SessionReading]
    /// Every page was read, and Zimmer counts as many sessions as there are here.
    package internal(set) var isWhole: Bool
    /// Why it is not whole, in words; also rows that could not be read.
    package internal(set) var problem: String?
    package internal(set) var readAt: Timestamp
    /// Zimmer's clock when it answered.
    package internal(set) var serverDate: Timestamp?
    /// Rows without an id or a status. They count for `isWhole`.
    package internal(set) var skippedRows: Int
    /// The value of the variable `board`.
    package let value: Value
    private let indices: [Int64: Int]

    package init(
        sessions: [SessionReading], isWhole: Bool = false, problem: String? = nil,
        readAt: Timestamp = Timestamp(seconds: 0), serverDate: Timestamp? = nil, skippedRows: Int = 0
    ) {
        self.sessions = sessions
        self.isWhole = isWhole
        self.problem = problem
        self.readAt = readAt
        self.serverDate = serverDate
        self.skippedRows = skippedRows
        value = .list(sessions.map { .object($0.object) })
        indices = Dictionary(sessions.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(_ id: Int64) -> SessionReading? {
        indices[id].map { sessions[$0] }
    }

    /// The same sessions in the same order, whatever they are by now.
    func hasSameSessions(as other: BoardReading) -> Bool {
        sessions.count == other.sessions.count
            && sessions.indices.allSatisfy { sessions[$0].id == other.sessions[$0].id }
    }

    /// The session of that id, looked for first where it would be if nothing had moved.
    func sessionLikely(at index: Int, _ id: Int64) -> SessionReading? {
        index < sessions.count && sessions[index].id == id ? sessions[index] : self[id]
    }
}
