import BotCore
import BotTestSupport
import Synchronization
import Testing

@Suite struct LargeBodyTests {
    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isUp: Bool { value.load(ordering: .sequentiallyConsistent) }
        func raise() { value.store(true, ordering: .sequentiallyConsistent) }
    }

    private static let size = 3 << 20
    private static let large = ScriptedServer.response(body: String(repeating: "x", count: size))

    /// Answers `/small` with little and everything else with much.
    private func exchange(_ body: (CurlTransport, ScriptedServer) async throws -> Void) async throws {
        let server = try ScriptedServer { request in
            [.send(request.target == "/small" ? ScriptedServer.response(body: "ok") : Self.large)]
        }
        let transport = CurlTransport()
        defer { server.stop() }
        try await body(transport, server)
        await transport.shutdown()
    }

    private func get(_ server: ScriptedServer, _ path: String = "/large") -> HTTPRequest {
        HTTPRequest(.get, server.url + path, timeout: .seconds(600), isRepeatable: true, maximumBody: 16 << 20)
    }

    /// Time for a few dozen round trips, in which what does not wait would have arrived.
    private func letOthersArrive(_ transport: CurlTransport, _ server: ScriptedServer) async throws {
        for _ in 0..<100 { _ = try await transport.send(get(server, "/small")) }
    }

    @Test func `of several large answers one is there at a time, and small ones pass by`() async throws {
        try await exchange { transport, server in
            var first: HTTPResponse? = try await transport.send(get(server))
            #expect(first?.body.count == Self.size)
            let isGone = Flag()
            async let later = withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let response = try await transport.send(get(server))
                        return isGone.isUp && response.body.count == Self.size
                    }
                }
                var results: [Bool] = []
                for try await result in group { results.append(result) }
                return results
            }
            await server.received(4)
            try await letOthersArrive(transport, server)
            isGone.raise()
            first = nil
            #expect(try await later == [true, true, true])
        }
    }

    @Test func `who waits can be cancelled, and does not keep the place`() async throws {
        try await exchange { transport, server in
            var first: HTTPResponse? = try await transport.send(get(server))
            #expect(first != nil)
            let waiting = Task { try await transport.send(get(server)) }
            await server.received(2)
            try await letOthersArrive(transport, server)
            waiting.cancel()
            let error = await #expect(throws: HTTPError.self) { try await waiting.value }
            #expect(error?.code == .cancelled)
            first = nil
            #expect(try await transport.send(get(server)).body.count == Self.size)
        }
    }

    @Test func `what may not be repeated does not wait`() async throws {
        try await exchange { transport, server in
            let first = try await transport.send(get(server))
            let write = HTTPRequest(
                .post, server.url, timeout: .seconds(600), isRepeatable: false, maximumBody: 8 << 20)
            #expect(try await transport.send(write).body.count == Self.size)
            #expect(first.room != nil)
        }
    }

    @Test func `an answer that becomes too large gives its place back`() async throws {
        try await exchange { transport, server in
            var request = get(server)
            request.maximumBody = 5 << 19
            request.cutsBody = true
            var cut: HTTPResponse? = try await transport.send(request)
            #expect(cut?.body.count == 5 << 19)
            cut = nil
            #expect(try await transport.send(get(server)).body.count == Self.size)
        }
    }

    @Test func `what is made of a large answer keeps its place`() async throws {
        let text = "[\"\(String(repeating: "x", count: Self.size))\"]"
        let server = try ScriptedServer(ScriptedServer.response(body: text))
        let transport = CurlTransport()
        defer { server.stop() }
        var document: JSONDocument?
        do {
            let response = try await transport.send(get(server))
            document = try JSONDocument(response.body, in: response.room)
        }
        let isGone = Flag()
        async let later = {
            _ = try await transport.send(get(server))
            return isGone.isUp
        }()
        await server.received(2)
        #expect(document?.root.count == 1)
        isGone.raise()
        document = nil
        #expect(try await later)
        await transport.shutdown()
    }
}
