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
        /// Sleeps that were cancelled before they began.
        var cancelled: Set<Int> = []
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
        let (result, reached) = state.withLock { state in
            if state.cancelled.remove(id) != nil {
                return (
                    Result<Void, any Error>.failure(CancellationError()) as Result?,
                    [CheckedContinuation<Void, Never>]()
                )
            }
            if duration <= .zero { return (.success(()), []) }
            state.sleepers[id] = Sleeper(end: state.elapsed + duration, continuation: continuation)
            let count = state.sleepers.count
            let reached = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return (nil, reached)
        }
        if let result { continuation.resume(with: result) }
        for watcher in reached { watcher.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: id)
            if sleeper == nil { state.cancelled.insert(id) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
