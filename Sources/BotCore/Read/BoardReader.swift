package import CEL
import CSimdjson

/// Reads the whole board: every session that is not archived.
///
/// Pages are offsets into a list that moves, so one session can be on two pages or between them. Rows are distinct by id,
/// and a reading is whole when there are as many as Zimmer counted when it answered the first page and the last. If not,
/// everything is read once more.
package struct BoardReader: Sendable {
    private let client: ZimmerClient
    private let decoder: SessionDecoder
    private let now: @Sendable () -> Timestamp
    private let seed: UInt64

    /// Pages read at the same time, between the first and the last.
    private static let width = 4
    /// 100 rows each. A server that counts more than this many has gone wrong.
    private static let maximumPages = 2_000

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
        let sharing = Sharing(previous)
        let first = await readOnce(sharing, deadline)
        guard !first.isWhole, first.error == nil else { return first }
        let second = await readOnce(Sharing(first), deadline)
        return second.error == nil ? second : first
    }

    /// What an earlier reading offers to the next one.
    private struct Sharing: Sendable {
        var pages: [BoardRows.Page] = []
        var rows: [Int64: SessionRow] = [:]

        init(_ previous: BoardRows?) {
            guard let previous else { return }
            pages = previous.pages
            rows = Dictionary(previous.rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private func readOnce(_ sharing: Sharing, _ deadline: ContinuousClock.Instant) async -> BoardRows {
        var result = BoardRows()
        do throws(ZimmerError) {
            let (first, date) = try await page(1, sharing, deadline)
            result.serverDate = date
            result.skew = date.map { $0 - now() }
            result.pages = [first]
            let count = first.isEmpty ? 1 : Self.pageCount(first)
            if count > 2 { result.pages += try await pages(2..<count, sharing, deadline) }
            if count > 1 { result.pages.append(try await page(count, sharing, deadline).page) }
        } catch {
            result.error = error
            result.problem = error.description
        }
        result.collect()
        return result
    }

    private static func pageCount(_ first: BoardRows.Page) -> Int {
        guard let total = first.totalCount, total > 0 else { return 1 }
        return Int(min((total - 1) / 100 + 1, Int64(maximumPages)))
    }

    /// One page, or why there is none.
    private struct Attempt: Sendable {
        var number: Int
        var page: BoardRows.Page?
        var error: ZimmerError?
    }

    private func pages(
        _ numbers: Range<Int>, _ sharing: Sharing, _ deadline: ContinuousClock.Instant
    ) async throws(ZimmerError) -> [BoardRows.Page] {
        let attempts = await withTaskGroup(of: Attempt.self) { group in
            var attempts: [Attempt] = []
            var waiting = numbers
            for number in waiting.prefix(Self.width) { group.addTask { await attempt(number, sharing, deadline) } }
            waiting = waiting.dropFirst(Self.width)
            for await attempt in group {
                attempts.append(attempt)
                if attempt.error != nil { group.cancelAll() }
                // Whatever Zimmer counts, nothing comes behind an empty page.
                if attempt.page?.isEmpty ?? true {
                    waiting = waiting.suffix(0)
                } else if let number = waiting.popFirst() {
                    group.addTask { await self.attempt(number, sharing, deadline) }
                }
            }
            return attempts
        }
        // In order of completion: the first failure is the one that ended the others.
        if let error = attempts.lazy.compactMap(\.error).first { throw error }
        return attempts.sorted { $0.number < $1.number }.compactMap(\.page)
    }

    private func attempt(_ number: Int, _ sharing: Sharing, _ deadline: ContinuousClock.Instant) async -> Attempt {
        do throws(ZimmerError) {
            return Attempt(number: number, page: try await page(number, sharing, deadline).page)
        } catch {
            return Attempt(number: number, error: error)
        }
    }

    private func page(
        _ number: Int, _ sharing: Sharing, _ deadline: ContinuousClock.Instant
    ) async throws(ZimmerError) -> (page: BoardRows.Page, date: Timestamp?) {
        let earlier = sharing.pages.indices.contains(number - 1) ? sharing.pages[number - 1] : nil
        let remaining = deadline - .now
        guard remaining > .zero else {
            throw ZimmerError(
                .transport, message: "the board could not be read in the time it may take", reach: .notSent)
        }
        let answer = try await client.board(page: number, etag: earlier?.etag, timeout: remaining)
        if answer.isNotModified, let earlier { return (earlier, answer.serverDate) }
        let digest = answer.body.withUnsafeBufferPointer { zb_digest($0.baseAddress, $0.count, seed) }
        if var earlier, earlier.digest == digest {
            earlier.etag = answer.etag
            return (earlier, answer.serverDate)
        }
        return (try decode(answer, digest, sharing), answer.serverDate)
    }

    private func decode(
        _ answer: ZimmerAnswer, _ digest: UInt64, _ sharing: Sharing
    ) throws(ZimmerError) -> BoardRows.Page {
        let root = try answer.document().root
        guard let sessions = root["sessions"], sessions.kind == .array else {
            throw ZimmerError(.badBody, status: answer.status, message: "Zimmer's answer has no list of sessions")
        }
        var page = BoardRows.Page(
            digest: digest, etag: answer.etag, rows: [], skippedRows: 0,
            totalCount: root["pagination"]?["total_count"]?.int)
        page.rows.reserveCapacity(sessions.count)
        for element in sessions.elements {
            if let row = decoder.row(element, previous: { sharing.rows[$0] }) {
                page.rows.append(row)
            } else {
                page.skippedRows += 1
            }
        }
        return page
    }
}

extension BoardRows {
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
        skippedRows = pages.reduce(0) { $0 + $1.skippedRows }
        guard error == nil else { return }
        let found = Int64(rows.count + skippedRows)
        let counts = [pages.first, pages.last].map { $0?.totalCount }
        isWhole = counts.allSatisfy { $0 == found }
        if !isWhole {
            problem =
                "found \(found) sessions, but Zimmer counts \(counts.map { $0.map(String.init) ?? "?" }.joined(separator: ", then "))"
        } else if skippedRows > 0 {
            problem = "\(skippedRows) sessions have no id or no status and were left out"
        }
    }
}
