import Synchronization

/// Runs one thing for several callers: a connection that serves many channels.
///
/// Of those that call `run()` one does the work and the others wait; when that one is cancelled, another goes on with it.
public final class SharedRun: Sendable {
    private struct State {
        var isTaken = false
        var nextID = 0
        var waiting: [(id: Int, turn: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Mutex(State())
    private let work: @Sendable () async -> Void

    /// - Parameter work: Runs until its task is cancelled; begins anew with each caller that takes over.
    public init(_ work: @escaping @Sendable () async -> Void) {
        self.work = work
    }

    /// Returns when the calling task is cancelled, or when its turn came and the work ended by itself.
    public func run() async {
        guard await takeTurn() else { return }
        if !Task.isCancelled { await work() }
        passOn()
    }

    /// Waits until nobody does the work; false when cancelled before that.
    private func takeTurn() async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                let answer: Bool? = state.withLock { state in
                    // Asked under the lock: a cancellation after this finds the entry.
                    if Task.isCancelled { return false }
                    if state.isTaken {
                        state.waiting.append((id, turn))
                        return nil
                    }
                    state.isTaken = true
                    return true
                }
                if let answer { turn.resume(returning: answer) }
            }
        } onCancel: {
            let turn = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).turn }
            }
            turn?.resume(returning: false)
        }
    }

    private func passOn() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        next?.resume(returning: true)
    }
}
