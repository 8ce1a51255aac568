import CEL
import Rules

extension WriteExecutor {
    /// An object of a list, for a last look: its list is read again, and the session that it belongs to by itself.
    func subject(
        _ id: SubjectID, of kind: ListingKind, _ prepared: PreparedRule
    ) async -> Result<Subject?, Stop> {
        let row: Object
        switch await reread(id, of: kind) {
        case .failure(let stop): return .failure(stop)
        case .success(let found): row = found
        }
        guard kind.hasSession, case .int(let session) = row["session_id"] else { return .success(Subject(id, row)) }
        switch await self.session(session, prepared.details) {
        case .failure(let stop): return .failure(stop)
        case .success(let reading):
            let isOnBoard = reading.status != SessionStatus.archived.rawValue
            let frozen = prepared.namesPullRequests ? await ledger.pullRequestsFrozen(of: reading) : nil
            let seen = prepared.subject(reading, frozen: frozen)
            let value = row.joined { _ in isOnBoard ? .object(seen.value) : .null }
            return .success(Subject(id, value, anchor: seen.anchor))
        }
    }

    private func reread(_ id: SubjectID, of kind: ListingKind) async -> Result<Object, Stop> {
        if kind == .clis, let known = await ledger.young(id, atMost: Self.freshEnough) { return .success(known) }
        let number = await ledger.begin(kind)
        let listing = await listingReader.read(kind, for: ledger, timeout: Self.timeout)
        guard listing.isWhole else { return .failure(Stop(look: .wait(listing.problem ?? "it was not read whole"))) }
        await ledger.note(listing, number: number)
        if let row = listing.rows.first(where: { $0.id == id }) { return .success(row.object) }
        let problem = listing.problem.map { LastLook.wait($0) }
        return .failure(Stop(look: problem ?? .withdrawn("\(id) is gone")))
    }
}
