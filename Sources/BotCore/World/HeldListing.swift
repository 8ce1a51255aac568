import CEL
import Rules

/// The last whole reading of a list as rules see it, and the objects that left it but are still spoken of.
struct HeldListing: Sendable {
    let kind: ListingKind
    private(set) var subjects: Subjects?
    /// The reading itself, for the next one to share.
    private(set) var listing: Listing?
    /// Objects as sent, by id.
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
        var next: [SubjectID: Object] = [:]
        for id in departed.keys { next[id] = objects[id] }
        let all = reading.rows.map { row in
            next[row.id] = row.object
            let before = subject(row.id, session)
            let value = row.object.joined(session)
            let isSame = objects[row.id] === row.object && before?.value.hasSameSession(as: value) ?? false
            return Subject(row.id, about: isSame ? before?.value ?? value : value)
        }
        subjects = Subjects(all, departed: departed, revision: revision)
        listing = reading
        objects = next
    }

    /// A subject as last read.
    func subject(_ id: SubjectID, _ session: (Int64) -> Value) -> Subject? {
        if let subject = subjects?[id] { return subject }
        return objects[id].map { Subject(id, about: $0.joined(session)) }
    }
}

extension Subject {
    /// A decision about what belongs to a session is tied to what that session is about.
    fileprivate init(_ id: SubjectID, about value: Object) {
        var anchor: String?
        if value.type.slot(of: "session") != nil, case .object(let session) = value["session"] {
            anchor = SessionReading(session)?.newestPullRequest
        }
        self.init(id, value, anchor: anchor)
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
