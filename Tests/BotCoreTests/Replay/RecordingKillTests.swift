import CEL
import Rules
import Testing

@testable import BotCore

/// A process that ends while it writes down what it decided, at any of the rows that it writes.
@Suite struct RecordingKillTests {
    private static let rules = """
          - name: failed
            watch: session
            if: session.status == "failed"
            do: [{post: ops, text: failed}, {wait: 1m}, {post: pager, text: still}]
            resolved: [{post: ops, text: over}]
          - name: ask
            watch: session
            if: session.status == "needs_input"
            do: [{follow_up: {prompt: go on}}, {post: ops, text: asked}]
        """

    /// Each is one transaction that records something.
    enum Act: CaseIterable {
        case decision, firstDecision, reload, newPart, attempt, outcome, withhold, pause, acknowledge
    }

    @Test(arguments: Act.allCases)
    func `ended at any row, what is recorded fits what is remembered`(act: Act) async throws {
        var rows = 0
        while try await isCut(act, at: rows + 1) { rows += 1 }
        #expect(rows > 1)
    }

    /// Plays the act, cut at that row, and again by the next process.
    ///
    /// - Returns: false where so many rows are not written.
    private func isCut(_ act: Act, at row: Int) async throws -> Bool {
        let stage = try LedgerStage(Self.rules)
        if act != .firstDecision { try await stage.board([7: "running", 8: "running"]) }
        if act != .firstDecision, act != .decision { try await stage.board([7: "failed", 8: "needs_input"]) }
        let attempt = act == .outcome ? try await begin(on: stage) : nil
        if act == .reload { try await stage.replace(Self.rules) }

        try await stage.ledger.setTrap(at: row)
        var isCut = false
        do {
            try await perform(act, attempt, on: stage)
        } catch is DatabaseError {
            isCut = true
            #expect(try await stage.ledger.remembersWhatIsStored)
            try stage.restart()
            try await perform(act, attempt, on: stage)
        }
        try await stage.ledger.removeTrap()
        #expect(try await stage.ledger.remembersWhatIsStored)

        for _ in 0..<4 { try await stage.board([7: "failed", 8: "needs_input"]) }
        try await stage.board([7: "running", 8: "running"])
        let span = Replay.Span(since: Timestamp(seconds: 0), until: stage.clock.now())
        var replay = try Replay(stage.file, over: try Recording(stage.directory), span)
        let report = try replay.run()
        #expect(report.differences == [], "row \(row)")
        #expect(report.notReplayable.isEmpty)
        // Both rules, and the end of one.
        #expect(report.unchanged == 3)
        return isCut
    }

    private func perform(_ act: Act, _ attempt: Attempt?, on stage: LedgerStage) async throws {
        let ledger = stage.ledger
        switch act {
        case .decision, .firstDecision, .reload: try await stage.board([7: "failed", 8: "needs_input"])
        case .newPart: try await ledger.beginAnew()
        case .attempt: _ = try await begin(on: stage)
        case .outcome: if let attempt { _ = try await ledger.finish(attempt, .done(""), subject: nil) }
        case .withhold:
            let run = try #require(await ledger.asking)
            try await ledger.withhold(run, .withdrawn("not any more"), now: ledger.instant())
        case .pause: _ = try await ledger.grant(.pause(for: .seconds(20)), on: "ask", by: "ann")
        case .acknowledge: _ = try await ledger.acknowledge("failed", nil, by: "ann")
        }
    }

    private func begin(on stage: LedgerStage) async throws -> Attempt {
        let run = try #require(await stage.ledger.asking)
        let request = WriteRequest("follow_up", session: 8, kind: .followUp(prompt: "go on", goal: nil))
        return try #require(try await stage.ledger.begin(run, request))
    }
}

extension Ledger {
    /// The run that stands at a write.
    fileprivate var asking: RunKey? { memory.runs.keys.first { $0.rule == "ask" } }

    /// Makes the nth row that is written from now on the last thing that happens in its transaction.
    func setTrap(at row: Int) throws {
        try database.execute("CREATE TEMP TABLE trap (rest INTEGER NOT NULL); INSERT INTO trap VALUES (\(row))")
        let tables = try database.query("SELECT name FROM main.sqlite_schema WHERE type = 'table'") { $0[0] as String }
        for table in tables where !table.hasPrefix("sqlite_") {
            for change in ["INSERT", "UPDATE", "DELETE"] {
                try database.execute(
                    """
                    CREATE TEMP TRIGGER trap_\(table)_\(change) BEFORE \(change) ON main.\(table) BEGIN
                        UPDATE trap SET rest = rest - 1;
                        SELECT RAISE(ABORT, 'trapped') WHERE (SELECT rest FROM trap) = 0;
                    END
                    """)
            }
        }
    }

    /// Does nothing where none is set.
    func removeTrap() throws {
        let triggers = try database.query("SELECT name FROM temp.sqlite_schema WHERE type = 'trigger'") {
            $0[0] as String
        }
        for trigger in triggers { try database.execute("DROP TRIGGER temp.\(trigger)") }
        try database.execute("DROP TABLE IF EXISTS temp.trap")
    }

    /// A process that began now would go on where this one stands.
    var remembersWhatIsStored: Bool {
        get throws {
            let stored = try MemoryStore(database).load(now: instant(), isResuming: false)
            let isSame = memory.rules.allSatisfy { name, own in
                own.isDryRun || stored.rules[name].map { $0.isAsStored(own) } ?? false
            }
            return isSame && stored.runs == memory.runs && stored.once == memory.once
                && stored.numbers == memory.numbers && stored.decidedAt == memory.decidedAt
        }
    }
}

extension RuleMemory {
    /// In all that is stored of it. When timers stand still is found again.
    fileprivate func isAsStored(_ other: RuleMemory) -> Bool {
        func episodes(_ rule: RuleMemory) -> [SubjectID: Episode] {
            rule.episodes.reduce(into: [:]) { known, episode in
                known[episode.key] = episode.value
                known[episode.key]?.frozenSince = nil
            }
        }
        return (isNew, awaitsRelease, nextSlot, pausedUntil) == (
            other.isNew, other.awaitsRelease, other.nextSlot, other.pausedUntil
        )
            && askedAt == other.askedAt && episodes(self) == episodes(other)
    }
}
