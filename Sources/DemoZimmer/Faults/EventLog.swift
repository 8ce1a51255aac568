import Synchronization

/// A list that only grows, and whose future elements can be waited for: tests wait for events, not for time.
package final class EventLog<Element: Sendable>: Sendable {
    private struct Waiter {
        var matches: @Sendable (Element) -> Bool
        var remaining: Int
        var continuation: CheckedContinuation<Element, any Error>
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var isFinished = false
        var streams: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var elements: [Element] {
        state.withLock { $0.elements }
    }

    package var count: Int {
        state.withLock { $0.elements.count }
    }

    /// Adds an element and wakes whoever waited for it.
    package func append(_ element: Element) {
        let woken = state.withLock { state in
            state.elements.append(element)
            for stream in state.streams.values { stream.yield(element) }
            var woken: [CheckedContinuation<Element, any Error>] = []
            for (id, waiter) in state.waiters where waiter.matches(element) {
                state.waiters[id]?.remaining -= 1
                if waiter.remaining > 1 { continue }
                woken.append(waiter.continuation)
                state.waiters[id] = nil
            }
            return woken
        }
        for continuation in woken { continuation.resume(returning: element) }
    }

    package func removeAll() {
        state.withLock { $0.elements = [] }
    }

    /// The `number`th matching element, past ones included: at once when it is there, else as soon as it comes.
    ///
    /// - Parameter offset: how many of the oldest elements do not count.
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    package func element(
        _ number: Int = 1, from offset: Int = 0, where matches: @escaping @Sendable (Element) -> Bool
    ) async throws -> Element {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(id, number, from: offset, where: matches, continuation)
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func wait(
        _ id: Int, _ number: Int, from offset: Int, where matches: @escaping @Sendable (Element) -> Bool,
        _ continuation: CheckedContinuation<Element, any Error>
    ) {
        let present = state.withLock { state -> Result<Element, any Error>? in
            // A cancel that came before this found nobody to wake.
            if Task.isCancelled { return .failure(CancellationError()) }
            let matching = state.elements.dropFirst(offset).lazy.filter(matches)
            if let element = matching.dropFirst(number - 1).first { return .success(element) }
            if state.isFinished { return .failure(CancellationError()) }
            let remaining = number - matching.count
            state.waiters[id] = Waiter(matches: matches, remaining: remaining, continuation: continuation)
            return nil
        }
        if let present { continuation.resume(with: present) }
    }

    /// Everything from now on.
    package func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let id = state.withLock { state in
            state.nextWaiter += 1
            if state.isFinished {
                continuation.finish()
            } else {
                state.streams[state.nextWaiter] = continuation
            }
            return state.nextWaiter
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.streams[id] = nil }
        }
        return stream
    }

    /// Ends every stream, and every wait, later ones too, with a `CancellationError`.
    package func finish() {
        let (waiters, streams) = state.withLock { state in
            state.isFinished = true
            defer { (state.waiters, state.streams) = ([:], [:]) }
            return (Array(state.waiters.values), Array(state.streams.values))
        }
        for waiter in waiters { waiter.continuation.resume(throwing: CancellationError()) }
        for stream in streams { stream.finish() }
    }
}
