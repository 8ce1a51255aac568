package import CEL
import Rules

/// Reads what Zimmer lists beside the board. Never throws: what failed is said in the result, which then is not whole.
package struct ListingReader: Sendable {
    /// A page by what it was asked for.
    private struct Question: Hashable, Sendable {
        var kind: ListingKind
        var slice: PageSlice
    }

    /// One page as it was answered.
    fileprivate struct Page: Sendable {
        var slice: PageSlice
        /// Nil for what has no id.
        var rows: [Listing.Row?] = []
        /// By which rows are told apart, in the same order.
        var keys: [UInt64] = []
        var totalCount: Int64?
        /// One row that is too much for an answer, or breaks it.
        var isUnreadable = false
        /// What it keeps in memory, in bytes, roughly.
        var weight = 0

        var isEmpty: Bool { rows.isEmpty }
    }

    let client: ZimmerClient
    let decoder: ListingDecoder
    private let answers = Remembered<Question, Page>(capacity: 500)
    private let tools = Remembered<ListingKind, Listing.Row>(capacity: 1)
    /// By session.
    let openQuestions = Remembered<Int64, [Listing.Row?]>(capacity: 500)
    private let sizes = PageSizes()

    /// 100 rows each.
    private static let maximumPages = 200
    /// In bytes, of each list.
    static let maximumKept = 24 << 20

    package init(_ client: ZimmerClient, webURL: String) {
        self.client = client
        decoder = ListingDecoder(webURL: webURL)
    }

    /// Reads all of a list within `timeout`.
    ///
    /// - Parameters:
    ///   - previous: the last result, whose objects are shared where nothing about them changed.
    ///   - asking: sessions whose agent waits for an answer, for elicitations; nil when that is not known.
    ///   - lacking: features that this Zimmer is known not to have.
    ///   - now: the instant of this reading, on Zimmer's clock.
    package func read(
        _ kind: ListingKind, previous: Listing?, asking: [Int64]?, lacking: Set<ServerFeature> = [], at now: Timestamp,
        timeout: Duration
    ) async -> Listing {
        let rows = previous.map { $0.rows.map { ($0.id, $0) } } ?? []
        let reading = Reading(
            kind: kind, known: Dictionary(rows) { first, _ in first }, now: now,
            deadline: ContinuousClock.now + timeout)
        let isLacking = kind.feature.map(lacking.contains) ?? false
        switch kind {
        case .elicitation:
            if let asking { return await questions(of: asking, areListed: !isLacking, reading) }
            var unread = Listing(kind, readAt: now)
            unread.problem = "which sessions ask is not known while the board is not"
            return unread
        case .clis, .trigger, .backlog:
            if isLacking, let feature = kind.feature { return Listing(kind, lacking: feature, readAt: now) }
            let listing = kind == .clis ? await tools(reading) : await wholePages(reading)
            guard let feature = kind.feature, listing.error?.code == .notFound, await isThere(reading) else {
                return listing
            }
            var missing = Listing(kind, lacking: feature, readAt: now)
            missing.wasAsked = true
            missing.serverDate = listing.serverDate
            return missing
        case .notification: return await wholePages(reading)
        }
    }

    /// What every part of one reading goes by.
    struct Reading: Sendable {
        var kind: ListingKind
        var known: [SubjectID: Listing.Row]
        var now: Timestamp
        var deadline: ContinuousClock.Instant
        /// Zimmer may say that a page is as it was.
        var isConditional = true

        func timeLeft() throws(ZimmerError) -> Duration {
            let left = deadline - .now
            if left > .zero { return left }
            throw ZimmerError(.late, message: "it could not be read in the time it may take", reach: .notSent)
        }
    }

    /// Zimmer answers what every Zimmer has: a path that it does not know is one that it lacks, and not a wrong address.
    private func isThere(_ reading: Reading) async -> Bool {
        do throws(ZimmerError) {
            let answer = try await client.board(PageSlice(1, size: 1), timeout: try reading.timeLeft())
            return try answer.document().root["sessions"]?.kind == .array
        } catch {
            return error.code == .unreadable
        }
    }

    // MARK: - Pages

    private func wholePages(_ reading: Reading) async -> Listing {
        let first = await pages(reading)
        guard !first.isWhole, first.error == nil else { return first }
        // Pages are offsets into a list that moves: once more, as with the board.
        var again = reading
        again.isConditional = false
        let second = await pages(again)
        return second.error == nil ? second : first
    }

    func pages(_ reading: Reading) async -> Listing {
        var listing = Listing(reading.kind, readAt: reading.now)
        let budget = PageBudget(tooLarge: sizes.known(reading.kind), maximumKept: Self.maximumKept)
        var pages: [Page] = []
        defer {
            sizes.note(budget.tooLarge, reading.kind)
            let slices = Set(pages.map(\.slice))
            answers.keep { $0.kind != reading.kind || slices.contains($0.slice) }
        }
        do throws(ZimmerError) {
            var number = 1
            var last = 1
            while number <= last {
                let found = try await self.pages(of: PageSlice(number), reading, budget, &listing)
                pages += found
                if number == 1 {
                    let total = found.first { !$0.isUnreadable }?.totalCount
                    last = try PageSlice.count(of: total, maximum: Self.maximumPages)
                }
                // Whatever Zimmer counts, nothing comes behind an empty page.
                if found.allSatisfy(\.isEmpty) { break }
                number += 1
            }
            listing.take(pages)
        } catch {
            listing.fail(error)
        }
        return listing
    }

    /// A stretch in one page, or in several smaller ones, as with the board.
    private func pages(
        of slice: PageSlice, _ reading: Reading, _ budget: PageBudget, _ listing: inout Listing
    ) async throws(ZimmerError) -> [Page] {
        if !budget.isTooLarge(slice) {
            do throws(ZimmerError) {
                return [try await page(slice, reading, budget, &listing)]
            } catch {
                guard budget.mayDivide(slice, because: error) else { throw error }
            }
        }
        guard let parts = slice.parts else { return [Page(slice: slice, rows: [nil], keys: [0], isUnreadable: true)] }
        var pages: [Page] = []
        for part in parts {
            let found = try await self.pages(of: part, reading, budget, &listing)
            pages += found
            if found.allSatisfy(\.isEmpty) { break }
        }
        return pages
    }

    private func page(
        _ slice: PageSlice, _ reading: Reading, _ budget: PageBudget, _ listing: inout Listing
    ) async throws(ZimmerError) -> Page {
        let question = Question(kind: reading.kind, slice: slice)
        let etag = reading.isConditional ? answers.etag(for: question) : nil
        let answer = try await ask(question, etag, try reading.timeLeft())
        try budget.spend(bytes: answer.body.count)
        listing.serverDate = answer.serverDate ?? listing.serverDate
        let page = try answers.value(of: answer, to: question) { answer throws(ZimmerError) in
            try decode(answer, slice, reading)
        }
        try budget.keep(bytes: page.weight)
        return page
    }

    private func ask(
        _ question: Question, _ etag: String?, _ timeout: Duration
    ) async throws(ZimmerError) -> ZimmerAnswer {
        let slice = question.slice
        return switch question.kind {
        case .notification: try await client.notifications(slice, etag: etag, timeout: timeout)
        case .trigger: try await client.triggers(slice, etag: etag, timeout: timeout)
        default: try await client.backlog(slice, etag: etag, timeout: timeout)
        }
    }

    private func decode(_ answer: ZimmerAnswer, _ slice: PageSlice, _ reading: Reading) throws(ZimmerError) -> Page {
        let root = try answer.document().root
        let name = reading.kind.wireName
        guard let list = root[name], list.kind == .array else {
            throw ZimmerError(
                .badBody, status: answer.status, message: "Zimmer's answer has no \(name)", requestID: answer.requestID)
        }
        var page = Page(slice: slice, totalCount: root["pagination"]?["total_count"]?.int)
        for element in list.elements {
            let row = decoder.row(element, of: reading.kind) { reading.known[$0] }
            page.rows.append(row)
            page.keys.append(decoder.key(element, of: row))
        }
        page.weight = page.rows.weight
        return page
    }

    // MARK: - Tools

    private func tools(_ reading: Reading) async -> Listing {
        var listing = Listing(reading.kind, readAt: reading.now)
        do throws(ZimmerError) {
            let answer = try await client.tools(
                etag: tools.etag(for: reading.kind), timeout: try reading.timeLeft())
            listing.serverDate = answer.serverDate
            let row = try tools.value(of: answer, to: reading.kind) { answer throws(ZimmerError) in
                guard let status = try answer.document().root["cli_status"], status.kind == .object else {
                    throw ZimmerError(
                        .badBody, status: answer.status, message: "Zimmer's answer has no cli_status",
                        requestID: answer.requestID)
                }
                return decoder.tools(status) { reading.known[$0] }
            }
            listing.settle(as: row)
        } catch {
            listing.fail(error)
        }
        return listing
    }
}

extension Listing {
    /// Puts the pages together.
    fileprivate mutating func take(_ pages: [ListingReader.Page]) {
        var before: [UInt64] = []
        for page in pages {
            let repeated = page.rows.contains { $0 == nil } ? before.overlap(with: page.keys) : 0
            // A row without an id that is on two pages, as the list moved, is one.
            add(page.rows.enumerated().filter { $0.element != nil || $0.offset >= repeated }.map(\.element))
            before = page.isUnreadable ? [] : page.keys
        }
        let answers = pages.filter { !$0.isUnreadable }
        settle([answers.first, answers.last].map { $0?.totalCount })
    }
}

extension ListingReader {
    /// Reads a list beside what the ledger knows already, and tells it what this Zimmer turned out not to have.
    func read(_ kind: ListingKind, for ledger: Ledger, timeout: Duration) async -> Listing {
        let listing = await read(
            kind, previous: await ledger.listing(kind), asking: await ledger.asking(),
            lacking: await ledger.lackingFeatures(), at: await ledger.instant(), timeout: timeout)
        if let feature = kind.feature, listing.wasAsked, listing.isWhole || listing.lacks != nil {
            await ledger.note(feature, isMissing: listing.lacks != nil)
        }
        return listing
    }
}

extension ListingKind {
    /// What a Zimmer that does not list it lacks; nil for what every Zimmer has.
    var feature: ServerFeature? {
        switch self {
        case .notification: nil
        case .trigger: .triggers
        case .elicitation: .elicitations
        case .backlog: .backlog
        case .clis: .tools
        }
    }
}
