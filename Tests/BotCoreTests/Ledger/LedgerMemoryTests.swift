import AdapterKitTesting
import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct LedgerMemoryTests {
    private static func failed(_ more: String = "") -> String {
        """
          - name: failed
            watch: session
            if: session.status == "failed"
            \(more)
            do: [{post: ops, text: failed}]
            resolved: [{post: ops, text: over}]
        """
    }

    @Test func `what could not be stored is stored with the next decision`() async throws {
        let stage = try LedgerStage(Self.failed())
        try await stage.board([7: "failed"])
        try await stage.ledger.refuseWrites(true)
        await #expect(throws: DatabaseError.self) { try await stage.board([7: "running"]) }
        try await stage.ledger.refuseWrites(false)
        #expect(try await stage.board([7: "running"]).said == ["over"])
        try stage.restart()
        #expect(await stage.ledger.storedStatus(of: 7) == "running")
    }

    @Test func `a reading of the board that a later one overtook changes nothing`() async throws {
        let stage = try LedgerStage(Self.failed())
        let slow = await stage.ledger.beginBoard()
        let quick = await stage.ledger.beginBoard()
        let (old, new) = (try LedgerStage.row(7, "failed"), try LedgerStage.row(7, "running"))
        _ = try await stage.ledger.take(.whole([new]), singles: [:], number: quick)
        #expect(try await stage.ledger.take(.whole([old]), singles: [:], number: slow).said.isEmpty)
        let next = await stage.ledger.beginBoard()
        #expect(try await stage.ledger.take(.whole([old]), singles: [:], number: next).said == ["failed"])
    }

    @Test func `a reading of health that a later one overtook changes nothing`() async throws {
        let rule = """
              - name: strained
                watch: health
                if: health.overall_status.status == "warning"
                do: [{post: ops, text: strained}]
                resolved: [{post: ops, text: over}]
            """
        let stage = try LedgerStage(rule)
        func health(_ status: String) -> HealthReading {
            let overall = Object(WorldSchema.healthStatus, named: ["status": .string(status)])
            return HealthReading(
                Object(WorldSchema.health, named: ["overall_status": .object(overall)]), readAt: stage.clock.now())
        }
        let slow = await stage.ledger.beginHealth()
        // Read by a last look meanwhile.
        await stage.ledger.note(health("warning"), number: await stage.ledger.beginHealth())
        #expect(try await stage.ledger.tick().said == ["strained"])
        #expect(try await stage.ledger.take(.success(health("healthy")), number: slow).said.isEmpty)
        let next = await stage.ledger.beginHealth()
        #expect(try await stage.ledger.take(.success(health("healthy")), number: next).said == ["over"])
    }

    @Test func `a write that was withdrawn late does not touch the episode that came after`() async throws {
        let rule = """
              - name: hide
                watch: session
                if: session.status == "failed"
                once: session.status_since
                do: [hide]
            """
        let stage = try LedgerStage(rule)
        let first = try #require(try await stage.board([7: "failed"]).runs.first)
        try await stage.board([7: "running"])
        try await stage.board([7: "failed"])
        try await stage.ledger.withhold(first.key, .withdrawn("late"), now: stage.clock.now())
        #expect(await stage.ledger.memory.rules["hide"]?.episodes.values.map(\.standing) == [.started])
    }

    @Test func `a message to no channel is forgotten in time like any other`() async throws {
        let rule = """
              - name: nowhere
                watch: session
                if: session.status == "failed"
                do: [{post: '{{ "nobody" }}', text: failed}]
            """
        let stage = try LedgerStage(rule)
        try await stage.board([7: "failed"])
        #expect(try await stage.ledger.messages == 1)
        stage.clock.clock.advance(by: .seconds(91 * 86_400))
        try await stage.board([7: "failed"])
        #expect(try await stage.ledger.messages == 0)
    }
}

extension Ledger {
    /// As a disk that takes no more.
    func refuseWrites(_ isRefusing: Bool) throws {
        try database.execute("PRAGMA query_only = \(isRefusing ? 1 : 0)")
    }

    fileprivate func storedStatus(of session: Int64) -> String? {
        guard case .string(let status)? = observation.sessions[session]?["status"] else { return nil }
        return status
    }

    fileprivate var messages: Int {
        get throws { try database.first("SELECT count(*) FROM outbox") { $0[0] } ?? 0 }
    }
}
