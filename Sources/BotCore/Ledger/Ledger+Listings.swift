import CEL
package import Rules

extension Ledger {
    /// Numbers a reading of a list that begins now.
    package func begin(_ kind: ListingKind) -> Int {
        listings[kind, default: ReadingOrder()].begin()
    }

    /// The last whole reading of a list, whose objects the next one shares.
    package func listing(_ kind: ListingKind) -> Listing? {
        observation.listings[kind]?.listing
    }

    /// An object of a list as it was read no longer ago than that.
    func young(_ id: SubjectID, atMost age: Duration) -> Object? {
        guard let listing = ListingKind(rawValue: id.type).flatMap(listing), instant() - listing.readAt <= age else {
            return nil
        }
        return listing.rows.first { $0.id == id }?.object
    }

    /// Sessions whose agent waits for the answer to a question; nil while the board is not known.
    package func asking() -> [Int64]? {
        observation.asking(now: instant())
    }

    /// Takes the reading of a list, and decides on it.
    ///
    /// - Parameter number: from `begin`. One that took so long that a later one came first says nothing any more.
    package func take(_ reading: Listing, from reader: String, number: Int) throws -> Decision {
        guard note(reading, number: number) else { return try tick() }
        note(
            reading: reader, error: reading.error, problem: reading.isWhole ? nil : reading.problem,
            wasAsked: reading.wasAsked, at: reading.readAt)
        if reading.isWhole { readers[reader]?.skippedRows = reading.skippedRows }
        return try decide(Observed())
    }

    /// Takes the reading of a list that a last look asked for.
    ///
    /// - Returns: whether it came in time.
    @discardableResult
    func note(_ reading: Listing, number: Int) -> Bool {
        if listings[reading.kind]?.isLate(number) == true { return false }
        if reading.isWhole { listings[reading.kind]?.take(number) }
        let before = observation.listings[reading.kind]?.objects ?? [:]
        observation.take(reading, departed: memory.departed(from: reading))
        let after = observation.listings[reading.kind]?.objects ?? [:]
        // Stored with the next decision.
        for (id, object) in after where before[id] !== object { unsaved.objects[id] = .some(object) }
        for id in before.keys where after[id] == nil { unsaved.objects[id] = .some(nil) }
        return true
    }
}
