import Synchronization

/// Wakes one waiting loop. Rings while nobody listens are kept as one.
public final class Bell: Sendable {
    private struct State {
        var hasRung = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextID = 0
    }

    private let state = Mutex(State())

    public init() {}

    public func ring() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            state.hasRung = state.waiting.isEmpty
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns at the next ring, at once when there was one since the last call; also when the task is cancelled, after which
    /// the bell serves others as before. (An `AsyncStream` would be over then.)
    public func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { begin(id, $0) }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private func begin(_ id: Int, _ continuation: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            // Asked under the lock: a cancellation after this finds the continuation.
            if Task.isCancelled { return true }
            if state.hasRung {
                state.hasRung = false
                return true
            }
            state.waiting[id] = continuation
            return false
        }
        if isOver { continuation.resume() }
    }

    /// As `wait`, but at most for so long; at once where that is no time at all.
    public func wait(atMost duration: Duration, _ clock: any AdapterClock) async {
        guard duration > .zero else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
