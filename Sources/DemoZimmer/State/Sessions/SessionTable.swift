/// All sessions, with what answering about them again costs nothing: encoded rows and the last list.
package struct SessionTable: Sendable {
    private struct Row: Sendable {
        var session: Session
        var encoded: [UInt8]?
    }

    private var rows: [Int: Row] = [:]
    private var newestFirst: [Int]?
    private var lastSelection: (filter: SessionFilter, ids: [Int])?
    /// Moves with every change to any session.
    package private(set) var revision = 0
    /// Whose form the rows have.
    var generation = Generation.today {
        didSet {
            for id in rows.keys { rows[id]?.encoded = nil }
            revision += 1
        }
    }

    package subscript(id: Int) -> Session? {
        get { rows[id]?.session }
        set {
            let old = rows[id]?.session
            if old?.createdAt != newValue?.createdAt { newestFirst = nil }
            rows[id] = newValue.map { Row(session: $0) }
            lastSelection = nil
            revision += 1
        }
    }

    package var count: Int { rows.count }

    /// Newest first, as the default order is.
    package var all: [Session] { sortedIDs().compactMap { rows[$0]?.session } }

    package var ids: [Int] { sortedIDs() }

    /// The session of that id or slug.
    func id(_ text: String) -> Int? {
        if let id = Int(text) { return rows[id] == nil ? nil : id }
        return rows.values.first { $0.session.slug == text }?.session.id
    }

    /// Forgets what was encoded: time alone changed what the row says.
    mutating func touch(_ id: Int) {
        rows[id]?.encoded = nil
        lastSelection = nil
        revision += 1
    }

    /// The ids that pass, newest first.
    ///
    /// - Complexity: O(sessions), once per filter and change.
    mutating func select(_ filter: SessionFilter, at now: ServerTime) -> [Int] {
        if let lastSelection, lastSelection.filter == filter { return lastSelection.ids }
        newestFirst = sortedIDs()
        let ids = (newestFirst ?? []).filter { id in
            rows[id].map { filter.admits($0.session, at: now) } ?? false
        }
        lastSelection = (filter, ids)
        return ids
    }

    /// The row as it goes out.
    mutating func encodedRow(_ id: Int, at now: ServerTime) -> JSON {
        guard let row = rows[id] else { return .null }
        if let encoded = row.encoded { return .encoded(encoded) }
        let bytes = row.session.json(at: now, as: generation).bytes
        rows[id]?.encoded = bytes
        return .encoded(bytes)
    }

    private func sortedIDs() -> [Int] {
        newestFirst
            ?? rows.map { ($0.value.session.createdAt, $0.key) }.sorted { $0 > $1 }.map(\.1)
    }
}

/// What `GET /sessions` narrows by. A word it does not know narrows nothing, as in Zimmer.
struct SessionFilter: Sendable, Hashable {
    var statuses: [String] = []
    var showsArchived = false
    var agentRuntime: String?
    var priorityClass: String?
    var genesis: String?
    var visibility: String?
    /// A substring of the title or the metadata, lower-case.
    var text: String?

    func admits(_ session: Session, at now: ServerTime) -> Bool {
        guard showsArchived || session.status != .archived else { return false }
        guard statuses.isEmpty || statuses.contains(session.status.rawValue) else { return false }
        if let agentRuntime, session.agentRuntime != agentRuntime { return false }
        if let priorityClass, session.priorityClass != priorityClass { return false }
        if let genesis, session.genesis != genesis { return false }
        if let visibility, (session.effectiveVisibility(at: now) == .visible) != (visibility == "on_board") {
            return false
        }
        guard let text else { return true }
        let haystack = [
            session.title ?? "", String(decoding: session.metadata.bytes, as: UTF8.self),
            String(decoding: session.allCustomMetadata.bytes, as: UTF8.self),
        ]
        return haystack.contains { $0.lowercased().contains(text) }
    }
}
