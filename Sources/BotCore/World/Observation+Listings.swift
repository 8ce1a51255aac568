import CEL
import Rules

extension Observation {
    /// Takes the reading of a list, whole or not.
    mutating func take(_ reading: Listing, departed: [SubjectID: Departure]) {
        let word = reading.kind.rawValue
        note(.listing(reading, departed: departed))
        guard reading.isWhole else {
            news.insert(word)
            failures[word] = reading.problem ?? "only a part of the list was read"
            return
        }
        let isDecided = noteWhole(word)
        failures[word] = nil
        revision += 1
        var held = listings[reading.kind] ?? HeldListing(reading.kind)
        held.take(reading, departed: departed, revision: revision, isDecided: isDecided) { id in
            session(id, now: reading.readAt)
        }
        listings[reading.kind] = held
    }

    /// A session as the board has it: null when it is not there.
    func session(_ id: Int64, now: Timestamp) -> Value {
        if case .error(let error) = boardVariable(now: now).value { return .error(error) }
        guard let subject = subjects?[SubjectID(type: "session", id: String(id))] else { return .null }
        // It may have been read by itself since.
        return .object(sessions[id] ?? subject.value)
    }

    /// Sessions whose agent waits for the answer to a question; nil while that is not known.
    func asking(now: Timestamp) -> [Int64]? {
        if case .error = boardVariable(now: now).value { return nil }
        return subjects?.all.compactMap { subject in
            guard case .bool(true) = subject.value["blocked_on_elicitation"] else { return nil }
            return Int64(subject.id.id)
        }
    }

    func watched(_ kind: ListingKind) -> Watched {
        listings[kind]?.subjects.map(Watched.whole) ?? .cannotTell("it has not been read yet")
    }

    /// An object of a list as last read.
    func latest(_ id: SubjectID) -> Object? {
        ListingKind(rawValue: id.type).flatMap { listings[$0]?.objects[id] }
    }

    /// What left its list and is still spoken of.
    var departedFromListings: [SubjectID] {
        listings.values.flatMap { $0.subjects.map { Array($0.departed.keys) } ?? [] }
    }
}
