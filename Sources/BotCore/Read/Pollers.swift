import AdapterKit
import CEL
import Rules

/// The loops that read Zimmer, each on its own interval, and hand what they got to the ledger.
struct Pollers: Sendable {
    let assembly: Assembly
    let ledger: Ledger
    let clock: any BotClock
    let log: any AdapterLog
    /// Called with every decision that was committed.
    let decided: @Sendable (Decision) -> Void

    private static let timeout: Duration = .seconds(60)

    func run() async {
        await withTaskGroup(of: Void.self) { group in
            if assembly.readers.contains(.board) { group.addTask { await pollBoard() } }
            if assembly.readers.contains(.health) {
                group.addTask { await poll("health", every: assembly.polling.health) { await readHealth() } }
            }
            if assembly.readers.contains(.costs) {
                group.addTask { await poll("costs", every: assembly.polling.costs) { await readCosts() } }
            }
        }
    }

    /// One reading of each, in the order in which rules depend on them.
    func once(_ readers: Set<Assembly.ReaderName>) async {
        if readers.contains(.health) { await readHealth() }
        if readers.contains(.costs) { await readCosts() }
        if readers.contains(.board) { _ = await readBoard(previous: nil) }
    }

    // MARK: - Loops

    private func pollBoard() async {
        var previous: BoardRows?
        await poll("board", every: assembly.polling.board) {
            previous = await readBoard(previous: previous) ?? previous
        }
    }

    /// A reader takes at most a quarter of its interval, or the interval stretches.
    private func poll(_ name: String, every interval: Duration, _ read: () async -> Void) async {
        while !Task.isCancelled {
            let start = clock.elapsed()
            await read()
            let took = clock.elapsed() - start
            await ledger.note(reader: name, isStretched: took * 4 > interval)
            do { try await clock.sleep(for: max(interval, took * 4) - took) } catch { return }
        }
    }

    // MARK: - Readings

    /// Pages come and go, a few hundred kilobytes each with what is parsed of them: afterwards that memory is given back.
    func readBoard(previous: BoardRows?) async -> BoardRows? {
        defer { Heap.trim() }
        let number = await ledger.beginBoard()
        let rows = await assembly.boardReader.read(previous: previous, timeout: Self.timeout)
        if Task.isCancelled { return nil }
        if let problem = rows.problem {
            log.write(.warning, "the board was not read whole", [("problem", problem)])
        }
        let singles = await singles(await ledger.missing(from: rows))
        // What was cut off by the end of this process says nothing of Zimmer.
        if Task.isCancelled { return nil }
        await commit { try await ledger.take(rows, singles: singles, number: number) }
        return rows.isWhole ? rows : nil
    }

    /// Sessions one by one. Once Zimmer does not answer, it is not asked for the rest: there may be thousands.
    private func singles(_ ids: [Int64]) async -> [Int64: Ledger.SingleReading] {
        var singles: [Int64: Ledger.SingleReading] = [:]
        var lost: ZimmerError?
        for id in ids {
            if let lost {
                singles[id] = .failure(lost)
                continue
            }
            do throws(ZimmerError) {
                singles[id] = .success(try await assembly.reader.session(id, timeout: Self.timeout))
            } catch {
                singles[id] = .failure(error)
                if error.code == .transport { lost = error }
            }
        }
        return singles
    }

    func readHealth() async {
        let number = await ledger.beginHealth()
        let result: Result<HealthReading, ZimmerError>
        do throws(ZimmerError) {
            var reading = try await assembly.reader.health(at: await ledger.instant(), timeout: Self.timeout)
            reading.readAt = reading.readAt + (await ledger.note(serverDate: reading.serverDate))
            result = .success(reading)
        } catch {
            if Task.isCancelled { return }
            log.write(.warning, "health was not read", [("problem", error.description)])
            result = .failure(error)
        }
        await commit { try await ledger.take(result, number: number) }
    }

    private func readCosts() async {
        let requests = await ledger.costsRequests()
        guard !requests.isEmpty else { return }
        let readings = await self.readings(of: requests)
        if Task.isCancelled { return }
        await commit { try await ledger.take(readings) }
    }

    /// Windows of costs, one after the other: Zimmer caches them, and each costs it a query.
    func readings(
        of requests: some Collection<CostsRequest>
    ) async -> [CostsRequest: Result<CostsReading, ZimmerError>] {
        var readings: [CostsRequest: Result<CostsReading, ZimmerError>] = [:]
        for request in requests {
            do throws(ZimmerError) {
                readings[request] = .success(try await reading(of: request))
            } catch {
                log.write(.warning, "costs were not read", [("problem", error.description)])
                readings[request] = .failure(error)
            }
        }
        return readings
    }

    private func reading(of request: CostsRequest) async throws(ZimmerError) -> CostsReading {
        let now = await ledger.instant()
        let window = request.interval(now: now)
        let reading = try await assembly.reader.costs(window, at: now, timeout: Self.timeout)
        guard await ledger.note(serverDate: reading.serverDate) != .zero else { return reading }
        // Zimmer's clock is another one than was thought: its yesterday may be another day.
        let then = await ledger.instant()
        let meant = request.interval(now: then)
        return meant == window ? reading : try await assembly.reader.costs(meant, at: then, timeout: Self.timeout)
    }

    func commit(_ decide: () async throws -> Decision) async {
        do {
            decided(try await decide())
        } catch {
            log.write(.error, "a decision could not be stored; nothing was done", [("problem", "\(error)")])
        }
    }
}
