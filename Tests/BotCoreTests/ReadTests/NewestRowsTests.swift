import Synchronization
import Testing

@testable import BotCore

@Suite struct NewestRowsTests {
    private final class Log: Sendable {
        private let slices = Mutex<[PageSlice]>([])
        var count: Int { slices.withLock { $0.count } }
        func note(_ slice: PageSlice) { slices.withLock { $0.append(slice) } }
    }

    /// A list of rows with the ids from 1 to `count`; a page with one of `broken` cannot be read.
    private func list(_ count: Int, broken: Set<Int>, _ log: Log) -> NewestRows {
        NewestRows(name: "rows") { slice throws(ZimmerError) in
            log.note(slice)
            let start = (slice.number - 1) * slice.size + 1
            let ids = (start..<(start + slice.size)).filter { $0 <= count }
            let rows = ids.map { broken.contains($0) ? "{" : #"{"id": \#($0)}"# }.joined(separator: ",")
            return ZimmerAnswer(HTTPResponse(status: 200, body: Array(#"{"rows": [\#(rows)]}"#.utf8)))
        }
    }

    private func look(for id: Int64, in list: NewestRows) async throws -> Int64? {
        try await list.first { row in row["id"]?.int == id ? id : nil }
    }

    @Test(arguments: [1, 6, 26, 60, 99])
    func `a row is found beside one that cannot be read`(broken: Int) async throws {
        let log = Log()
        #expect(try await look(for: 61, in: list(100, broken: [broken], log)) == 61)
        #expect(log.count < 20)
    }

    @Test(arguments: [0, 3, 24, 25, 99])
    func `what is not there is not found, at once`(count: Int) async throws {
        let log = Log()
        #expect(try await look(for: 1_000, in: list(count, broken: [], log)) == nil)
        #expect(log.count == 1)
    }

    @Test func `what may be the row that cannot be read is not missing`() async throws {
        let error = await #expect(throws: ZimmerError.self) {
            try await look(for: 8, in: list(30, broken: [8], Log()))
        }
        #expect(error?.code == .unreadable)
    }

    @Test func `where nothing can be read little is asked`() async throws {
        let log = Log()
        await #expect(throws: ZimmerError.self) { try await look(for: 8, in: list(100, broken: Set(1...100), log)) }
        #expect(log.count <= 10)
    }

    @Test func `an answer without the list is no empty list`() async throws {
        let rows = NewestRows(name: "rows") { _ throws(ZimmerError) in
            ZimmerAnswer(HTTPResponse(status: 200, body: Array("{}".utf8)))
        }
        let error = await #expect(throws: ZimmerError.self) { try await look(for: 1, in: rows) }
        #expect(error?.code == .badBody)
    }
}
