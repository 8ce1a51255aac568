// Start here.
//
// A fact takes one way: `Pollers` read Zimmer, the `Ledger` takes each reading, decides on it and commits what was decided
// (`RuleSet.decide` in one transaction), channels are served from its outbox, and `WriteExecutor` carries out what is to
// be written to Zimmer. `Assembly` is everything that follows from a rules file; a reload makes a new one.

import AdapterKit
import CEL
package import Rules
import Synchronization

/// The daemon, without its command line.
package final class Bot: Service {
    package let name = "bot"
    package let ledger: Ledger
    private let environment: BotEnvironment
    private let onDecision: @Sendable (Decision) -> Void
    private let reloads: AsyncStream<Assembly>
    private let reload: AsyncStream<Assembly>.Continuation
    private let shift = Mutex<Shift?>(nil)
    /// Outlives a reload: the other side does not know of it.
    private let accounts = Accounts()
    private let signIns: SignInKeeper

    /// - Parameters:
    ///   - location: where the ledger is kept; opened here.
    ///   - onDecision: called with every decision that was committed, for `demo`.
    package init(
        _ assembly: Assembly, at location: StoreLocation, environment: BotEnvironment,
        onDecision: @escaping @Sendable (Decision) -> Void = { _ in }
    ) throws {
        self.environment = environment
        self.onDecision = onDecision
        signIns = SignInKeeper(location, clock: environment.clock)
        ledger = try Ledger(
            location, rules: assembly.rules, delivery: assembly.delivery, notices: assembly.file.notices,
            freshness: assembly.freshness,
            store: assembly.file.store, clock: environment.clock)
        (reloads, reload) = AsyncStream.makeStream(of: Assembly.self, bufferingPolicy: .bufferingNewest(1))
        reload.yield(assembly)
    }

    /// Puts another rules file in force. Everything that can fail was done when the assembly was made.
    package func replace(with assembly: Assembly) {
        reload.yield(assembly)
    }

    /// Runs until the task is cancelled.
    package func run() async {
        var inForce: Assembly?
        var next = await reloads.first { _ in true }
        while let wanted = next, !Task.isCancelled {
            let assembly = await putInForce(wanted) ? wanted : inForce ?? wanted
            inForce = assembly
            accounts.mend()
            let signIn = await signIns.signIn(for: assembly.acting)
            next = await withTaskGroup(of: Assembly?.self) { group in
                let shift = Shift(
                    assembly, self.ledger, self.environment, self.accounts, signIn, self.onDecision)
                self.shift.withLock { $0 = shift }
                group.addTask {
                    await shift.run()
                    return nil
                }
                group.addTask { await self.reloads.first { _ in true } }
                let replacement = await group.next() ?? nil
                if replacement != nil { await shift.drain() }
                group.cancelAll()
                return replacement
            }
        }
    }

    /// False when that could not be stored; what was in force then stays so.
    private func putInForce(_ assembly: Assembly) async -> Bool {
        do {
            try await ledger.replace(
                assembly.rules, delivery: assembly.delivery, notices: assembly.file.notices,
                freshness: assembly.freshness)
            await ledger.keep(assembly.file.store)
            await ledger.advise(assembly.advice)
            return true
        } catch {
            environment.log.write(.error, "the rules were not put in force", [("problem", "\(error)")])
            return false
        }
    }

    package func drain() async {
        await shift.withLock { $0 }?.drain()
    }

    /// How the channels fare.
    package var channels: [ChannelStatus] { shift.withLock { $0?.channels ?? [] } }

    /// Reads once and decides, on a copy of what is remembered; does nothing.
    package func plan(_ assembly: Assembly) async -> Plan {
        let decisions = Mutex<[Decision]>([])
        let shift = Shift(assembly, ledger, environment, accounts) { decision in
            decisions.withLock { $0.append(decision) }
        }
        await shift.read(assembly.readers)
        return await ledger.plan(decisions.withLock { $0 })
    }

    /// Reads once and decides, on a copy of what is remembered, and explains one rule; does nothing.
    ///
    /// - Parameters:
    ///   - subject: as people write it; nil for all that the rule watches.
    ///   - standing: of the bot that runs.
    package func explain(
        _ assembly: Assembly, _ prepared: PreparedRule, _ subject: String?, _ standing: BotStanding
    ) async throws -> Explained {
        let before = await ledger.currentMemory
        _ = try await ledger.note(standing.channels)
        let shift = Shift(assembly, ledger, environment, accounts) { _ in }
        await shift.read(assembly.readers)
        // As a slot that is due now: what it reads is read for this very instant.
        let now = environment.clock.now()
        if prepared.rule.schedule != nil { await shift.readCosts(for: prepared, slot: now) }
        return try await ledger.explain(
            prepared, subject, localNow: now, before: before, boardInterval: assembly.polling.board, standing)
    }

    /// Why something was not read the last time, in words; nil when all of it was.
    package var readingProblem: String? {
        get async { await ledger.readingProblem }
    }

    /// Reads once, decides, does and delivers what is due.
    ///
    /// - Parameter readers: what to read; nil for everything that the rules need.
    /// - Returns: why something was not read or not stored, in words; nil when all of it was.
    @discardableResult
    package func runOnce(_ assembly: Assembly, reading readers: Set<Assembly.ReaderName>? = nil) async -> String? {
        let signIn = await signIns.signIn(for: assembly.acting)
        let shift = Shift(assembly, ledger, environment, accounts, signIn, isPatient: false, onDecision)
        await ledger.advise(assembly.advice)
        await shift.once(readers ?? assembly.readers)
        if let problem = await ledger.readingProblem { return problem }
        if let problem = await ledger.storeProblem { return "a decision was not stored: \(problem)" }
        return shift.storeProblem
    }
}

/// The work under one rules file.
private struct Shift: Sendable {
    private let assembly: Assembly
    private let ledger: Ledger
    private let environment: BotEnvironment
    private let pollers: Pollers
    private let timekeeper: Timekeeper
    private let executor: WriteExecutor
    private let workers: [ChannelWorker]
    private let inbox: InboxWatcher
    private let credentials: CredentialWatch

    init(
        _ assembly: Assembly, _ ledger: Ledger, _ environment: BotEnvironment, _ accounts: Accounts,
        _ signIn: SignIn? = nil, isPatient: Bool = true,
        _ onDecision: @escaping @Sendable (Decision) -> Void
    ) {
        self.assembly = assembly
        self.ledger = ledger
        self.environment = environment
        let writes = Bell()
        let times = Bell()
        let ownWrites = OwnWrites()
        let delivery = assembly.delivery
        let workers = assembly.channels.map { channel in
            ChannelWorker(
                channel: channel.name, rules: delivery, adapter: channel.adapter, outbox: ledger, accounts: accounts,
                clock: environment.clock, log: environment.log, isPatient: isPatient, random: environment.random)
        }
        self.workers = workers
        assembly.hub.join(ledger, workers)
        let posted: @Sendable () -> Void = { for worker in workers { worker.wake() } }
        pollers = Pollers(
            assembly: assembly, ledger: ledger, clock: environment.clock, log: environment.log, writes: ownWrites,
            random: environment.random
        ) { decision in
            onDecision(decision)
            writes.ring()
            times.ring()
            posted()
        }
        timekeeper = Timekeeper(
            pollers: pollers, ledger: ledger, clock: environment.clock, bell: times, patience: assembly.polling.board,
            pulse: Pulse(environment.clock))
        executor = WriteExecutor(
            ledger: ledger, client: assembly.client,
            acting: signIn.flatMap { assembly.acting?.client($0) }, reader: assembly.reader,
            listingReader: assembly.listingReader, detailReader: assembly.detailReader, clock: environment.clock,
            boardInterval: assembly.polling.board,
            bell: writes, called: { [clock = environment.clock] in ownWrites.note(at: clock.elapsed()) },
            posted: posted,
            log: { [log = environment.log] in log.write(.warning, "a write did not go on", [("problem", $0)]) },
            random: environment.random, pulse: Pulse(environment.clock))
        credentials = CredentialWatch(
            edge: assembly.edge, signIn: signIn, ledger: ledger, clock: environment.clock, log: environment.log)
        inbox = InboxWatcher(
            ledger: ledger, clock: environment.clock, log: environment.log, pulse: Pulse(environment.clock)
        ) {
            writes.ring()
            times.ring()
            posted()
        }
    }

    func run() async {
        // Before anything is decided: what was said of them before a restart is not over yet.
        await credentials.report()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await credentials.run() }
            for worker in workers { group.addTask { await worker.run() } }
            group.addTask { await watchChannels() }
            group.addTask { await executor.run() }
            group.addTask { await timekeeper.run() }
            group.addTask { await inbox.run() }
            group.addTask { await pollers.run() }
            if let heartbeat { group.addTask { await heartbeat.run() } }
        }
    }

    /// The sign of life, where somebody waits for it.
    private var heartbeat: Heartbeat? {
        assembly.heartbeat.map { target in
            Heartbeat(
                target: target, version: environment.version, clock: environment.clock, log: environment.log,
                health: { await health() }, notice: { [ledger] in await ledger.note(heartbeat: $0) })
        }
    }

    /// No part of the bot takes longer for one step of its work.
    private static let longest: Duration = .seconds(900)

    private func health() async -> BotHealth {
        let parts = [("writes", executor.pulse), ("timekeeping", timekeeper.pulse), ("the inbox", inbox.pulse)]
        var ailments = parts.filter { $0.1.silence > Self.longest }.map { "\($0.0) hangs" }
        ailments += workers.compactMap { $0.ailment(limit: Self.longest) }
        let health = await ledger.health(reading: assembly.readers)
        switch health {
        case .well, .starting: return ailments.isEmpty ? health : .ill(ailments)
        case .ill(let reasons): return .ill(reasons + ailments)
        }
    }

    /// Stores how the channels fare whenever that changes, and lets rules see it.
    private func watchChannels() async {
        var last: [ChannelStatus] = []
        while !Task.isCancelled {
            let current = channels
            if current != last {
                last = current
                do {
                    if try await ledger.note(current), assembly.rules.readsChannels { await timekeeper.decide() }
                } catch {
                    environment.log.write(.error, "the state of the channels was not stored", [("problem", "\(error)")])
                }
            }
            do { try await environment.clock.sleep(for: .seconds(1)) } catch { return }
        }
    }

    func once(_ readers: Set<Assembly.ReaderName>) async {
        await withTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { await worker.run() } }
            await inbox.pass()
            await credentials.pass()
            await read(readers)
            await executor.workOff()
            for worker in workers {
                worker.wake()
                await worker.settled()
            }
            _ = try? await ledger.note(channels)
            group.cancelAll()
        }
    }

    /// Reads once and decides.
    func read(_ readers: Set<Assembly.ReaderName>) async {
        await pollers.once(readers)
        await timekeeper.decide()
    }

    /// Reads the costs that a slot would have.
    func readCosts(for prepared: PreparedRule, slot: Timestamp) async {
        for request in prepared.costsRequests(slot: slot) {
            let now = await ledger.instant()
            do throws(ZimmerError) {
                let reading = try await assembly.reader.costs(
                    request.interval(now: now), at: now, timeout: .seconds(30))
                await ledger.note(reading, for: request)
            } catch {
                // Said as what is missing.
                continue
            }
        }
    }

    /// Starts nothing new that others would notice, and returns when what is under way is done and written down.
    func drain() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await executor.gate.close() }
            if let signIn = credentials.signIn { group.addTask { await signIn.settle() } }
            for worker in workers { group.addTask { await worker.drain() } }
        }
    }

    var channels: [ChannelStatus] { workers.map(\.status) }

    /// What the store did not take, where that is not tried again.
    var storeProblem: String? { workers.lazy.compactMap(\.problem).first }
}
