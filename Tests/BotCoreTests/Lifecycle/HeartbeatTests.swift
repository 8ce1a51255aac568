import AdapterKit
import AdapterKitTesting
import BotTestSupport
import Rules
import Synchronization
import Testing

@testable import BotCore

@Suite(.timeLimit(.minutes(10))) struct HeartbeatTests {
    /// A heartbeat whose health is what the test says, against a real server.
    private final class Stage: Sendable {
        let server: ScriptedServer
        let log = RecordingLog()
        let clock = ManualClock()
        let health = Mutex(BotHealth.well)
        let notices = Mutex<[String?]>([])

        init(_ answer: @escaping ScriptedServer.Answer) throws {
            server = try ScriptedServer(answer)
        }

        var heartbeat: Heartbeat {
            get throws {
                let address = Secret("\(server.url)/ping/very-secret-path")
                let shown = try #require(HTTPAddress(address))
                return Heartbeat(
                    target: HeartbeatTarget(
                        address: address, shown: shown, interval: .seconds(60), transport: CurlTransport()),
                    version: "1", clock: clock, log: log, health: { [self] in health.withLock { $0 } },
                    notice: { [self] problem in notices.withLock { $0.append(problem) } })
            }
        }

        /// Runs it for so many intervals.
        func run(_ intervals: Int, _ change: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
            let heartbeat = try heartbeat
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await heartbeat.run() }
                for interval in 0..<intervals {
                    await clock.clock.sleepers(1)
                    change(interval)
                    clock.clock.advance(by: .seconds(60))
                }
                await clock.clock.sleepers(1)
                group.cancelAll()
            }
        }

        var pings: Int { server.requests.count }
    }

    private static let ok: ScriptedServer.Answer = { _ in
        [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))]
    }

    private static func answer(_ head: String) -> ScriptedServer.Answer {
        { _ in [.send(Array("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n".utf8))] }
    }

    @Test func `it calls in its interval while all is well`() async throws {
        let stage = try Stage(Self.ok)
        try await stage.run(4)
        #expect(stage.pings == 5)
        #expect(stage.server.requests.allSatisfy { $0.method == "GET" && $0.target == "/ping/very-secret-path" })
        #expect(stage.log.lines.isEmpty)
    }

    @Test func `it is silent while the bot does not do its work, and the log says why once`() async throws {
        let stage = try Stage(Self.ok)
        try await stage.run(6) { interval in
            stage.health.withLock { $0 = (1...3).contains(interval) ? .ill(["writes hangs"]) : .well }
        }
        #expect(stage.pings == 4)
        #expect(
            stage.log.lines == ["error: no heartbeat is sent because=writes hangs", "info: the heartbeat goes on"])
    }

    @Test func `nothing is said while the bot starts`() async throws {
        let stage = try Stage(Self.ok)
        stage.health.withLock { $0 = .starting }
        try await stage.run(2) { _ in stage.health.withLock { $0 = .well } }
        #expect(stage.pings == 2)
        #expect(stage.log.lines.isEmpty)
    }

    @Test(arguments: [
        ("302 Found\r\nLocation: http://127.0.0.1:1/", "redirects (302), which is not followed"),
        ("404 Not Found", "answered 404"), ("500 Internal Server Error", "answered 500"),
    ])
    func `a call that does not arrive is one line, and one notice when that lasts`(
        head: String, words: String
    ) async throws {
        let stage = try Stage(Self.answer(head))
        try await stage.run(7)
        #expect(stage.pings == 8)
        #expect(stage.log.lines.count == 1)
        #expect(stage.log.lines.first?.contains(words) == true)
        let notices = stage.notices.withLock { $0 }
        #expect(notices.allSatisfy { $0?.contains(words) == true })
        #expect(!notices.isEmpty)
        #expect((stage.log.lines + notices.compactMap(\.self)).allSatisfy { !$0.contains("very-secret-path") })
    }

    @Test func `what it says when it arrives again is that`() async throws {
        let fails = Mutex(true)
        let stage = try Stage { request in fails.withLock { $0 } ? Self.answer("503 No")(request) : Self.ok(request) }
        try await stage.run(8) { interval in if interval == 6 { fails.withLock { $0 = false } } }
        #expect(stage.log.lines.last == "info: the heartbeat arrives again")
        #expect(stage.notices.withLock { $0.last } == .some(nil))
    }

    @Test func `an answer without end is cut off`() async throws {
        let stage = try Stage { _ in
            [
                .send(
                    Array("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n".utf8)
                        + [UInt8](repeating: 97, count: 1 << 20)), .close,
            ]
        }
        try await stage.run(1)
        #expect(stage.pings == 2)
        #expect(stage.log.lines.isEmpty)
    }
}

/// Which states of the bot's own work keep the heartbeat back.
@Suite struct BotHealthTests {
    private let rules = """
          - name: failed
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: failed}]
        """

    @Test func `a bot that reads, decides and stores is well, before its first reading it starts`() async throws {
        let stage = try LedgerStage(rules)
        #expect(await stage.ledger.health(reading: [.board]) == .starting)
        try await stage.board([7: "running"])
        #expect(await stage.ledger.health(reading: [.board]) == .well)
    }

    @Test func `a board that goes stale, or was never read, is not`() async throws {
        let stage = try LedgerStage(rules)
        try await stage.board([7: "running"])
        for _ in 1...9 { try await stage.failBoard() }
        #expect(await stage.ledger.health(reading: [.board]) == .well)
        for _ in 1...2 { try await stage.failBoard() }
        #expect(await stage.ledger.health(reading: [.board]) == .ill(["the board was not read whole for 5 min"]))
        try stage.restart()
        for _ in 1...11 { try await stage.failBoard() }
        #expect(
            await stage.ledger.health(reading: [.board]) == .ill(["the board was not read whole since the start"]))
        try await stage.board([7: "running"])
        #expect(await stage.ledger.health(reading: [.board]) == .well)
    }

    @Test func `a store that takes no writes is not`() async throws {
        let stage = try LedgerStage(rules)
        try await stage.board([7: "running"])
        try await stage.ledger.breakStore()
        guard case .ill(let reasons) = await stage.ledger.health(reading: [.board]) else {
            Issue.record("it is well")
            return
        }
        #expect(reasons.contains { $0.hasPrefix("the store takes no writes") })
    }
}

extension Ledger {
    /// From now on nothing can be written down.
    fileprivate func breakStore() throws {
        try database.run("PRAGMA query_only = ON")
    }
}
