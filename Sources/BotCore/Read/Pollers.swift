import AdapterKit
import CEL
import Rules

/// The loops that read Zimmer, each on its own interval, and hand what they got to the ledger.
struct Pollers: Sendable {
    let assembly: Assembly
    let ledger: Ledger
    let clock: any BotClock
    let log: any AdapterLog
    /// Writes of our own, after which the board is read soon.
    let writes: OwnWrites
    /// A number from 0 to 1, so that many bots do not read at the same instants.
    let random: @Sendable () -> Double
    /// Called with every decision that was committed.
    let decided: @Sendable (Decision) -> Void

    private static let timeout: Duration = .seconds(60)

    func run() async {
        await ledger.begin(at: assembly.address)
        let kinds = ListingKind.allCases.filter { assembly.readers.contains($0.reader) }
        // What shows sessions is read when the board was, or its first reading would show none.
        let bells = Dictionary(uniqueKeysWithValues: kinds.filter(\.hasSession).map { ($0, Bell()) })
        await withTaskGroup(of: Void.self) { group in
            if assembly.readers.contains(.board) { group.addTask { await pollBoard(bells.values) } }
            if assembly.readers.contains(.health) {
                group.addTask { await pollHealth() }
            }
            if assembly.readers.contains(.costs) {
                group.addTask { await pollCosts() }
            }
            group.addTask { await watchCatalog() }
            for kind in kinds {
                group.addTask {
                    await bells[kind]?.wait()
                    await poll(kind)
                }
            }
        }
    }

    /// One reading of each, in the order in which rules depend on them.
    func once(_ readers: Set<Assembly.ReaderName>) async {
        await ledger.begin(at: assembly.address)
        if readers.contains(.health) { _ = await readHealth() }
        if readers.contains(.costs) { _ = await readCosts() }
        if readers.contains(.board) { _ = await readBoard(previous: nil) }
        for kind in ListingKind.allCases where readers.contains(kind.reader) { _ = await read(kind) }
    }

    // MARK: - Loops

    /// Pages come and go, a few hundred kilobytes each with what is parsed of them: afterwards that memory is given back.
    ///
    /// - Parameter bells: rung when the board was read.
    private func pollBoard(_ bells: some Collection<Bell>) async {
        var previous: BoardRows?
        await poll(.board, hearing: writes) {
            let rows = await readBoard(previous: previous)
            let outcome = rows?.outcome(after: previous)
            previous = rows.map { $0.isWhole ? $0 : (previous ?? BoardRows()).knowing($0.tooLarge) } ?? previous
            Heap.trim()
            for bell in bells { bell.ring() }
            return outcome
        }
    }

    private func pollHealth() async {
        var previous: HealthReading?
        await poll(.health) {
            switch await readHealth() {
            case nil: return nil
            case .failure(let error): return .failed(retryAfter: error.retryAfter)
            case .success(let reading):
                defer { previous = reading }
                return previous?.isStill(reading) == true ? .still : .moved
            }
        }
    }

    private func pollCosts() async {
        var previous: [CostsRequest: CostsReading] = [:]
        await poll(.costs) {
            guard let results = await readCosts() else { return nil }
            let readings = results.compactMapValues { try? $0.get() }
            defer { previous = readings }
            let errors = results.values.compactMap { if case .failure(let error) = $0 { error } else { nil } }
            if !errors.isEmpty { return .failed(retryAfter: errors.compactMap(\.retryAfter).max()) }
            return readings.allSatisfy { previous[$0.key]?.isStill($0.value) == true } ? .still : .moved
        }
    }

    private func poll(_ kind: ListingKind) async {
        var previous: Listing?
        await poll(kind.reader) {
            guard let listing = await read(kind) else { return nil }
            defer { if listing.isWhole { previous = listing } }
            return listing.outcome(after: previous)
        }
    }

    /// - Parameters:
    ///   - writes: those after which this reader reads soon.
    ///   - read: what came of a reading; nil when it was cut off by the end of this process.
    private func poll(
        _ reader: Assembly.ReaderName, hearing writes: OwnWrites? = nil, _ read: () async -> Pace.Outcome?
    ) async {
        var pace = assembly.pace(of: reader)
        // One reading in between, and the next at its time: else held writes, each asking for the next reading, would go
        // in seconds instead of poll by poll.
        var hears = true
        while !Task.isCancelled {
            let start = clock.elapsed()
            guard let outcome = await read() else { return }
            let took = clock.elapsed() - start
            await ledger.note(reader: reader.rawValue, isStretched: took * 4 > pace.interval)
            let end = start + took + pace.pause(after: outcome, took: took, random: random())
            let writes = hears ? writes : nil
            let isAsked = await rest(until: end, writes, since: start, pace.pauseAfterWrite(took: took))
            hears = !isAsked
        }
    }

    /// Waits for the time to read again; true when a write of ours asks for it before.
    ///
    /// - Parameters:
    ///   - start: of the reading before, and how long after it at the earliest a write may ask.
    private func rest(until end: Duration, _ writes: OwnWrites?, since start: Duration, _ pause: Duration) async -> Bool
    {
        while !Task.isCancelled {
            let now = clock.elapsed()
            if now >= end { return false }
            let isAsked = writes?.hasOne(since: start) ?? false
            if isAsked, now >= start + pause { return true }
            let left = (isAsked ? min(end, start + pause) : end) - now
            if let writes, !isAsked {
                await writes.wait(atMost: left, clock)
            } else {
                do { try await clock.sleep(for: left) } catch { return false }
            }
        }
        return false
    }

    /// At the start and once a day, where some step names what the catalog has.
    private func watchCatalog() async {
        let wanted = assembly.rules.catalogNames
        guard !wanted.isEmpty else { return await ledger.note(catalog: []) }
        var pace = Pace(interval: .seconds(86_400), adapts: false)
        while !Task.isCancelled {
            let start = clock.elapsed()
            let outcome = await readCatalog(wanted)
            let took = clock.elapsed() - start
            let pause = pace.pause(after: outcome, took: took, random: random())
            do { try await clock.sleep(for: pause) } catch { return }
        }
    }

    private func readCatalog(_ wanted: [Catalog.Wanted]) async -> Pace.Outcome {
        do throws(ZimmerError) {
            let document = try await assembly.client.configs(timeout: Self.timeout).document()
            await ledger.note(catalog: Catalog(document.root).causes(wanted))
            return .still
        } catch {
            return .failed(retryAfter: error.retryAfter)
        }
    }

    // MARK: - Readings

    /// Nil when it was cut off by the end of this process, as with the others.
    func readBoard(previous: BoardRows?) async -> BoardRows? {
        let number = await ledger.beginBoard()
        let rows = await assembly.boardReader.read(previous: previous, timeout: Self.timeout)
        if Task.isCancelled { return nil }
        let singles = await singles(await ledger.missing(from: rows))
        // What was cut off by the end of this process says nothing of Zimmer.
        if Task.isCancelled { return nil }
        await readDetails(await ledger.wanted(from: rows, singles: singles))
        if Task.isCancelled { return nil }
        await commit { try await ledger.take(rows, singles: singles, number: number) }
        await report("board", rows.error, rows.isWhole ? nil : rows.problem)
        return rows
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

    /// Sessions side by side. Once Zimmer does not answer, it is not asked for the rest.
    private func readDetails(_ requests: [Ledger.DetailRequest]) async {
        let errors = await withTaskGroup(of: ZimmerError?.self) { group in
            for lane in 0..<Self.detailLanes {
                group.addTask { await readDetails(requests, lane: lane) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        guard !requests.isEmpty, !Task.isCancelled else { return }
        let error = errors.lazy.compactMap(\.self).first
        assembly.calls.note("details", error, error?.description, await ledger.trouble)
    }

    private static let detailLanes = 4

    /// - Returns: what was wrong with an answer, if anything was.
    private func readDetails(_ requests: [Ledger.DetailRequest], lane: Int) async -> ZimmerError? {
        var error: ZimmerError?
        for index in stride(from: lane, to: requests.count, by: Self.detailLanes) where !Task.isCancelled {
            let details = await assembly.detailReader.details(
                requests[index].wanted, of: requests[index].row, lacking: await ledger.lackingFeatures(),
                at: await ledger.instant(), timeout: Self.timeout)
            await ledger.note(details, of: requests[index].row.id)
            error = error ?? details.badAnswer
            if details.isLost { break }
        }
        return error
    }

    func readHealth() async -> Result<HealthReading, ZimmerError>? {
        let number = await ledger.beginHealth()
        let result: Result<HealthReading, ZimmerError>
        do throws(ZimmerError) {
            var reading = try await assembly.reader.health(at: await ledger.instant(), timeout: Self.timeout)
            reading.readAt = reading.readAt + (await ledger.note(serverDate: reading.serverDate))
            result = .success(reading)
        } catch {
            if Task.isCancelled { return nil }
            result = .failure(error)
        }
        await commit { try await ledger.take(result, number: number) }
        await report("health", result)
        return result
    }

    func read(_ kind: ListingKind) async -> Listing? {
        let number = await ledger.begin(kind)
        var listing = await assembly.listingReader.read(kind, for: ledger, timeout: Self.timeout)
        if Task.isCancelled { return nil }
        // Where a later page did not come, what the one before said is old.
        if listing.error == nil {
            listing.readAt = listing.readAt + (await ledger.note(serverDate: listing.serverDate))
        }
        await readDetails(await ledger.wanted(from: listing))
        if Task.isCancelled { return nil }
        await commit { [listing] in try await ledger.take(listing, from: kind.reader.rawValue, number: number) }
        if listing.wasAsked {
            await report(kind.reader.rawValue, listing.error, listing.isWhole ? nil : listing.problem)
        }
        return listing
    }

    private func readCosts() async -> [CostsRequest: Result<CostsReading, ZimmerError>]? {
        let requests = await ledger.costsRequests()
        guard !requests.isEmpty else { return [:] }
        let readings = await self.readings(of: requests)
        if Task.isCancelled { return nil }
        await commit { try await ledger.take(readings) }
        await report(readings)
        return readings
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

    // MARK: - The log

    /// Writes down what became of a reading, once it was taken: in the words of `status` and of notices.
    private func report(_ reader: String, _ error: ZimmerError?, _ problem: String?) async {
        assembly.calls.note(reader, error, problem, await ledger.trouble)
    }

    private func report(_ reader: String, _ result: Result<some Any, ZimmerError>) async {
        var error: ZimmerError?
        if case .failure(let failure) = result { error = failure }
        await report(reader, error, error?.description)
    }

    /// Windows of costs are one reading: it failed where one of them did.
    func report(_ costs: [CostsRequest: Result<CostsReading, ZimmerError>]) async {
        let failed = costs.values.first { if case .failure = $0 { true } else { false } }
        if let result = failed ?? costs.values.first { await report("costs", result) }
    }

    func commit(_ decide: () async throws -> Decision) async {
        do {
            decided(try await decide())
        } catch {
            log.write(.error, "a decision could not be stored; nothing was done", [("problem", "\(error)")])
        }
    }
}
