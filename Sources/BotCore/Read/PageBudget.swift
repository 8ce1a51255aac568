import Synchronization

/// What one reading of a list may cost, however many pages it has, and which stretches of it are asked for in smaller pages.
final class PageBudget: Sendable {
    private struct State {
        var bytes = PageBudget.maximumBytes
        var kept: Int
        var splits = PageBudget.maximumSplits
        var isAnythingRead = false
        var unreadableRows = 0
        /// Stretches that were too much for one answer, with the number of readings for which they are taken for it.
        var tooLarge: [PageSlice: Int]
    }

    private let state: Mutex<State>

    /// All bodies of one reading together: 10,000 sessions of 25 kB.
    static let maximumBytes = 256 << 20
    /// Each comes to four or five requests more.
    static let maximumSplits = 30
    /// As many in a row and nothing else: then it is not the rows that break the answers.
    static let maximumUnreadableRows = 5
    /// At the usual interval ten minutes.
    private static let memory = 20

    /// - Parameters:
    ///   - tooLarge: what the reading before knew.
    ///   - maximumKept: bytes in memory, of what was made of the answers.
    init(tooLarge: [PageSlice: Int] = [:], maximumKept: Int) {
        let tooLarge = tooLarge.compactMapValues { $0 > 1 ? $0 - 1 : nil }
        state = Mutex(State(kept: maximumKept, tooLarge: tooLarge))
    }

    /// Counts an answer.
    func spend(bytes: Int) throws(ZimmerError) {
        try check(
            state.withLock { state in
                state.bytes -= bytes
                return state.bytes >= 0
            })
    }

    /// Counts what was made of an answer that could be read, or is kept of an earlier one.
    func keep(bytes: Int) throws(ZimmerError) {
        try check(
            state.withLock { state in
                state.isAnythingRead = true
                state.kept -= bytes
                return state.kept >= 0
            })
    }

    private func check(_ isWithin: Bool) throws(ZimmerError) {
        guard isWithin else {
            throw ZimmerError(.badBody, message: "Zimmer's list is larger than what is read of one")
        }
    }

    /// This stretch was too much for one answer a short while ago.
    func isTooLarge(_ slice: PageSlice) -> Bool {
        state.withLock { $0.tooLarge[slice] != nil }
    }

    /// Whether this stretch, which could not be read in one answer, may be asked for in smaller ones, or if it is one row
    /// be left out.
    func mayDivide(_ slice: PageSlice, because error: ZimmerError) -> Bool {
        guard error.code == .unreadable else { return false }
        return state.withLock { state in
            guard state.splits > 0 else { return false }
            state.splits -= 1
            if slice.size > 1 {
                state.tooLarge[slice] = Self.memory
                return true
            }
            state.unreadableRows += 1
            return state.isAnythingRead || state.unreadableRows < Self.maximumUnreadableRows
        }
    }

    /// What the next reading should know.
    var tooLarge: [PageSlice: Int] { state.withLock { $0.tooLarge } }
}

/// What the readings of lists found out about the sizes of pages, from one to the next.
final class PageSizes: Sendable {
    private let tooLarge = Mutex<[ListingKind: [PageSlice: Int]]>([:])

    func known(_ kind: ListingKind) -> [PageSlice: Int] { tooLarge.withLock { $0[kind] ?? [:] } }

    func note(_ slices: [PageSlice: Int], _ kind: ListingKind) { tooLarge.withLock { $0[kind] = slices } }
}
