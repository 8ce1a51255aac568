import CEL
import Rules

/// The last whole reading of a list as rules see it, and the objects that left it but are still spoken of.
struct HeldListing: Sendable {
    let kind: ListingKind
    private(set) var subjects: Subjects?
    /// The reading itself, for the next one to share.
    private(set) var listing: Listing?
    /// By id, each as it was last read, with its session.
    private(set) var objects: [SubjectID: Object]

    /// - Parameter objects: as stored before a restart.
    init(_ kind: ListingKind, objects: [SubjectID: Object] = [:]) {
        self.kind = kind
        self.objects = objects
    }

    /// Takes a whole reading.
    ///
    /// - Parameters:
    ///   - isDecided: the reading before was decided on. One that was not is no `previous`.
    ///   - session: the value of `session` in what belongs to one.
    mutating func take(
        _ reading: Listing, departed: [SubjectID: Departure], revision: UInt64, isDecided: Bool,
        session: (Int64) -> Value
    ) {
        let rows = Dictionary((listing?.rows ?? []).map { ($0.id, $0.object) }) { first, _ in first }
        var next: [SubjectID: Object] = [:]
        for id in departed.keys { next[id] = objects[id] }
        let all = reading.rows.map { row in
            var value = row.object.joined(session)
            if rows[row.id] === row.object, let known = objects[row.id], known.hasSameSession(as: value) {
                value = known
            }
            next[row.id] = value
            return Subject(row.id, about: value, previous: previous(of: row.id, isDecided: isDecided))
        }
        subjects = Subjects(all, departed: departed, revision: revision)
        listing = reading
        objects = next
    }

    private func previous(of id: SubjectID, isDecided: Bool) -> Object? {
        guard let subjects else { return objects[id] }
        return isDecided ? subjects[id]?.value : subjects[id]?.previous
    }
}

extension Subject {
    /// A decision about what belongs to a session is tied to what that session is about.
    fileprivate init(_ id: SubjectID, about value: Object, previous: Object?) {
        var anchor: String?
        if value.type.slot(of: "session") != nil, case .object(let session) = value["session"] {
            anchor = SessionReading(session)?.newestPullRequest
        }
        self.init(id, value, anchor: anchor, previous: previous)
    }
}

extension Object {
    /// With the session that it belongs to, if it belongs to one.
    func joined(_ session: (Int64) -> Value) -> Object {
        guard type.slot(of: "session_id") != nil, let slot = type.slot(of: "session") else { return self }
        var slots = slots
        switch self["session_id"] {
        case .int(let id): slots[slot] = session(id)
        case let unread: slots[slot] = unread
        }
        return Object(type, slots)
    }

    fileprivate func hasSameSession(as other: Object) -> Bool {
        guard type.slot(of: "session") != nil else { return true }
        return switch (self["session"], other["session"]) {
        case (.null, .null): true
        case (.object(let mine), .object(let others)): mine === others
        default: false
        }
    }
}
