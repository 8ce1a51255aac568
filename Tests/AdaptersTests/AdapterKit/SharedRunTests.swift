import AdapterKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct SharedRunTests {
    /// Work that says when it begins and goes on until it is cancelled.
    private final class Work: Sendable {
        private let counts = Mutex((begun: 0, running: 0, most: 0))
        private let (beginnings, continuation) = AsyncStream.makeStream(of: Void.self)
        private let never = AsyncStream<Void>.makeStream()

        var most: Int { counts.withLock { $0.most } }
        var begun: Int { counts.withLock { $0.begun } }

        func run() async {
            counts.withLock { counts in
                counts.begun += 1
                counts.running += 1
                counts.most = max(counts.most, counts.running)
            }
            continuation.yield()
            for await _ in never.stream {}
            counts.withLock { $0.running -= 1 }
        }

        func begins() async {
            var iterator = beginnings.makeAsyncIterator()
            await iterator.next()
        }
    }

    @Test func `of several callers one does the work, and another goes on when that one is cancelled`() async {
        let work = Work()
        let shared = SharedRun { await work.run() }
        await withTaskGroup(of: Void.self) { all in
            all.addTask {
                await withTaskGroup(of: Void.self) { first in
                    first.addTask { await shared.run() }
                    await work.begins()
                    // Two more wait for their turn, one of which gives up while it waits.
                    first.addTask { await shared.run() }
                    first.cancelAll()
                }
            }
            await all.next()
            all.addTask { await shared.run() }
            await work.begins()
            all.cancelAll()
        }
        #expect(work.most == 1)
        #expect(work.begun == 2)
    }

    @Test func `work that ends by itself is passed on`() async {
        let count = Mutex(0)
        let shared = SharedRun { count.withLock { $0 += 1 } }
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...20 { group.addTask { await shared.run() } }
        }
        #expect(count.withLock { $0 } == 20)
    }

    @Test func `whoever is cancelled before does not begin`() async {
        let count = Mutex(0)
        let shared = SharedRun { count.withLock { $0 += 1 } }
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { await shared.run() }
        }
        #expect(count.withLock { $0 } == 0)
    }
}
