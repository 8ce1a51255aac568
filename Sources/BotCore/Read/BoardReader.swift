package import CEL
import CSimdjson

/// Reads the whole board: every session that is not archived.
///
/// Pages are offsets into a list that moves, so one session can be on two pages or between them. Rows are distinct by id,
/// and a reading is whole when there are as many as Zimmer counted when it answered the first page and the last. If not,
/// everything is read once more. Rows that cannot be read count, and are left out.
package struct BoardReader: Sendable {
    private let client: ZimmerClient
    private let decoder: SessionDecoder
    private let now: @Sendable () -> Timestamp
    private let seed: UInt64

    /// Pages read at the same time, between the first and the last.
    private static let width = 4
    /// 100 rows each.
    private static let maximumPages = 500
    /// In bytes. 10,000 sessions come to less than half of it.
    private static let maximumKept = 96 << 20

    /// - Parameter now: this machine's clock.
    package init(
        _ client: ZimmerClient, decoder: SessionDecoder, now: @escaping @Sendable () -> Timestamp,
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.client = client
        self.decoder = decoder
        self.now = now
        self.seed = seed
    }

    /// Reads the board within `timeout`. Never throws: what failed is said in the result, which then is not whole.
    ///
    /// - Parameter previous: the last result. Pages that did not change are not parsed, sessions that did not change are
    ///   not decoded again.
    package func read(previous: BoardRows?, timeout: Duration) async -> BoardRows {
        let deadline = ContinuousClock.now + timeout
        let first = await readOnce(Reading(after: previous, by: deadline))
        guard !first.isWhole, first.error == nil else { return first }
        // Unconditionally: what does not add up may be a page of which something in between keeps an old copy.
        let second = await readOnce(Reading(after: first, by: deadline, isConditional: false))
        return second.error == nil ? second : first
    }

    /// What every request of one reading goes by.
    private struct Reading: Sendable {
        let deadline: ContinuousClock.Instant
        let budget: PageBudget
        /// Zimmer may say that a page is as it was.
        let isConditional: Bool
        /// What an earlier reading offers.
        let pages: [PageSlice: BoardRows.Page]
        let rows: [Int64: SessionRow]

        init(after previous: BoardRows?, by deadline: ContinuousClock.Instant, isConditional: Bool = true) {
            self.deadline = deadline
            self.isConditional = isConditional
            budget = PageBudget(tooLarge: previous?.tooLarge ?? [:], maximumKept: BoardReader.maximumKept)
            pages = Dictionary((previous?.pages ?? []).map { ($0.slice, $0) }) { first, _ in first }
            rows = Dictionary((previous?.rows ?? []).map { ($0.id, $0) }) { first, _ in first }
        }
    }

    private func readOnce(_ reading: Reading) async -> BoardRows {
        var result = BoardRows()
        do throws(ZimmerError) {
            result.pages = try await pages(of: PageSlice(1), reading)
            let first = result.pages.first { !$0.isUnreadable }
            result.serverDate = first?.serverDate
            result.skew = first?.skew
            let count = try PageSlice.count(of: first?.totalCount, maximum: Self.maximumPages)
            if result.pages.allSatisfy(\.isEmpty) || count == 1 {
                // Nothing comes behind it.
            } else {
                if count > 2 { result.pages += try await pages(2..<count, reading) }
                result.pages += try await pages(of: PageSlice(count), reading)
            }
        } catch {
            result.error = error
            result.problem = error.description
        }
        result.tooLarge = reading.budget.tooLarge
        result.collect()
        return result
    }

    /// One stretch, or why there is none.
    private struct Attempt: Sendable {
        var number: Int
        var pages: [BoardRows.Page] = []
        var error: ZimmerError?
    }

    private func pages(_ numbers: Range<Int>, _ reading: Reading) async throws(ZimmerError) -> [BoardRows.Page] {
        let attempts = await withTaskGroup(of: Attempt.self) { group in
            var attempts: [Attempt] = []
            var waiting = numbers
            for number in waiting.prefix(Self.width) { group.addTask { await attempt(number, reading) } }
            waiting = waiting.dropFirst(Self.width)
            for await attempt in group {
                attempts.append(attempt)
                if attempt.error != nil { group.cancelAll() }
                // Whatever Zimmer counts, nothing comes behind an empty page.
                if attempt.pages.allSatisfy(\.isEmpty) {
                    waiting = waiting.suffix(0)
                } else if let number = waiting.popFirst() {
                    group.addTask { await self.attempt(number, reading) }
                }
            }
            return attempts
        }
        // In order of completion: the first failure is the one that ended the others.
        if let error = attempts.lazy.compactMap(\.error).first { throw error }
        return attempts.sorted { $0.number < $1.number }.flatMap(\.pages)
    }

    private func attempt(_ number: Int, _ reading: Reading) async -> Attempt {
        do throws(ZimmerError) {
            return Attempt(number: number, pages: try await pages(of: PageSlice(number), reading))
        } catch {
            return Attempt(number: number, error: error)
        }
    }

    /// A stretch in one page, or in several smaller ones where it is too much for one answer: in the end one row costs
    /// itself and nothing else.
    private func pages(of slice: PageSlice, _ reading: Reading) async throws(ZimmerError) -> [BoardRows.Page] {
        if !reading.budget.isTooLarge(slice) {
            do throws(ZimmerError) {
                return [try await page(slice, reading)]
            } catch {
                guard reading.budget.mayDivide(slice, because: error) else { throw error }
            }
        }
        guard let parts = slice.parts else { return [BoardRows.Page(slice: slice, isUnreadable: true)] }
        var pages: [BoardRows.Page] = []
        for part in parts {
            let found = try await self.pages(of: part, reading)
            pages += found
            if found.allSatisfy(\.isEmpty) { break }
        }
        return pages
    }

    private func page(_ slice: PageSlice, _ reading: Reading) async throws(ZimmerError) -> BoardRows.Page {
        let page = try await fetch(slice, reading)
        try reading.budget.keep(bytes: page.weight)
        return page
    }

    private func fetch(_ slice: PageSlice, _ reading: Reading) async throws(ZimmerError) -> BoardRows.Page {
        var earlier = reading.pages[slice]
        let remaining = reading.deadline - .now
        guard remaining > .zero else {
            throw ZimmerError(.late, message: "the board could not be read in the time it may take", reach: .notSent)
        }
        let answer = try await client.board(
            slice, etag: reading.isConditional ? earlier?.etag : nil, timeout: remaining)
        earlier?.serverDate = answer.serverDate
        let skew = answer.serverDate.map { $0 - now() }
        earlier?.skew = skew
        if answer.isNotModified, let earlier { return earlier }
        try reading.budget.spend(bytes: answer.body.count)
        let digest = answer.body.withUnsafeBufferPointer { zb_digest($0.baseAddress, $0.count, seed) }
        if var earlier, earlier.digest == digest {
            earlier.etag = answer.etag
            return earlier
        }
        var page = try decode(answer, slice, reading)
        page.digest = digest
        page.skew = skew
        return page
    }

    private func decode(
        _ answer: ZimmerAnswer, _ slice: PageSlice, _ reading: Reading
    ) throws(ZimmerError) -> BoardRows.Page {
        let root = try answer.document().root
        guard let sessions = root["sessions"], sessions.kind == .array else {
            throw ZimmerError(
                .badBody, status: answer.status, message: "Zimmer's answer has no list of sessions",
                requestID: answer.requestID)
        }
        var page = BoardRows.Page(slice: slice, etag: answer.etag)
        page.serverDate = answer.serverDate
        page.totalCount = root["pagination"]?["total_count"]?.int
        page.rows.reserveCapacity(sessions.count)
        for element in sessions.elements {
            if let row = decoder.row(element, previous: { reading.rows[$0] }) {
                page.rows.append(row)
                page.order.append(.row(row.id))
            } else if let id = element["id"]?.int {
                page.order.append(.broken(id))
            } else {
                page.order.append(.nameless(element.digest(seed: seed)))
            }
        }
        page.weight = page.rows.reduce(page.order.count * 16) { $0 + $1.weight }
        return page
    }
}
