import BotTestSupport
import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct HistoryFormTests {
    private static func reading(_ ids: [Int64], _ random: inout Moments, at now: Timestamp) -> BoardReading {
        let sessions = ids.compactMap { id -> SessionReading? in
            var slots = WorldSchema.session.fields.map { _ in Value.null }
            slots[SessionField.id.slot] = .int(id)
            slots[SessionField.status.slot] = .string(["running", "failed"].randomElement(using: &random) ?? "running")
            slots[SessionField.title.slot] = .string("Session \(id)")
            slots[SessionField.metadata.slot] = .map(
                MapValue(named: [("turns", .int(Int64.random(in: 0...3, using: &random)))]))
            return SessionReading(Object(WorldSchema.session, slots))
        }
        return BoardReading(sessions: sessions, isWhole: true, readAt: now)
    }

    private static func boards(_ entries: [HistoryEntry]) -> [BoardReading] {
        entries.flatMap { entry -> [BoardReading] in
            guard case .decision(let decision) = entry else { return [] }
            return decision.intake.compactMap { if case .board(let reading, _) = $0 { reading } else { nil } }
        }
    }

    @Test(arguments: [1, 3, 2_000])
    func `boards are read as they were written, in whatever order their sessions stand`(fill: Int) throws {
        var random = Moments(seed: UInt64(fill))
        var writer = HistoryWriter(fill: fill)
        var reader = HistoryReader()
        var now = Timestamp(seconds: 1_000_000)
        _ = try reader.read(writer.state([], at: now))
        var ids: [Int64] = []
        var compared = 0
        for round in 0..<300 {
            // A clock may be put back.
            now = now + .seconds(round % 50 == 0 ? -90 : 30)
            if Int.random(in: 0..<3, using: &random) == 0 {
                ids.insert(Int64(round), at: ids.isEmpty ? 0 : ids.count / 2)
            }
            if ids.count > 12 { ids.remove(at: Int.random(in: 0..<ids.count, using: &random)) }
            if round % 40 == 0 { ids.shuffle(using: &random) }
            let board = Self.reading(ids, &random, at: now)
            var decision = RecordedDecision(now: now, localNow: now + .milliseconds(round))
            decision.intake = [.board(board, departed: [:])]
            for read in Self.boards(try reader.read(writer.decision(decision))) {
                compared += 1
                #expect(read.readAt == now)
                #expect(read.sessions.map(\.id) == ids)
                #expect(
                    zip(read.sessions, board.sessions).allSatisfy {
                        Value.object($0.object).isExactly(.object($1.object))
                    })
            }
        }
        #expect(compared > (fill == 1 ? 0 : 200))
    }

    @Test func `a writer that goes on where a reader has come to is read on`() throws {
        var random = Moments(seed: 5)
        var writer = HistoryWriter()
        var reader = HistoryReader()
        let now = Timestamp(seconds: 1_000_000)
        _ = try reader.read(writer.state([], at: now))
        for round in 0..<40 {
            let board = Self.reading([3, 1, 2], &random, at: now)
            var decision = RecordedDecision(now: now + .seconds(round), localNow: now)
            decision.intake = [.board(board, departed: [:])]
            let boards = Self.boards(try reader.read(writer.decision(decision)))
            #expect(boards.first?.sessions.map(\.status) == board.sessions.map(\.status))
            if round % 7 == 0 { writer = try #require(HistoryWriter(after: reader)) }
        }
    }

    @Test func `a poll that brings nothing new takes a few bytes`() throws {
        var random = Moments(seed: 9)
        var writer = HistoryWriter()
        let now = Timestamp(seconds: 1_000_000)
        _ = writer.state([], at: now)
        let board = Self.reading(Array(1...200), &random, at: now)
        var decision = RecordedDecision(now: now, localNow: now)
        decision.intake = [.board(board, departed: [:])]
        #expect(writer.decision(decision).count > 2_000)
        decision.now = now + .seconds(30)
        #expect(writer.decision(decision).count < 32)
    }

    /// Rows of a few polls.
    private static func rows() -> [[UInt8]] {
        var random = Moments(seed: 4)
        var writer = HistoryWriter()
        let now = Timestamp(seconds: 1_000_000)
        var rows = [writer.state([], at: now)]
        for round in 0..<3 {
            var decision = RecordedDecision(now: now + .seconds(round), localNow: now)
            decision.intake = [.board(reading([1, 2, 3], &random, at: now), departed: [:])]
            rows.append(writer.decision(decision))
        }
        return rows
    }

    @Test func `no bit of a row can change unnoticed`() throws {
        let rows = Self.rows()
        var reader = HistoryReader()
        for row in rows {
            for bit in 0..<(row.count * 8) {
                var damaged = row
                damaged[bit / 8] ^= 1 << (bit % 8)
                var copy = reader
                #expect(throws: ByteReader.Failure.self, "bit \(bit)") { try copy.read(damaged) }
            }
            _ = try reader.read(row)
        }
    }

    @Test func `rows from before there were checksums are read`() throws {
        var reader = HistoryReader()
        var boards = 0
        for row in Self.rows() {
            boards += Self.boards(try reader.read([HistoryForm.unsealed] + row.dropFirst().dropLast(4))).count
        }
        #expect(boards == 3)
        #expect(HistoryWriter(after: reader) != nil)
    }

    @Test(arguments: 0..<400)
    func `bytes that are no recording are a failure, whatever they are`(seed: Int) throws {
        var random = Moments(seed: UInt64(seed))
        var writer = HistoryWriter()
        let now = Timestamp(seconds: 1_000_000)
        var rows = [writer.state([], at: now)]
        for _ in 0..<3 {
            var decision = RecordedDecision(now: now, localNow: now)
            decision.intake = [.board(Self.reading([1, 2, 3], &random, at: now), departed: [:])]
            rows.append(writer.decision(decision))
        }
        let row = Int.random(in: 0..<rows.count, using: &random)
        for _ in 0..<3 {
            rows[row][Int.random(in: 0..<rows[row].count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        var reader = HistoryReader()
        // Whatever is read of them: nothing traps, hangs or grows without bound.
        for row in rows { _ = try? reader.read(row) }
    }
}
