package import CEL

/// The sessions that are not archived, as one reading of the board saw them.
package struct BoardReading: Sendable {
    /// In Zimmer's order: newest first.
    package let sessions: [SessionReading]
    /// Every page was read, and Zimmer counts as many sessions as there are here.
    package let isWhole: Bool
    /// Why it is not whole, in words; also rows that could not be read.
    package let problem: String?
    package let readAt: Timestamp
    /// Zimmer's clock when it answered.
    package let serverDate: Timestamp?
    /// Rows without an id or a status. They count for `isWhole`.
    package let skippedRows: Int
    /// The value of the variable `board`.
    package let value: Value
    private let indices: [Int64: Int]

    package init(
        sessions: [SessionReading], isWhole: Bool, problem: String?, readAt: Timestamp, serverDate: Timestamp?,
        skippedRows: Int
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
}
