import AdapterKit
import AdapterKitTesting
import CEL
import Rules
import Synchronization
import Testing

@testable import BotCore

@Suite(.timeLimit(.minutes(10))) struct ChannelWorkerTests {
    private let clock = ManualClock()
    private let outbox = MemoryOutbox()
    private let log = RecordingLog()

    private func worker(_ adapter: any Adapter) -> ChannelWorker {
        ChannelWorker(channel: "ops", adapter: adapter, outbox: outbox, clock: clock, log: log, random: { 1 })
    }

    /// Runs the worker as long as the body.
    private func running<Result: Sendable>(
        _ worker: ChannelWorker, _ body: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                await worker.run()
                return nil
            }
            let result = try await body()
            group.cancelAll()
            return result
        }
    }

    @Test func `everything that is due goes, in order, with its id`() async throws {
        for number in 1...40 { await outbox.append("dlv_\(number)", at: clock.now()) }
        let adapter = ScriptedAdapter()
        let worker = worker(adapter)
        try await running(worker) { await worker.settled() }
        #expect(adapter.given.map(\.id.text) == (1...40).map { "dlv_\($0)" })
        #expect(await outbox.outcomes.count == 40)
        #expect(await outbox.outcomes[DeliveryID("dlv_1")] == .delivered(Receipt(id: "$dlv_1")))
        #expect(worker.status.waiting == 0)
    }

    @Test func `what is put in later goes when it is said`() async throws {
        let worker = worker(ScriptedAdapter())
        try await running(worker) { [outbox, clock] in
            await worker.settled()
            await outbox.append("dlv_1", at: clock.now())
            worker.wake()
            await worker.settled()
        }
        #expect(await outbox.outcomes.count == 1)
    }

    @Test func `a message that waits goes again when its time has come`() async throws {
        await outbox.append("dlv_1", at: clock.now())
        let adapter = ScriptedAdapter([.wait(reason: "busy", retryAfter: .seconds(30))])
        let worker = worker(adapter)
        try await running(worker) { [clock] in
            await worker.settled()
            #expect(worker.status.state == .paused)
            await clock.clock.sleepers(1)
            #expect(clock.clock.untilNextWake == .seconds(30))
            worker.wake()  // Somebody else's message changes nothing.
            await worker.settled()
            await clock.clock.sleepers(1)
            var started = adapter.started.makeAsyncIterator()
            _ = await started.next()
            clock.clock.advance(by: .seconds(30))
            _ = await started.next()
            worker.wake()
            await worker.settled()
        }
        #expect(adapter.given.map(\.attempt) == [1, 2])
        #expect(await outbox.outcomes.count == 1)
        #expect(worker.status.state == .up)
    }

    @Test func `an urgent message overtakes those that wait, not the one under way`() async throws {
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        for number in 1...3 { await outbox.append("dlv_\(number)", at: clock.now()) }
        let adapter = ScriptedAdapter(held: held)
        let worker = worker(adapter)
        try await running(worker) { [outbox, clock] in
            var started = adapter.started.makeAsyncIterator()
            _ = await started.next()
            await outbox.append("dlv_9", urgency: .high, at: clock.now())
            worker.wake()
            for _ in 1...4 { release.yield() }
            await worker.settled()
        }
        #expect(adapter.given.map(\.id.text) == ["dlv_1", "dlv_9", "dlv_2", "dlv_3"])
    }

    @Test func `one channel that hangs holds up no other`() async throws {
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        await outbox.append("dlv_1", at: clock.now())
        let stuck = ScriptedAdapter(held: held)
        let other = ScriptedAdapter()
        let otherOutbox = MemoryOutbox()
        await otherOutbox.append("dlv_2", at: clock.now())
        let first = worker(stuck)
        let second = ChannelWorker(
            channel: "pager", adapter: other, outbox: otherOutbox, clock: clock, log: log, random: { 1 })
        try await running(first) {
            var started = stuck.started.makeAsyncIterator()
            _ = await started.next()
            try await running(second) { await second.settled() }
        }
        #expect(await otherOutbox.outcomes.count == 1)
        #expect(await outbox.outcomes.isEmpty)
        release.finish()
    }

    @Test func `an outcome that cannot be written is written later, and nothing goes twice`() async throws {
        await outbox.append("dlv_1", at: clock.now())
        await outbox.append("dlv_2", at: clock.now())
        await outbox.refuseWrites(3)
        let adapter = ScriptedAdapter()
        let worker = worker(adapter)
        try await running(worker) { [clock] in
            for seconds in [1, 2, 4] {
                await clock.clock.sleepers(1)
                clock.clock.advance(by: .seconds(seconds))
            }
            await worker.settled()
        }
        #expect(adapter.given.map(\.id.text) == ["dlv_1", "dlv_2"])
        #expect(await outbox.outcomes.count == 2)
        #expect(log.lines.count { $0.contains("cannot be written down") } == 3)
    }

    @Test func `a single round does not wait for a full disk, and says so`() async throws {
        for number in 1...2 { await outbox.append("dlv_\(number)", at: clock.now()) }
        await outbox.refuseWrites(.max)
        let adapter = ScriptedAdapter()
        let worker = ChannelWorker(
            channel: "ops", adapter: adapter, outbox: outbox, clock: clock, log: log, isPatient: false)
        try await running(worker) { await worker.settled() }
        #expect(adapter.given.map(\.id.text) == ["dlv_1"])
        #expect(await outbox.waiting.count == 2)
        #expect(worker.problem == "the outbox of 'ops' was not written: Failure()")
    }

    @Test func `messages beyond the deadline become one line`() async throws {
        await outbox.append("dlv_1", at: clock.now() - .seconds(7200))
        await outbox.append("dlv_2", urgency: .high, at: clock.now() - .seconds(7200))
        await outbox.append("dlv_3", at: clock.now() - .seconds(3660))
        let adapter = ScriptedAdapter()
        let worker = worker(adapter)
        try await running(worker) { await worker.settled() }
        #expect(await outbox.outcomes[DeliveryID("dlv_1")] == .folded("older than the channel's deadline"))
        #expect(await outbox.outcomes[DeliveryID("dlv_2")] == .delivered(Receipt(id: "$dlv_2")))
        #expect(
            adapter.given.map(\.message.body.plainText) == [
                "Fix login failed",
                "2 messages were held from 2026-10-09 10:02 to 2026-10-09 11:01 (failed-session 2); 'zimmer-bot log' has them.",
            ])
    }

    @Test func `channels of one account with paces of their own keep to them`() {
        let accounts = Accounts()
        let (slow, fast) = (Rate(burst: 1, per: .seconds(60)), Rate(burst: 1, per: .seconds(1)))
        accounts.take(from: "bot", slow, now: clock.now())
        #expect(accounts.delay(of: "bot", fast, now: clock.now()) == .zero)
        accounts.take(from: "bot", fast, now: clock.now())
        clock.clock.advance(by: .seconds(1))
        #expect(accounts.delay(of: "bot", fast, now: clock.now()) == .zero)
        #expect(accounts.delay(of: "bot", slow, now: clock.now()) == .seconds(59))
    }

    @Test func `a credential may be mended by a reload, a wait that was asked for is not over by it`() {
        let accounts = Accounts()
        accounts.pause("asked", until: clock.now() + .seconds(60), isAsked: true)
        accounts.pause("refused", until: clock.now() + .seconds(60), isAsked: false)
        for name in ["asked", "refused"] {
            #expect(accounts.delay(of: name, nil, now: clock.now()) == .seconds(60))
        }
        accounts.mend()
        #expect(accounts.delay(of: "asked", nil, now: clock.now()) == .seconds(60))
        #expect(accounts.delay(of: "refused", nil, now: clock.now()) == .zero)
    }

    @Test func `channels of one account wait together`() async throws {
        let accounts = Accounts()
        let busy = ScriptedAdapter([.wait(reason: "429", retryAfter: .seconds(30), affects: .account)])
        await outbox.append("dlv_1", at: clock.now())
        let first = ChannelWorker(
            channel: "ops", adapter: busy, outbox: outbox, accounts: accounts, clock: clock, log: log, random: { 1 })
        try await running(first) { await first.settled() }
        let other = ScriptedAdapter()
        let otherOutbox = MemoryOutbox()
        await otherOutbox.append("dlv_2", at: clock.now())
        let second = ChannelWorker(
            channel: "pager", adapter: other, outbox: otherOutbox, accounts: accounts, clock: clock, log: log,
            random: { 1 })
        try await running(second) { [clock] in
            await second.settled()
            #expect(other.given.isEmpty)
            await clock.clock.sleepers(1)
            #expect(clock.clock.untilNextWake == .seconds(30))
            clock.clock.advance(by: .seconds(30))
            var started = other.started.makeAsyncIterator()
            _ = await started.next()
        }
    }

    @Test func `messages go no faster than the file says`() async throws {
        var rules = DeliveryRules(channels: ["ops"])
        rules.channels["ops"]?.rate = ChannelDelivery.Rate(burst: 2, interval: .seconds(10))
        for number in 1...4 { await outbox.append("dlv_\(number)", at: clock.now()) }
        let adapter = ScriptedAdapter()
        let worker = ChannelWorker(
            channel: "ops", rules: rules, adapter: adapter, outbox: outbox, clock: clock, log: log, random: { 1 })
        try await running(worker) { [clock] in
            var started = adapter.started.makeAsyncIterator()
            _ = await started.next()
            _ = await started.next()
            await worker.settled()
            for _ in 3...4 {
                await clock.clock.sleepers(1)
                #expect(clock.clock.untilNextWake == .seconds(10))
                clock.clock.advance(by: .seconds(10))
                _ = await started.next()
            }
        }
        #expect(adapter.given.count == 4)
    }

    @Test func `draining lets the delivery under way finish and starts no other`() async throws {
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        for number in 1...2 { await outbox.append("dlv_\(number)", at: clock.now()) }
        let adapter = ScriptedAdapter(held: held)
        let worker = worker(adapter)
        try await running(worker) {
            var started = adapter.started.makeAsyncIterator()
            _ = await started.next()
            async let drained: Void = worker.drain()
            release.yield()
            await drained
        }
        #expect(adapter.given.count == 1)
        #expect(await outbox.outcomes == [DeliveryID("dlv_1"): .delivered(Receipt(id: "$dlv_1"))])
        #expect(await outbox.waiting.map(\.id.text) == ["dlv_2"])
    }

    @Test func `a delivery that a stop cuts off is no failure and stays where it was`() async throws {
        let (held, _) = AsyncStream.makeStream(of: Void.self)
        await outbox.append("dlv_1", at: clock.now())
        let adapter = ScriptedAdapter(held: held)
        let worker = worker(adapter)
        try await running(worker) {
            var started = adapter.started.makeAsyncIterator()
            _ = await started.next()
        }
        #expect(await outbox.outcomes.isEmpty)
        #expect(await outbox.retries.isEmpty)
        #expect(await outbox.waiting.count == 1)
        await worker.drain()  // After the end it returns at once.
    }
}
