package import CEL
package import Rules

/// What Zimmer lists beside the board, and rules may watch. Each has a reader of its own.
package enum ListingKind: String, CaseIterable, Sendable {
    case notification, trigger, elicitation, backlog
    /// One object, which is a list of one here.
    case clis

    /// Its name in Zimmer's answer.
    var wireName: String {
        switch self {
        case .notification: "notifications"
        case .trigger: "triggers"
        case .elicitation: "elicitations"
        case .backlog: "work_backlog_items"
        case .clis: "cli_status"
        }
    }

    /// The type of each object.
    var type: ObjectType {
        switch self {
        case .notification: WorldSchema.notification
        case .trigger: WorldSchema.trigger
        case .elicitation: WorldSchema.elicitation
        case .backlog: WorldSchema.backlog
        case .clis: WorldSchema.clis
        }
    }

    /// Its objects belong to sessions, and show them as the board has them.
    var hasSession: Bool { self == .notification || self == .elicitation }

    var watchable: Vocabulary.Watchable {
        Vocabulary.Watchable(rawValue, type, isCollection: self != .clis, hasSession: hasSession)
    }

    func subject(_ id: String) -> SubjectID { SubjectID(type: rawValue, id: id) }
}

/// One reading of such a list.
package struct Listing: Sendable {
    /// One of its objects as Zimmer sent it, the same one from reading to reading while nothing about it changed.
    package struct Row: Sendable {
        package var id: SubjectID
        /// Its `session`, which is not part of the list, is null here.
        package var object: Object
        /// Of the row as sent. Comparable within this process only.
        var digest: UInt64

        /// What it keeps in memory, in bytes, roughly.
        var weight: Int { object.slots.weight }
    }

    package let kind: ListingKind
    /// Distinct by id, in Zimmer's order.
    package internal(set) var rows: [Row] = []
    /// Everything was read, and Zimmer counts as much as there is here.
    package internal(set) var isWhole = false
    /// Why it is not whole, in words; also rows that could not be read.
    package internal(set) var problem: String?
    /// The failure that ended the reading, if one did.
    package internal(set) var error: ZimmerError?
    /// Rows without an id. They count for `isWhole`, and may be any object that is missing.
    package internal(set) var skippedRows = 0
    /// On Zimmer's clock.
    package internal(set) var readAt: Timestamp
    /// Zimmer's clock when it answered.
    package internal(set) var serverDate: Timestamp?
    /// What this Zimmer turned out not to have, or was known not to.
    package internal(set) var lacks: ServerFeature?
    /// Zimmer was asked for it.
    package internal(set) var wasAsked = true
    private var positions: [SubjectID: Int] = [:]

    init(_ kind: ListingKind, readAt: Timestamp) {
        self.kind = kind
        self.readAt = readAt
    }

    /// What is not there to be read; nobody was asked.
    init(_ kind: ListingKind, lacking feature: ServerFeature, readAt: Timestamp) {
        self.init(kind, readAt: readAt)
        lacks = feature
        wasAsked = false
        problem = feature.sentence
    }

    /// A reading that was recorded.
    ///
    /// - Parameter problem: why it is not whole.
    init(_ kind: ListingKind, _ rows: [Row], problem: String?, readAt: Timestamp) {
        self.init(kind, readAt: readAt)
        add(rows)
        isWhole = problem == nil
        self.problem = problem
    }
}

extension Collection<Listing.Row?> {
    /// Of all rows together; one that could not be read is kept as that.
    var weight: Int { reduce(0) { $0 + ($1?.weight ?? 0) + 32 } }
}

extension Listing {
    /// Adds the rows of a page; nil is one without an id. One that is here already was read later, so it is newer.
    mutating func add(_ page: [Row?]) {
        for row in page {
            guard let row else {
                skippedRows += 1
                continue
            }
            if let position = positions[row.id] {
                rows[position] = row
            } else {
                positions[row.id] = rows.count
                rows.append(row)
            }
        }
    }

    /// Says whether everything was read.
    ///
    /// - Parameter totals: what Zimmer counted when it answered the first page and the last.
    mutating func settle(_ totals: [Int64?]) {
        let found = Int64(rows.count + skippedRows)
        if kind == .backlog { rows.removeAll { !$0.isQueued } }
        isWhole = totals.allSatisfy { $0 == found }
        if isWhole { return sayWhatWasSkipped() }
        let counts = totals.map { $0.map(String.init) ?? "?" }.joined(separator: ", then ")
        problem = "found \(found), but Zimmer counts \(counts)"
    }

    mutating func sayWhatWasSkipped() {
        if skippedRows > 0 { problem = "\(skippedRows) without an id were left out" }
    }

    mutating func fail(_ error: ZimmerError) {
        self.error = error
        problem = error.description
        isWhole = false
    }

    /// The whole of a list that is one object.
    mutating func settle(as row: Row) {
        rows = [row]
        isWhole = true
    }
}

extension Listing.Row {
    /// A server that does not know the filter sends the whole backlog.
    fileprivate var isQueued: Bool {
        guard case .string(let status) = object["status"] else { return true }
        return status == "queued"
    }
}
