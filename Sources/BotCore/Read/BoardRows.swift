package import CEL

/// What one reading of the board brought over the wire, and what the next one can share.
package struct BoardRows: Sendable {
    /// One page as it was answered.
    struct Page: Sendable {
        var slice: PageSlice
        /// Of the body; equal for an equal body within this process.
        var digest: UInt64 = 0
        var etag: String?
        var rows: [SessionRow] = []
        /// In the order of the page, those too that could not be read.
        var order: [PageRow] = []
        var totalCount: Int64?
        var serverDate: Timestamp?
        /// Zimmer's clock minus ours when it came.
        var skew: Duration?
        /// One row that is too much for an answer, or breaks it.
        var isUnreadable = false
        /// What it keeps in memory, in bytes, roughly.
        var weight = 0

        var isEmpty: Bool { order.isEmpty && !isUnreadable }
    }

    /// Distinct by id, in Zimmer's order.
    package internal(set) var rows: [SessionRow] = []
    package internal(set) var isWhole = false
    package internal(set) var problem: String?
    /// The failure that ended the reading, if one did.
    package internal(set) var error: ZimmerError?
    /// Sessions that are there and cannot be read. They count for `isWhole`.
    package internal(set) var skippedRows = 0
    package internal(set) var serverDate: Timestamp?
    /// Zimmer's clock minus ours, when the first page came; nil when Zimmer did not say.
    package internal(set) var skew: Duration?
    var pages: [Page] = []
    /// See `PageBudget`.
    var tooLarge: [PageSlice: Int] = [:]

    init() {}

    /// A whole board that was made up.
    package init(whole rows: [SessionRow]) {
        self.rows = rows
        isWhole = true
    }
}

extension BoardRows {
    /// With what a later reading found out about the sizes of pages.
    func knowing(_ tooLarge: [PageSlice: Int]) -> BoardRows {
        var rows = self
        rows.tooLarge = tooLarge
        return rows
    }

    /// Puts the pages together.
    mutating func collect() {
        var positions: [Int64: Int] = [:]
        positions.reserveCapacity(pages.count * 100)
        for row in pages.lazy.flatMap(\.rows) {
            if let position = positions[row.id] {
                rows[position] = row  // read later, so newer
            } else {
                positions[row.id] = rows.count
                rows.append(row)
            }
        }
        let (broken, unreadable) = unread(beside: positions)
        skippedRows = broken + unreadable
        guard error == nil else { return }
        let found = Int64(rows.count + skippedRows)
        let answers = pages.filter { !$0.isUnreadable }
        let counts = [answers.first, answers.last].map { $0?.totalCount }
        isWhole = counts.allSatisfy { $0 == found }
        if !isWhole {
            problem =
                "found \(found) sessions, but Zimmer counts \(counts.map { $0.map(String.init) ?? "?" }.joined(separator: ", then "))"
            return
        }
        var problems: [String] = []
        if broken > 0 { problems.append("\(broken) sessions have no id or no status and were left out") }
        if unreadable > 0 { problems.append("\(unreadable) sessions cannot be read, each by itself too") }
        problem = problems.isEmpty ? nil : problems.joined(separator: "; ")
    }

    /// Rows that could not be read, each counted once, also where the list moved so that it is on two pages.
    private func unread(beside known: [Int64: Int]) -> (broken: Int, unreadable: Int) {
        var broken: Set<Int64> = []
        var nameless = 0
        var before: [PageRow] = []
        for page in pages {
            // Looked for only where it matters.
            let hasNameless = page.order.contains { if case .nameless = $0 { true } else { false } }
            let repeated = hasNameless ? before.overlap(with: page.order) : 0
            for (index, row) in page.order.enumerated() {
                switch row {
                case .row: continue
                case .broken(let id): if known[id] == nil { broken.insert(id) }
                case .nameless: if index >= repeated { nameless += 1 }
                }
            }
            before = page.order
        }
        return (broken.count + nameless, pages.count(where: \.isUnreadable))
    }
}
