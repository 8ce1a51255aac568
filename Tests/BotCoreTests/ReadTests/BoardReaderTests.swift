import CEL
import Synchronization
import Testing

@testable import BotCore

@Suite struct BoardReaderTests {
    /// A server of pages: what it answers to the nth request for a page.
    private struct Server: Sendable {
        /// The ids of all sessions, newest first, at the time of the nth request.
        var ids: @Sendable (_ request: Int) -> [Int]
        /// What Zimmer counts; nil for as many as there are.
        var total: (@Sendable (_ request: Int) -> Int)?
        var etag: (@Sendable (_ page: Int) -> String)?
        var failure: (@Sendable (_ page: Int, _ request: Int) -> HTTPResponse?)?

        init(_ ids: @escaping @Sendable (_ request: Int) -> [Int]) { self.ids = ids }

        func transport() -> FakeTransport {
            let count = Atomic(0)
            return FakeTransport { request throws(HTTPError) in
                let number = count.add(1, ordering: .relaxed).oldValue
                return answer(request, number)
            }
        }

        private func answer(_ request: HTTPRequest, _ number: Int) -> HTTPResponse {
            let query = request.url.split(separator: "?").last ?? ""
            let page =
                query.split(separator: "&").compactMap { $0.hasPrefix("page=") ? Int($0.dropFirst(5)) : nil }.first ?? 1
            if let response = failure?(page, number) { return response }
            let tag = etag?(page)
            if let tag, request.headers.contains(where: { $0.name == "If-None-Match" && $0.value == tag }) {
                return HTTPResponse(status: 304)
            }
            let all = ids(number)
            let rows = all.dropFirst((page - 1) * 100).prefix(100).map {
                #"{"id": \#($0), "status": "running", "title": "\#($0)"}"#
            }
            let total = total?(number) ?? all.count
            let body = #"{"sessions": [\#(rows.joined(separator: ","))], "pagination": {"total_count": \#(total)}}"#
            var headers = [(name: "Date", value: "Fri, 09 Oct 2026 12:00:00 GMT")]
            if let tag { headers.append((name: "ETag", value: tag)) }
            return HTTPResponse(status: 200, headers: headers, body: Array(body.utf8))
        }
    }

    private func reader(_ transport: FakeTransport) throws -> BoardReader {
        BoardReader(
            try ZimmerClient(transport), decoder: SessionDecoder(webURL: "https://z"),
            now: { Timestamp(seconds: Fixture.now.seconds - 7) })
    }

    private func read(_ transport: FakeTransport) async throws -> BoardRows {
        try await reader(transport).read(previous: nil, timeout: .seconds(3_600))
    }

    private func readTwice(_ transport: FakeTransport) async throws -> (BoardRows, BoardRows) {
        let reader = try reader(transport)
        let first = await reader.read(previous: nil, timeout: .seconds(3_600))
        return (first, await reader.read(previous: first, timeout: .seconds(3_600)))
    }

    @Test(arguments: [0, 1, 99, 100, 101, 250, 1_234])
    func `a board of any size is read whole and in order`(count: Int) async throws {
        let transport = Server { _ in Array((0..<count).reversed()) }.transport()
        let board = try await read(transport)
        #expect(board.isWhole)
        #expect(board.problem == nil)
        #expect(board.rows.map(\.id) == (0..<count).reversed().map(Int64.init))
        #expect(await transport.requests.count == max(1, (count + 99) / 100))
    }

    @Test func `Zimmer's clock is told, and how far ours is behind it`() async throws {
        let board = try await read(Server { _ in [1] }.transport())
        #expect(board.serverDate == Fixture.now)
        #expect(board.skew == .seconds(7))
    }

    @Test func `a body that comes slowly does not put Zimmer's clock back`() async throws {
        let transport = FakeTransport { _ throws(HTTPError) in
            HTTPResponse(
                status: 200, headers: [(name: "Date", value: "Fri, 09 Oct 2026 11:59:40 GMT")],
                body: Array(#"{"sessions": [], "pagination": {"total_count": 0}}"#.utf8), bodyTime: .seconds(20))
        }
        let board = try await read(transport)
        #expect(board.skew == .seconds(7))
    }

    @Test func `a page that was answered before is not decoded again`() async throws {
        let transport = Server { _ in Array(0..<150) }.transport()
        let (first, second) = try await readTwice(transport)
        #expect(second.isWhole)
        #expect(zip(first.rows, second.rows).allSatisfy { $0 === $1 })
        #expect(second.rows.count == 150)
    }

    @Test func `within a page that changed, a session that did not is not decoded again`() async throws {
        let transport = Server { request in request == 0 ? [3, 2, 1] : [4, 3, 1] }.transport()
        let (first, second) = try await readTwice(transport)
        #expect(second.rows.map(\.id) == [4, 3, 1])
        #expect(second.rows[1] === first.rows[0])
        #expect(second.rows[2] === first.rows[2])
    }

    @Test func `a page that Zimmer says is unchanged is not sent again`() async throws {
        var server = Server { _ in Array(0..<150) }
        server.etag = { "\"tag-\($0)\"" }
        let transport = server.transport()
        let (first, second) = try await readTwice(transport)
        #expect(second.isWhole)
        #expect(zip(first.rows, second.rows).allSatisfy { $0 === $1 })
        let asked = await transport.requests.suffix(2).map { $0.headers.last { $0.name == "If-None-Match" }?.value }
        #expect(asked == ["\"tag-1\"", "\"tag-2\""])
    }

    @Test func `a session that moves to the next page is there once`() async throws {
        // A session is created between the two pages: the last of page 1 is on page 2 again, and one is missing.
        let transport = Server { request in Array((0..<(request == 0 ? 120 : 121)).reversed()) }.transport()
        let board = try await read(transport)
        #expect(board.isWhole)
        #expect(board.rows.map(\.id) == (0..<121).reversed().map(Int64.init))
        #expect(await transport.requests.count == 4)
    }

    @Test func `a list that keeps moving is partial, and says so`() async throws {
        let transport = Server { request in Array((0..<(120 + request)).reversed()) }.transport()
        let board = try await read(transport)
        #expect(!board.isWhole)
        #expect(board.error == nil)
        #expect(board.problem?.contains("but Zimmer counts") == true)
        #expect(Set(board.rows.map(\.id)).count == board.rows.count)
        #expect(await transport.requests.count == 4)
    }

    @Test func `as many rows as it takes, but other ones than Zimmer counts, are partial`() async throws {
        var server = Server { _ in [1, 2, 3] }
        server.total = { _ in 4 }
        #expect(try await !read(server.transport()).isWhole)
        let uncounted = FakeTransport(HTTPResponse(status: 200, body: Array(#"{"sessions": []}"#.utf8)))
        let board = try await read(uncounted)
        #expect(!board.isWhole)
        #expect(board.problem == "found 0 sessions, but Zimmer counts ?, then ?")
    }

    @Test(arguments: [1, 2, 3, 5])
    func `a page that fails makes the board partial and is not asked for again`(page: Int) async throws {
        var server = Server { _ in Array(0..<450) }
        let body = Array(#"{"error": "Internal Server Error"}"#.utf8)
        server.failure = { number, _ in number == page ? HTTPResponse(status: 500, body: body) : nil }
        let transport = server.transport()
        let board = try await read(transport)
        #expect(!board.isWhole)
        #expect(board.error?.code == .serverError)
        #expect(board.problem == "Zimmer answered 500: Internal Server Error")
        #expect(await transport.requests.count { $0.url.contains("page=\(page)&") } == 1)
    }

    @Test(arguments: ["", "<html>Sign in</html>", "[]", "{}", #"{"sessions": {}}"#, #"{"sessions": null}"#])
    func `a success that is no board is a failed reading`(body: String) async throws {
        let board = try await read(FakeTransport(HTTPResponse(status: 200, body: Array(body.utf8))))
        #expect(!board.isWhole)
        #expect(board.error?.code == .badBody)
        #expect(board.rows.isEmpty)
    }

    @Test func `rows that cannot be read are counted and do not make the board partial`() async throws {
        let board = try await read(
            FakeTransport(HTTPResponse(status: 200, body: try Fixture.bytes("sessions_tolerance"))))
        #expect(board.skippedRows == 4)
        #expect(board.rows.count == 6)
        #expect(board.isWhole)
        #expect(board.problem == "4 sessions have no id or no status and were left out")
    }

    @Test func `a board may take no longer than it is given`() async throws {
        let transport = Server { _ in [1] }.transport()
        let board = try await reader(transport).read(previous: nil, timeout: .zero)
        #expect(!board.isWhole)
        #expect(board.error?.code == .late)
        #expect(await transport.requests.isEmpty)
    }

    /// Every page has its 100 rows, without an end.
    @Test(arguments: [Int.max, 50_001])
    func `of a board that has more sessions than there can be one page is read`(count: Int) async throws {
        var server = Server { _ in Array(0..<150) }
        server.total = { _ in count }
        let transport = server.transport()
        let board = try await read(transport)
        #expect(!board.isWhole)
        #expect(board.problem == "Zimmer counts \(count) of them, and no more than 50000 are read")
        #expect(await transport.requests.count == 1)
    }

    @Test(arguments: [0, 1, 130])
    func `nothing is asked for behind an empty page, whatever Zimmer counts`(count: Int) async throws {
        var server = Server { _ in Array(0..<count) }
        server.total = { _ in 49_999 }
        let transport = server.transport()
        let board = try await read(transport)
        #expect(!board.isWhole)
        #expect(board.problem?.hasPrefix("found \(count) sessions, but Zimmer counts 49999") == true)
        #expect(await transport.requests.count < 20)
    }
}
