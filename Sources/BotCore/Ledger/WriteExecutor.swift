import AdapterKit
import CEL
import Rules

/// Carries out the writes that rules decided: last look, intent, call, outcome, one after the other for each subject.
struct WriteExecutor: Sendable {
    let ledger: Ledger
    let client: ZimmerClient
    /// For what is done as a person; nil where the rules file has no `sign_in`, and in dry runs.
    let acting: ActingClient?
    let reader: ZimmerReader
    let listingReader: ListingReader
    let detailReader: DetailReader
    let clock: any BotClock
    /// How long a reading of CI must have stood before a write may rest on it: one poll of the board.
    let boardInterval: Duration
    /// Rung when there may be something to do.
    let bell: Bell
    /// Called when a call was made that changes something, or may have.
    let called: @Sendable () -> Void
    /// Rung when messages were put into the outbox.
    let posted: @Sendable () -> Void
    let log: @Sendable (String) -> Void
    /// A number from 0 to 1, for the jitter of retries.
    let random: @Sendable () -> Double
    /// Closed when the bot stops: what is under way is done first.
    let gate = WorkGate()
    let pulse: Pulse
    private let claims = WriteClaims()

    /// Writes that run side by side, each for another subject.
    private static let width = 4
    static let timeout: Duration = .seconds(30)
    /// Readings of health and costs that are younger need not be made again (docs/rules.md, "Last look").
    static let freshEnough: Duration = .seconds(30)

    func run() async {
        while !Task.isCancelled {
            pulse.beat()
            let asked = await ledger.instant()
            await workOff()
            await bell.wait(atMost: await pause(after: asked), clock)
        }
    }

    /// Does everything that can be done now, chains to their end.
    func workOff() async {
        var more = await pass()
        // What only waits is not looked at again just because something else got on.
        while !more.isEmpty { more = await pass(over: more) }
    }

    /// Goes once over what is to be written to these subjects, or to all.
    ///
    /// - Returns: subjects for which more can be done now: the next step of a chain, or another run.
    private func pass(over subjects: Set<SubjectID>? = nil) async -> Set<SubjectID> {
        do {
            var tasks = try await ledger.writeTasks(now: await ledger.instant(), of: subjects)
            if !tasks.isEmpty, await !ledger.isTimeKnown {
                guard await askTheTime(before: tasks) else { return [] }
                tasks = try await ledger.writeTasks(now: await ledger.instant(), of: subjects)
            }
            return await withTaskGroup(of: SubjectID?.self) { group in
                var waiting = tasks.makeIterator()
                func add(_ tasks: [Ledger.WriteTask]) {
                    group.addTask { await gate.pass { await perform(tasks) } ?? nil }
                }
                for _ in 0..<Self.width { waiting.next().map(add) }
                var more: Set<SubjectID> = []
                for await subject in group {
                    if let subject { more.insert(subject) }
                    if !Task.isCancelled { waiting.next().map(add) }
                }
                return more
            }
        } catch {
            log("writes cannot go on: \(error)")
            return []
        }
    }

    /// Asks Zimmer for the time before anything is written after a start: its clock may have been set since, and how long ago
    /// a call was made, and when the next is allowed, goes by it.
    ///
    /// - Returns: whether it answered. If not, those who wait for their last look say why.
    private func askTheTime(before tasks: [[Ledger.WriteTask]]) async -> Bool {
        do throws(ZimmerError) {
            try await readHealth()
            return true
        } catch {
            for case .look(let run) in tasks.joined() { try? await ledger.wait(run, error.description) }
            return false
        }
    }

    /// Until the next retry is due; anything else rings. What was due already when it was last asked for waits for a
    /// reading, as it would be asked for without end otherwise.
    private func pause(after asked: Timestamp) async -> Duration {
        guard let next = try? await ledger.nextAttempt(after: asked) else { return .seconds(60) }
        return min(max(next - (await ledger.instant()), .milliseconds(100)), .seconds(60))
    }

    /// What came of a task.
    private enum Progress {
        case done
        /// No call was made, so what comes after it need not wait.
        case withheld
        /// The same, because another subject's call to that session comes first.
        case busy
        /// A call was made, and is not done.
        case stuck
    }

    /// Goes through what is to be written to one subject, up to the first call; returns the subject when more can be done.
    private func perform(_ tasks: [Ledger.WriteTask]) async -> SubjectID? {
        var busy: SubjectID?
        for task in tasks where !Task.isCancelled {
            switch await perform(task) {
            case .done: return task.run.subject
            case .stuck: return busy
            case .withheld: continue
            case .busy: busy = task.run.subject
            }
        }
        return busy
    }

    private func perform(_ task: Ledger.WriteTask) async -> Progress {
        pulse.beat()
        do {
            switch task {
            case .look(let run): return try await look(run)
            case .settle(let attempt):
                let outcome = await settle(attempt)
                return try await finish(attempt, outcome, subject: try await settledSubject(of: attempt.run))
            }
        } catch {
            log("\(task.run.rule), \(task.run.subject): \(error)")
            return .stuck
        }
    }

    // MARK: - One write

    private func look(_ run: Run) async throws -> Progress {
        guard let prepared = await ledger.currentRules.rule(run.key.rule) else { return .withheld }
        if await ledger.isPaused(run.key.rule) { return try await withhold(run, .wait("the rule is paused")) }
        // Asked before anything is read: thousands may wait.
        if await ledger.isOverLimit(run) { return try await withhold(run, .wait("zimmer.limit")) }
        if let reason = await refresh(prepared, for: run) { return try await withhold(run, .wait(reason)) }
        let subject: Subject?
        switch await self.subject(of: run.key, prepared) {
        case .success(let found): subject = found
        case .failure(let stop): return try await withhold(run, stop.look)
        }
        let world = await ledger.snapshot()
        let look = prepared.lastLook(at: run, subject: subject, world: world, boardInterval: boardInterval)
        if case .skip(let reason) = look {
            if try await !ledger.skip(run.key, reason, subject: subject).posts.isEmpty { posted() }
            return .done
        }
        let evidence = prepared.evidence(at: run, subject: subject, world: world)
        guard case .go(let request) = look else { return try await withhold(run, look, evidence) }
        guard let request = try await consented(request, run, prepared, evidence) else { return .withheld }
        guard claims.claim(request.target) else { return .busy }
        defer { claims.release(request.target) }
        return try await write(request, of: run, subject, evidence)
    }

    /// What is to be written, once a person who has to be asked has allowed it; nil while nobody has.
    private func consented(
        _ request: WriteRequest, _ run: Run, _ prepared: PreparedRule, _ evidence: Evidence
    ) async throws -> WriteRequest? {
        guard let confirmation = prepared.steps(of: run.key.part)[run.step].confirmation else { return request }
        let person = request.kind == .authorizeMerge ? acting?.person : nil
        switch try await ledger.consent(to: request, confirmation, at: run, only: person) {
        case .given(let approved): return approved
        case .missing(let look):
            try await ledger.withhold(run.key, look, evidence: evidence, now: await ledger.instant())
            return nil
        }
    }

    /// Reads what is written to, and makes the call.
    private func write(
        _ request: WriteRequest, of run: Run, _ subject: Subject?, _ evidence: Evidence
    ) async throws -> Progress {
        let found: TargetReading?
        do throws(ZimmerError) {
            found = try await reading(of: request.target)
        } catch {
            return try await withhold(run, .wait(error.description), evidence)
        }
        guard let target = found else {
            return try await withhold(run, .withdrawn("\(request.target) is gone"), evidence)
        }
        if let stop = request.objection(to: target) { return try await withhold(run, stop, evidence) }
        var request = request
        request.noteBefore(target)
        guard let attempt = try await ledger.begin(run.key, request, evidence: evidence) else { return .withheld }
        return try await finish(attempt, await call(attempt, target), subject: subject)
    }

    private func withhold(
        _ run: Run, _ look: LastLook, _ evidence: Evidence = Evidence()
    ) async throws -> Progress {
        try await ledger.withhold(run.key, look, evidence: evidence, now: await ledger.instant())
        return .withheld
    }

    private func finish(_ attempt: Attempt, _ outcome: Attempt.Outcome, subject: Subject?) async throws -> Progress {
        let decision = try await ledger.finish(attempt, outcome, subject: subject)
        if !decision.posts.isEmpty { posted() }
        if case .done = outcome { return .done }
        return .stuck
    }

    // MARK: - Readings

    /// Why a subject could not be read for a last look.
    struct Stop: Error {
        var look: LastLook
    }

    /// Reads again what is not young enough; says why that failed.
    private func refresh(_ prepared: PreparedRule, for run: Run) async -> String? {
        do throws(ZimmerError) {
            if prepared.reads.contains("health") || prepared.namesPullRequests { try await refreshHealth() }
            if prepared.reads.contains("costs"),
                let request = prepared.costsRequest(slot: run.key.slot?.time)
            {
                try await refresh(request)
            }
            return nil
        } catch {
            return error.description
        }
    }

    private func refreshHealth() async throws(ZimmerError) {
        if let age = await ledger.healthAge(), age < Self.freshEnough { return }
        try await readHealth()
    }

    private func readHealth() async throws(ZimmerError) {
        let number = await ledger.beginHealth()
        await ledger.note(try await reader.health(at: await ledger.instant(), timeout: Self.timeout), number: number)
    }

    private func refresh(_ costs: CostsRequest) async throws(ZimmerError) {
        if let age = await ledger.age(of: costs), age < Self.freshEnough { return }
        let now = await ledger.instant()
        await ledger.note(
            try await reader.costs(costs.interval(now: now), at: now, timeout: Self.timeout), for: costs)
    }

    /// What goes on after a write was found to be done is said of the subject as it is now, or as it was last read.
    private func settledSubject(of key: RunKey) async throws -> Subject? {
        guard let prepared = await ledger.currentRules.rule(key.rule) else { return nil }
        guard case .success(let subject) = await subject(of: key, prepared) else {
            return await ledger.latest(key.subject, for: prepared)
        }
        return subject
    }

    private func subject(of key: RunKey, _ prepared: PreparedRule) async -> Result<Subject?, Stop> {
        guard prepared.watchable != nil else { return .success(nil) }
        if let kind = ListingKind(rawValue: key.subject.type) { return await subject(key.subject, of: kind, prepared) }
        guard key.subject.type == "session", let id = Int64(key.subject.id) else {
            return .success(await ledger.latest(key.subject, for: prepared))
        }
        switch await session(id, prepared.details) {
        case .failure(let stop): return .failure(stop)
        case .success(let reading):
            let frozen = prepared.namesPullRequests ? await ledger.pullRequestsFrozen(of: reading) : nil
            return .success(prepared.subject(reading, frozen: frozen))
        }
    }

    /// - Parameter details: what is wanted beyond its row.
    func session(_ id: Int64, _ details: Set<SessionDetail> = []) async -> Result<SessionReading, Stop> {
        do {
            guard let row = try await reader.session(id, timeout: Self.timeout) else {
                return .failure(Stop(look: .withdrawn("session \(id) is gone")))
            }
            if !details.isEmpty {
                let now = await ledger.instant()
                let read = await detailReader.details(
                    details, of: row, lacking: await ledger.lackingFeatures(), at: now, timeout: Self.timeout)
                await ledger.note(read, of: id)
            }
            return .success(await ledger.observe(row))
        } catch {
            return .failure(Stop(look: .wait(error.description)))
        }
    }
}
