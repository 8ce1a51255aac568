package import CEL
import Rules

/// Reads what Zimmer lists beside the board. Never throws: what failed is said in the result, which then is not whole.
package struct ListingReader: Sendable {
    let client: ZimmerClient
    let decoder: ListingDecoder

    /// 100 rows each. A server that counts more than this many has gone wrong.
    private static let maximumPages = 200

    package init(_ client: ZimmerClient, webURL: String) {
        self.client = client
        decoder = ListingDecoder(webURL: webURL)
    }

    /// Reads all of a list within `timeout`.
    ///
    /// - Parameters:
    ///   - previous: the last result, whose objects are shared where nothing about them changed.
    ///   - asking: sessions whose agent waits for an answer, for elicitations; nil when that is not known.
    ///   - now: the instant of this reading, on Zimmer's clock.
    package func read(
        _ kind: ListingKind, previous: Listing?, asking: [Int64]?, at now: Timestamp, timeout: Duration
    ) async -> Listing {
        let rows = previous.map { $0.rows.map { ($0.id, $0) } } ?? []
        let reading = Reading(
            kind: kind, known: Dictionary(rows) { first, _ in first }, now: now,
            deadline: ContinuousClock.now + timeout)
        switch kind {
        case .clis: return await tools(reading)
        case .elicitation:
            if let asking { return await questions(of: asking, reading) }
            var unread = Listing(kind, readAt: now)
            unread.problem = "which sessions ask is not known while the board is not"
            return unread
        case .notification, .trigger, .backlog:
            let first = await pages(reading)
            guard !first.isWhole, first.error == nil else { return first }
            // Pages are offsets into a list that moves: once more, as with the board.
            let second = await pages(reading)
            return second.error == nil ? second : first
        }
    }

    /// What every part of one reading goes by.
    struct Reading: Sendable {
        var kind: ListingKind
        var known: [SubjectID: Listing.Row]
        var now: Timestamp
        var deadline: ContinuousClock.Instant

        func timeLeft() throws(ZimmerError) -> Duration {
            let left = deadline - .now
            if left > .zero { return left }
            throw ZimmerError(.transport, message: "it could not be read in the time it may take", reach: .notSent)
        }
    }

    // MARK: - Pages

    func pages(_ reading: Reading) async -> Listing {
        var listing = Listing(reading.kind, readAt: reading.now)
        var totals: [Int64?] = []
        do throws(ZimmerError) {
            var number = 1
            var last = 1
            while number <= last {
                let answer = try await page(number, reading)
                let root = try answer.document().root
                let total = root["pagination"]?["total_count"]?.int
                if number == 1 {
                    listing.serverDate = answer.serverDate
                    last = Self.pageCount(total)
                }
                if number == 1 || number == last { totals.append(total) }
                let rows = try rows(root, answer, reading)
                listing.add(rows)
                // Whatever Zimmer counts, nothing comes behind an empty page.
                if rows.isEmpty { break }
                number += 1
            }
            listing.settle(totals)
        } catch {
            listing.fail(error)
        }
        return listing
    }

    private static func pageCount(_ total: Int64?) -> Int {
        guard let total, total > 0 else { return 1 }
        return Int(min((total - 1) / 100 + 1, Int64(maximumPages)))
    }

    private func page(_ number: Int, _ reading: Reading) async throws(ZimmerError) -> ZimmerAnswer {
        let timeout = try reading.timeLeft()
        return switch reading.kind {
        case .notification: try await client.notifications(page: number, timeout: timeout)
        case .trigger: try await client.triggers(page: number, timeout: timeout)
        default: try await client.backlog(page: number, timeout: timeout)
        }
    }

    /// The rows of a page; nil for one without an id.
    private func rows(
        _ root: JSONValue, _ answer: ZimmerAnswer, _ reading: Reading
    ) throws(ZimmerError) -> [Listing.Row?] {
        let name = reading.kind.wireName
        guard let list = root[name], list.kind == .array else {
            throw ZimmerError(
                .badBody, status: answer.status, message: "Zimmer's answer has no \(name)", requestID: answer.requestID)
        }
        return list.elements.map { decoder.row($0, of: reading.kind) { reading.known[$0] } }
    }

    // MARK: - Tools

    private func tools(_ reading: Reading) async -> Listing {
        var listing = Listing(reading.kind, readAt: reading.now)
        do throws(ZimmerError) {
            let answer = try await client.tools(timeout: try reading.timeLeft())
            guard let status = try answer.document().root["cli_status"], status.kind == .object else {
                throw ZimmerError(
                    .badBody, status: answer.status, message: "Zimmer's answer has no cli_status",
                    requestID: answer.requestID)
            }
            listing.serverDate = answer.serverDate
            listing.settle(as: decoder.tools(status) { reading.known[$0] })
        } catch {
            listing.fail(error)
        }
        return listing
    }
}

extension ListingReader {
    /// Reads a list beside what the ledger knows already.
    func read(_ kind: ListingKind, for ledger: Ledger, timeout: Duration) async -> Listing {
        await read(
            kind, previous: await ledger.listing(kind), asking: await ledger.asking(), at: await ledger.instant(),
            timeout: timeout)
    }
}
