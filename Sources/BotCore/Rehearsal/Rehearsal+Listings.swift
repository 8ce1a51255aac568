package import CEL
import Rules

// What Zimmer lists beside the board.
extension Rehearsal {
    /// A list as it was read. What is remembered of it and missing is gone.
    package mutating func take(_ reading: Listing, at now: Timestamp) {
        guard reading.isWhole else {
            let problem = ZimmerError(.badBody, message: reading.problem ?? "only a part of the list was read")
            return fail(reading.kind.reader.rawValue, reading.error ?? problem, at: now)
        }
        pass(to: now)
        failures[reading.kind.reader.rawValue] = nil
        observation.take(reading, departed: memory.departed(from: reading))
        observation.note(nil, board: nil, skew: .zero)
        decide(at: now)
    }

    /// An object of a list, for a last look, with its session as that is now.
    func subject(
        _ id: SubjectID, of kind: ListingKind, _ prepared: PreparedRule, at now: Timestamp
    ) -> Result<Subject?, WriteExecutor.Stop> {
        if let failure = failures[kind.reader.rawValue] {
            return .failure(.init(look: .wait(failure.description)))
        }
        guard let row = observation.listings[kind]?.listing?.rows.first(where: { $0.id == id })?.object else {
            return .failure(.init(look: .withdrawn("\(id) is gone")))
        }
        guard kind.hasSession, case .int(let session) = row["session_id"] else { return .success(Subject(id, row)) }
        return self.session(session).map { reading in
            let frozen = observation.pullRequestsFrozen(of: reading, now: now)
            let subject = prepared.subject(reading, frozen: frozen)
            let isOnBoard = reading.status != SessionStatus.archived.rawValue
            let value = row.joined { _ in isOnBoard ? .object(subject.value) : .null }
            return Subject(id, value, anchor: prepared.namesPullRequests ? reading.newestPullRequest : nil)
        }
    }
}

extension Observation {
    /// Of what is no session, the objects that a process which begins now would find in the store.
    var storedObjects: [SubjectID: Object] {
        var objects = listings.values.reduce(into: [:]) { $0.merge($1.objects) { first, _ in first } }
        if case .object(let health)? = snapshot(now: healthReadAt ?? standing.startedAt, localNow: standing.startedAt)
            .variables["health"]?.value
        {
            objects[Self.healthID] = health
        }
        return objects
    }
}
