public import AdapterKit
import Synchronization

/// A clock that moves when a test says so, and can say when somebody waits for it.
public final class TestClock: AdapterClock {
    private struct Sleeper {
        var end: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var start: WallTime
        var elapsed = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var nextID = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>

    public init(now: WallTime = WallTime(seconds: 1_791_547_320)) {
        state = Mutex(State(start: now))
    }

    public var now: WallTime {
        state.withLock { $0.start + $0.elapsed }
    }

    /// When the next sleeper wakes, from now; nil when nobody sleeps.
    public var untilNextWake: Duration? {
        state.withLock { state in state.sleepers.values.map(\.end).min().map { $0 - state.elapsed } }
    }

    public func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { begin(id, duration, $0) }
        } onCancel: {
            cancel(id)
        }
    }

    /// Moves the clock and wakes whoever's time has come.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state -> [Sleeper] in
            state.elapsed += duration
            let due = state.sleepers.filter { $0.value.end <= state.elapsed }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.end < $1.end }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Returns once at least this many sleep.
    public func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    private func begin(_ id: Int, _ duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        enum Begin {
            case asleep([CheckedContinuation<Void, Never>])
            case awake
            case cancelled
        }
        let begin = state.withLock { state in
            // Asked under the lock: a cancellation after this finds the sleeper.
            if Task.isCancelled { return Begin.cancelled }
            if duration <= .zero { return .awake }
            state.sleepers[id] = Sleeper(end: state.elapsed + duration, continuation: continuation)
            let count = state.sleepers.count
            defer { state.watchers.removeAll { $0.count <= count } }
            return .asleep(state.watchers.filter { $0.count <= count }.map(\.continuation))
        }
        switch begin {
        case .asleep(let watchers): for watcher in watchers { watcher.resume() }
        case .awake: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ id: Int) {
        state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }
}
