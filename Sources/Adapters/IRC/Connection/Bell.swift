import AdapterKit
import Synchronization

/// Wakes the one task that waits for it. Rung while nobody waits, it ends the next wait at once.
final class Bell: Sendable {
    private struct State {
        var isRung = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func ring() {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let waiting = state.waiting.take() else {
                state.isRung = true
                return nil
            }
            return waiting
        }?.resume()
    }

    /// Returns when rung, when the time is over, or when the task is cancelled.
    func wait(atMost duration: Duration, _ clock: any AdapterClock) async {
        guard duration > .zero else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns when rung, or when the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // Asked under the lock: a cancellation after this finds the entry.
                    if Task.isCancelled { return true }
                    if state.isRung {
                        state.isRung = false
                        return true
                    }
                    state.waiting = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume()
        }
    }
}
