import CEL
import DemoZimmer
import Rules
import Testing

@testable import BotCore

/// Rows that are too much for an answer, or break it, against a Zimmer on this machine.
@Suite struct LargeAnswerTests {
    private static func server(sessions: Int) throws -> DemoServer {
        let server = try DemoServer()
        server.update { state in
            for id in 1...sessions { state.addSession(id: id, title: "Session \(id)", status: .running) }
        }
        return server
    }

    private static func client(_ server: DemoServer, maximumBody: Int = 400_000) throws -> ZimmerClient {
        ZimmerClient(
            try #require(ZimmerAddress(server.url)), key: APIKey(server.apiKey), transport: CurlTransport(),
            version: "test", allowed: ZimmerCall.reads, maximumBody: maximumBody)
    }

    private static func reader(_ server: DemoServer, maximumBody: Int = 400_000) throws -> BoardReader {
        BoardReader(
            try client(server, maximumBody: maximumBody), decoder: SessionDecoder(webURL: server.url),
            now: { Fixture.now })
    }

    private func read(_ reader: BoardReader, after previous: BoardRows? = nil) async -> BoardRows {
        await reader.read(previous: previous, timeout: .seconds(3_600))
    }

    @Test func `a page that is too large is asked for in smaller ones, and that is remembered`() async throws {
        let server = try Self.server(sessions: 130)
        server.update { state in
            for id in 100..<130 { state.edit(id) { $0.prompt = String(repeating: "x", count: 30_000) } }
        }
        let reader = try Self.reader(server)
        let board = await read(reader)
        #expect(board.isWhole)
        #expect(board.problem == nil)
        #expect(board.rows.map(\.id) == (1...130).reversed().map(Int64.init))
        let mark = server.requests.count
        let again = await read(reader, after: board)
        #expect(again.isWhole)
        #expect(zip(board.rows, again.rows).allSatisfy { $0 === $1 })
        let later = server.requests.elements.dropFirst(mark)
        #expect(later.allSatisfy { $0.status == 304 })
        #expect(!later.contains { $0.request.target.hasSuffix("page=1&per_page=100") })
        server.stop()
    }

    @Test(arguments: [1, 60, 101, 130])
    func `one session that is too large costs itself and not the board`(id: Int) async throws {
        let server = try Self.server(sessions: 130)
        server.update { state in state.edit(id) { $0.prompt = String(repeating: "x", count: 500_000) } }
        let board = await read(try Self.reader(server))
        #expect(board.isWhole)
        #expect(board.skippedRows == 1)
        #expect(board.problem == "1 sessions cannot be read, each by itself too")
        #expect(board.rows.map(\.id) == (1...130).reversed().filter { $0 != id }.map(Int64.init))
        #expect(server.requests.count < 25)
        server.stop()
    }

    @Test func `a board of one session that is too large is whole and shows nothing`() async throws {
        let server = try Self.server(sessions: 1)
        server.update { state in state.edit(1) { $0.prompt = String(repeating: "x", count: 500_000) } }
        let board = await read(try Self.reader(server))
        #expect(board.isWhole)
        #expect(board.rows.isEmpty)
        #expect(board.skippedRows == 1)
        server.stop()
    }

    @Test func `many sessions that are too large are a failed reading, not a thousand requests`() async throws {
        let server = try Self.server(sessions: 100)
        server.update { state in
            for id in 1...100 { state.edit(id) { $0.prompt = String(repeating: "x", count: 500_000) } }
        }
        let board = await read(try Self.reader(server))
        #expect(!board.isWhole)
        #expect(board.error?.code == .unreadable)
        #expect(server.requests.count <= 10)
        server.stop()
    }

    @Test func `many sessions that are too large among others cost no more than so many requests`() async throws {
        let server = try Self.server(sessions: 100)
        server.update { state in
            for id in 1..<100 { state.edit(id) { $0.prompt = String(repeating: "x", count: 500_000) } }
        }
        let board = await read(try Self.reader(server))
        #expect(!board.isWhole)
        #expect(board.error?.code == .unreadable)
        #expect(server.requests.count <= 40)
        server.stop()
    }

    @Test func `text that is more than is kept of one costs its member`() async throws {
        let server = try Self.server(sessions: 3)
        let text = String(repeating: "x", count: (1 << 20) + 1)
        server.update { state in
            state.edit(2) { session in
                session.goal = text
                session.title = text
                session.wireOverrides = ["metadata": .encoded(Array(#"{"note": "\#(text)"}"#.utf8))]
            }
        }
        let board = await read(try Self.reader(server, maximumBody: 16 << 20))
        #expect(board.isWhole)
        #expect(board.rows.map(\.id) == [3, 2, 1])
        #expect(board.rows[1].weight < 10_000)
        #expect(board.rows[1].slots[SessionField.title.slot].shown == "Session 2")
        server.stop()
    }

    @Test func `a board that is more than is kept is a failed reading`() async throws {
        let transport = FakeTransport { request throws(HTTPError) in
            let page = request.url.split(separator: "page=").dropFirst().first?.prefix { $0.isNumber }
            let text = String(repeating: "x", count: 100_000)
            let rows = (0..<100).map { #"{"id": \#(page ?? "")\#(100 + $0), "status": "running", "goal": "\#(text)"}"# }
            let list = rows.joined(separator: ",")
            return HTTPResponse(
                status: 200, body: Array(#"{"sessions": [\#(list)], "pagination": {"total_count": 5000}}"#.utf8))
        }
        let reader = BoardReader(
            try ZimmerClient(transport), decoder: SessionDecoder(webURL: "https://z"), now: { Fixture.now })
        let board = await read(reader)
        #expect(board.error?.message == "Zimmer's list is larger than what is read of one")
    }

    private static let broken: [(name: String, bytes: [UInt8])] = [
        ("no JSON", Array("{\"a\": [}".utf8)),
        ("too deep", Array((String(repeating: "[", count: 100) + String(repeating: "]", count: 100)).utf8)),
        ("an endless list", Array(("[0" + String(repeating: ",0", count: 1_000_001) + "]").utf8)),
        ("a word of its own", Array("undefined".utf8)),
    ]

    @Test(arguments: broken.map(\.name))
    func `one value that breaks the answer costs its session`(name: String) async throws {
        let bytes = try #require(Self.broken.first { $0.name == name }).bytes
        let server = try Self.server(sessions: 130)
        server.update { state in state.edit(77) { $0.wireOverrides["metadata"] = .encoded(bytes) } }
        let board = await read(try Self.reader(server, maximumBody: 16 << 20))
        #expect(board.isWhole)
        #expect(board.skippedRows == 1)
        #expect(board.rows.map(\.id) == (1...130).reversed().filter { $0 != 77 }.map(Int64.init))
        server.stop()
    }

    private static let odd: [String: [UInt8]] = [
        "a lone surrogate": Array(#""\ud800""#.utf8), "no UTF-8": [0x22, 0xC3, 0x28, 0xFF, 0x22],
        "out of range": Array("1e999".utf8), "a long integer": Array(String(repeating: "9", count: 400).utf8),
        "a zero byte": [0x22, 0x61, 0x00, 0x62, 0x22], "a zero byte outside": [0x00, 0x31, 0x00],
        "not a number": Array("NaN".utf8), "endless": Array("-Infinity".utf8),
        "the same name twice": Array(#"{"status": 1, "status": 2}"#.utf8),
        "a list of a hundred thousand": Array(("[0" + String(repeating: ",0", count: 100_000) + "]").utf8),
    ]

    @Test(arguments: odd.keys.sorted())
    func `one odd value costs its member and nothing else`(name: String) async throws {
        let bytes = try #require(Self.odd[name])
        let server = try Self.server(sessions: 3)
        server.update { state in
            state.edit(2) { $0.wireOverrides = ["metadata": .encoded(bytes), "goal": .encoded(bytes)] }
        }
        let board = await read(try Self.reader(server, maximumBody: 16 << 20))
        #expect(board.isWhole)
        #expect(board.problem == nil)
        #expect(board.rows.map(\.id) == [3, 2, 1])
        #expect(server.requests.count == 1)
        server.stop()
    }

    @Test func `a row of a list that is too large costs itself`() async throws {
        let server = try Self.server(sessions: 1)
        server.update { state in
            state.triggers = (1...30).map { Trigger(id: $0, name: "Trigger \($0)", createdAt: state.now) }
            state.triggers[11].promptTemplate = String(repeating: "x", count: 500_000)
        }
        let reader = ListingReader(try Self.client(server), webURL: server.url)
        let listing = await reader.read(
            .trigger, previous: nil, asking: nil, at: Fixture.now, timeout: .seconds(3_600))
        #expect(listing.isWhole)
        #expect(listing.skippedRows == 1)
        #expect(listing.rows.map(\.id.id) == (1...30).filter { $0 != 12 }.map(String.init))
        let mark = server.requests.count
        _ = await reader.read(.trigger, previous: listing, asking: nil, at: Fixture.now, timeout: .seconds(3_600))
        #expect(server.requests.elements.dropFirst(mark).contains { $0.status == 304 })
        #expect(server.requests.count - mark < mark)
        server.stop()
    }

    @Test func `a conversation that is too large is read from its end`() async throws {
        let server = try Self.server(sessions: 1)
        server.update { state in
            state.edit(1) { session in
                session.conversation = (0..<50).map {
                    ConversationMessage(
                        role: "user", content: "\($0)" + String(repeating: "x", count: 3_900), timestamp: nil)
                }
            }
        }
        let document = try await Self.client(server, maximumBody: 30_000)
            .newestMessages(of: 1, atMost: 50, timeout: .seconds(3_600))
        let last = document.root["messages"]?.elements.map { $0 }.last?["content"]?.string
        #expect(last?.hasPrefix("49x") == true)
        #expect(server.requests.count == 2)
        server.stop()
    }

    @Test func `an answer that says it is too large is not waited for`() async throws {
        let server = try Self.server(sessions: 1)
        let body = [UInt8](repeating: 0x20, count: 40 << 20)
        server.inject(Fault(.health, .answer(HTTPResponse(status: 200, body: body)), times: nil))
        let client = try Self.client(server, maximumBody: ZimmerClient.maximumBody)
        let error = await #expect(throws: ZimmerError.self) { try await client.health(timeout: .seconds(3_600)) }
        #expect(error?.code == .unreadable)
        server.stop()
    }
}
