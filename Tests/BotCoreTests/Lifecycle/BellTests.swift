import AdapterKit
import AdapterKitTesting
import BotCore
import Testing

@Suite(.timeLimit(.minutes(10))) struct BellTests {
    private let bell = Bell()
    private let clock = ManualClock()

    @Test func `a ring while nobody listens is kept, several as one`() async {
        bell.ring()
        bell.ring()
        await bell.wait()
        await expectSilence()
    }

    @Test func `after a wait whose time was up it still rings, and only when rung`() async {
        for _ in 0..<3 { await expectSilence() }
        bell.ring()
        await bell.wait()
    }

    @Test func `a cancelled wait returns and takes no ring with it`() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await bell.wait() }
            group.cancelAll()
        }
        bell.ring()
        await bell.wait()
    }

    /// A bell that rang by itself would end the wait, and wake the clock's sleeper, before the clock does.
    private func expectSilence() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await bell.wait(atMost: .seconds(1), clock) }
            await clock.clock.sleepers(1)
            for _ in 0..<20 { await Task.yield() }
            #expect(clock.clock.untilNextWake == .seconds(1))
            clock.clock.advance(by: .seconds(1))
        }
    }
}
