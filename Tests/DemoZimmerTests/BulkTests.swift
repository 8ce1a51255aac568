import DemoZimmer
import Testing

@Suite struct BulkTests {
    @Test func `a big board has rows of about three kilobytes, and the share that was asked for changes`() async throws
    {
        let server = try DemoServer(recordsReads: false)
        let client = HTTPClient(server)
        let ids = server.update { $0.addBulk(1000) }
        #expect(Set(ids).count == 1000)

        func rows() async throws -> [JSON] {
            var rows: [JSON] = []
            for page in 1...10 {
                let answer = try await client.get("/api/v1/sessions?per_page=100&page=\(page)")
                #expect((250_000..<350_000).contains(answer.body.count))
                rows += answer.json["sessions"]?.elements ?? []
            }
            return rows
        }
        let before = try await rows()
        let changed = server.update { $0.mutate(fraction: 0.01) }
        let after = try await rows()
        let differing = zip(before, after).filter { $0 != $1 }.compactMap { $0.0["id"]?.integer }
        #expect(changed.count == 10)
        #expect(Set(differing) == Set(changed))
        #expect(server.requests.count == 0)
    }

    @Test func `another round changes other sessions`() {
        var state = ZimmerState(now: DemoServer.morning)
        state.addBulk(100)
        let (first, second) = (state.mutate(fraction: 0.1, round: 0), state.mutate(fraction: 0.1, round: 1))
        #expect(Set(first).isDisjoint(with: second))
        #expect(state.mutate(fraction: 7).count == 100)
        #expect(state.mutate(fraction: 0).isEmpty)
    }

    @Test func `an unchanged page costs its client nothing, also after time has passed`() async throws {
        let server = try DemoServer()
        server.update { _ = $0.addBulk(300) }
        let target = "/api/v1/sessions?per_page=100&page=2"
        let tag = try #require(try await HTTPClient(server).get(target).header("etag"))
        server.advance(by: .hours(1))
        let again = try await HTTPClient(server).get(target, headers: [("If-None-Match", tag)])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
    }
}
