/// Looks through the newest rows of a list, in smaller pages where they are too much for one answer.
struct NewestRows: Sendable {
    /// Of the list in the answer.
    let name: String
    let ask: @Sendable (PageSlice) async throws(ZimmerError) -> ZimmerAnswer

    /// What `look` makes of the first row that it makes something of. Nil when all rows were seen: with one that cannot
    /// be read nobody knows, so that is an error.
    func first<Found: Sendable>(where look: (JSONValue) -> Found?) async throws(ZimmerError) -> Found? {
        let looked = try await first(in: PageSlice(1), PageBudget(maximumKept: .max), look)
        if let found = looked.found { return found }
        if let unread = looked.unread { throw unread }
        return nil
    }

    private struct Look<Found: Sendable>: Sendable {
        var found: Found?
        /// Why a row could not be looked at.
        var unread: ZimmerError?
        /// Nothing comes behind it.
        var isEnd = false
    }

    private func first<Found: Sendable>(
        in slice: PageSlice, _ budget: PageBudget, _ look: (JSONValue) -> Found?
    ) async throws(ZimmerError) -> Look<Found> {
        let failure: ZimmerError
        do throws(ZimmerError) {
            return try await page(slice, budget, look)
        } catch {
            guard budget.mayDivide(slice, because: error) else { throw error }
            failure = error
        }
        guard let parts = slice.parts else { return Look(unread: failure) }
        var result = Look<Found>()
        for part in parts {
            let looked = try await first(in: part, budget, look)
            if looked.found != nil { return looked }
            result.unread = result.unread ?? looked.unread
            result.isEnd = looked.isEnd
            if looked.isEnd { break }
        }
        return result
    }

    private func page<Found: Sendable>(
        _ slice: PageSlice, _ budget: PageBudget, _ look: (JSONValue) -> Found?
    ) async throws(ZimmerError) -> Look<Found> {
        let answer = try await ask(slice)
        try budget.spend(bytes: answer.body.count)
        guard let list = try answer.document().root[name], list.kind == .array else {
            throw ZimmerError(
                .badBody, status: answer.status, message: "Zimmer's answer has no \(name)", requestID: answer.requestID)
        }
        try budget.keep(bytes: 0)
        return Look(found: list.elements.lazy.compactMap(look).first, isEnd: list.count < slice.size)
    }
}
