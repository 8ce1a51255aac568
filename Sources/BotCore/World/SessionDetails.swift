package import CEL

/// What a session's row does not show, by the request that brings it.
package enum SessionDetail: String, CaseIterable, Sendable {
    /// The session's own page: summary, what it waits for, parent and children.
    case page
    case conversation, queue, costs

    /// The value of what was not read, the one instance of it: who comes to this error would have to read.
    package static let unread = EvaluationError(.unavailable, "this was not read of the session yet")

    var fields: [SessionField] { SessionField.allCases.filter { $0.detail == self } }
}

extension SessionField {
    /// What brings it; nil for what is part of the row.
    var detail: SessionDetail? {
        switch self {
        case .summary, .waitingText, .parentID, .children: .page
        case .lastMessage, .lastMessageAt: .conversation
        case .queued, .undelivered: .queue
        case .costUSD: .costs
        default: nil
        }
    }

    /// The field of that name, if it is a detail.
    static func detail(_ name: String) -> SessionDetail? { details[name] }

    private static let details = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { field in field.detail.map { (field.declaration.name, $0) } })
}

/// Details of one session as they were last read.
package struct SessionDetails: Sendable {
    /// What was asked for, in vain or not.
    package private(set) var read: Set<SessionDetail> = []
    package let readAt: Timestamp
    /// Of the row that they were read beside: with another one they say nothing any more.
    let digest: UInt64
    /// Something that could not be read may be read the next time.
    package private(set) var hasFailed = false
    /// Zimmer did not answer at all.
    private(set) var isLost = false
    /// What was wrong with an answer that came.
    private(set) var badAnswer: ZimmerError?
    /// What was found out about this Zimmer: whether it has what was asked for.
    var features: [ServerFeature: Bool] = [:]
    private var values: [SessionField: Value] = [:]

    init(of row: SessionRow, at now: Timestamp) {
        readAt = now
        digest = row.digest
    }

    mutating func take(_ detail: SessionDetail, _ values: [SessionField: Value]) {
        read.insert(detail)
        self.values.merge(values) { $1 }
    }

    mutating func fail(_ detail: SessionDetail, _ error: ZimmerError) {
        hasFailed = hasFailed || error.isTransient
        isLost = isLost || error.code == .transport
        if 200..<300 ~= error.status { badAnswer = badAnswer ?? error }
        let unreadable = Value.error(.unreadable(error.description))
        take(detail, Dictionary(uniqueKeysWithValues: detail.fields.map { ($0, unreadable) }))
    }

    /// All of these were read, or cannot be.
    func answer(_ wanted: Set<SessionDetail>) -> Bool {
        wanted.isSubset(of: read) && !hasFailed
    }

    func fill(_ slots: inout [Value]) {
        for (field, value) in values { slots[field.slot] = value }
    }
}
