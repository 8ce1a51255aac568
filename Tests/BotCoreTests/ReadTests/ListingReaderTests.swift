import CEL
import DemoZimmer
import Rules
import Testing

@testable import BotCore

/// Against a Zimmer on this machine.
@Suite struct ListingReaderTests {
    private static func server(_ configure: (inout ZimmerState) -> Void = { _ in }) throws -> DemoServer {
        let server = try DemoServer()
        server.update { state in
            state.addSession(id: 7, title: "Fix login", status: .failed)
            configure(&state)
        }
        return server
    }

    private func reader(on server: DemoServer) throws -> ListingReader {
        let address = try #require(ZimmerAddress(server.url))
        let client = ZimmerClient(
            address, key: APIKey(server.apiKey), transport: CurlTransport(), version: "test", allowed: ZimmerCall.reads)
        return ListingReader(client, webURL: server.url)
    }

    private func read(
        _ kind: ListingKind, on server: DemoServer, previous: Listing? = nil, asking: [Int64]? = []
    ) async throws -> Listing {
        try await reader(on: server).read(
            kind, previous: previous, asking: asking, at: Fixture.now, timeout: .seconds(60))
    }

    @Test(arguments: [0, 1, 100, 101, 250])
    func `an inbox of any size is read whole and in order`(count: Int) async throws {
        let server = try Self.server { state in for _ in 0..<count { state.notify("session_failed", about: 7) } }
        let listing = try await read(.notification, on: server)
        #expect(listing.isWhole)
        #expect(listing.problem == nil)
        let ids = listing.rows.compactMap { Int($0.id.id) }
        #expect(ids.count == count)
        #expect(ids == ids.sorted(by: >))
        #expect(server.requests.count == max(1, (count + 99) / 100))
        server.stop()
    }

    @Test func `a row that came between two pages is read once, by reading again`() async throws {
        let server = try Self.server { state in for _ in 0..<150 { state.notify("session_failed", about: 7) } }
        server.inject(
            Fault(
                RequestPattern("GET", "/api/v1/notifications", query: ["page": "2"]),
                .alter { response in
                    // As if the last row had been pushed onto a page that is not there.
                    let text = String(decoding: response.body, as: UTF8.self)
                    response.body = Array(text.replacing("\"total_count\":150", with: "\"total_count\":151").utf8)
                }))
        let listing = try await read(.notification, on: server)
        #expect(listing.isWhole)
        #expect(listing.rows.count == 150)
        #expect(server.requests.count == 4)
        server.stop()
    }

    @Test func `objects that did not change are shared with the reading before`() async throws {
        let server = try Self.server { state in for _ in 0..<3 { state.notify("session_failed", about: 7) } }
        let reader = try reader(on: server)
        let first = await reader.read(.notification, previous: nil, asking: nil, at: Fixture.now, timeout: .seconds(60))
        server.update { $0.notifications[1].isRead = true }
        let second = await reader.read(
            .notification, previous: first, asking: nil, at: Fixture.now, timeout: .seconds(60))
        let shared = zip(first.rows, second.rows).map { $0.object === $1.object }
        #expect(shared == [true, false, true])
        server.stop()
    }

    @Test(arguments: [Fault.Effect.answer(.internalError), .answer(.gatewayTimeout), .dropRequest, .cutBody(after: 40)])
    func `a list that cannot be read is not an empty one`(effect: Fault.Effect) async throws {
        let server = try Self.server()
        server.inject(Fault(.triggers, effect, times: nil))
        let listing = try await read(.trigger, on: server)
        #expect(!listing.isWhole)
        #expect(listing.problem != nil)
        server.stop()
    }

    @Test func `a row without an id is left out, and said`() async throws {
        let server = try Self.server()
        let body: JSON = ["triggers": [["name": "?"], ["id": 4]], "pagination": ["total_count": 2]]
        server.inject(Fault(.triggers, .answer(.json(body))))
        let listing = try await read(.trigger, on: server)
        #expect(listing.isWhole)
        #expect(listing.rows.map(\.id.id) == ["4"])
        #expect(listing.problem == "1 without an id were left out")
        server.stop()
    }

    @Test func `without a board nobody knows who asks`() async throws {
        let server = try Self.server()
        let listing = try await read(.elicitation, on: server, asking: nil)
        #expect(!listing.isWhole)
        #expect(server.requests.count == 0)
        server.stop()
    }

    @Test func `a session that is gone asks nothing`() async throws {
        let server = try Self.server { _ = $0.elicit("Go on?", tool: "deploy", in: 7) }
        let listing = try await read(.elicitation, on: server, asking: [7, 404])
        #expect(listing.isWhole)
        #expect(listing.rows.map { $0.object["message"].shown } == ["Go on?"])
        server.stop()
    }

    @Test func `questions that did not change are not sent again, and answered ones go`() async throws {
        let server = try Self.server { _ = $0.elicit("Go on?", tool: "deploy", in: 7) }
        let reader = try reader(on: server)
        var listing: Listing?
        var statuses: [Int] = []
        for round in 0..<3 {
            if round == 2 { server.update { $0.elicitations[0].status = .accept } }
            listing = await reader.read(
                .elicitation, previous: listing, asking: [7], at: Fixture.now, timeout: .seconds(60))
            #expect(listing?.isWhole == true)
            #expect(listing?.rows.count == (round == 2 ? 0 : 1))
            statuses += server.requests.elements.suffix(1).compactMap(\.status)
        }
        #expect(statuses == [200, 304, 200])
        server.stop()
    }
}
