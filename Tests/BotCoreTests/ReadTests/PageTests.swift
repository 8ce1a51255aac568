import CEL
import Testing

@testable import BotCore

@Suite struct PageTests {
    @Test(arguments: [1, 2, 17])
    func `the parts of a stretch are its rows, in order`(number: Int) throws {
        let slice = PageSlice(number)
        func rows(_ slice: PageSlice) -> Range<Int> {
            let start = (slice.number - 1) * slice.size
            return start..<(start + slice.size)
        }
        var parts = [slice]
        for size in [25, 5, 1] {
            parts = parts.flatMap { $0.parts ?? [] }
            #expect(parts.allSatisfy { $0.size == size })
            #expect(parts.flatMap { Array(rows($0)) } == Array(rows(slice)))
        }
        #expect(parts.allSatisfy { $0.parts == nil })
    }

    @Test(arguments: [
        ([1, 2, 3], [4, 5, 6], 0), ([1, 2, 3], [3, 4, 5], 1), ([1, 2, 3], [2, 3, 4], 2), ([1, 2], [1, 2], 2),
        ([], [1], 0), ([1], [], 0), ([3, 1], [3, 2], 0),
    ])
    func `how far a list moved is seen by the rows at the edge`(first: [Int], second: [Int], count: Int) {
        #expect(first.overlap(with: second) == count)
    }

    /// A board of two pages.
    private func board(_ first: String, _ second: String, total: Int) async throws -> BoardRows {
        let transport = FakeTransport { request throws(HTTPError) in
            let isFirst = request.url.contains("page=1&")
            let padding = (0..<100).map { #"{"id": \#(1000 + $0), "status": "running"}"# }.joined(separator: ",")
            let rows = isFirst ? "\(padding),\(first)" : second
            return HTTPResponse(
                status: 200, body: Array(#"{"sessions": [\#(rows)], "pagination": {"total_count": \#(total)}}"#.utf8))
        }
        let reader = BoardReader(
            try ZimmerClient(transport), decoder: SessionDecoder(webURL: "https://z"), now: { Fixture.now })
        return await reader.read(previous: nil, timeout: .seconds(3_600))
    }

    @Test func `a row that cannot be read and is on two pages, as the list moved, counts once`() async throws {
        for row in [#"{"id": 7}"#, #"{"title": "no id"}"#, "null", #"{"id": "x", "status": "running"}"#] {
            let once = try await board(row, #"\#(row), {"id": 8, "status": "running"}"#, total: 102)
            #expect(once.isWhole, "\(row)")
            #expect(once.skippedRows == 1)
            // One is missing, and must not be made up for by counting another twice.
            #expect(try await !board(row, row, total: 102).isWhole)
        }
    }

    @Test func `as many rows that cannot be read as there are count`() async throws {
        let board = try await board("null, null, 7", #"{"id": 8, "status": "running"}, null"#, total: 105)
        #expect(board.isWhole)
        #expect(board.skippedRows == 4)
    }

    @Test func `a session that is read on one of two pages is read`() async throws {
        let board = try await board(#"{"id": 7}"#, #"{"id": 7, "status": "failed"}"#, total: 101)
        #expect(board.isWhole)
        #expect(board.skippedRows == 0)
        #expect(board.rows.last?.status == "failed")
    }

    @Test func `a list without end costs no more than so much`() async throws {
        let budget = PageBudget(maximumKept: 10)
        try budget.spend(bytes: PageBudget.maximumBytes)
        #expect(throws: ZimmerError.self) { try budget.spend(bytes: 1) }
        try budget.keep(bytes: 10)
        #expect(throws: ZimmerError.self) { try budget.keep(bytes: 1) }
    }

    @Test func `a size that worked is tried in full again after a while`() {
        var known = [PageSlice(3): 3]
        for _ in 0..<2 { known = PageBudget(tooLarge: known, maximumKept: 1).tooLarge }
        #expect(known == [PageSlice(3): 1])
        #expect(PageBudget(tooLarge: known, maximumKept: 1).tooLarge.isEmpty)
    }
}
