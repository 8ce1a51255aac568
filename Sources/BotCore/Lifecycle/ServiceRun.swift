/// One service and the two moments others wait for: that it should stop, that it has.
struct ServiceRun: Sendable {
    private let service: any Service
    private let shouldStop = Gate()
    private let hasEnded = Gate()

    init(_ service: any Service) {
        self.service = service
    }

    /// Runs the service, cancelling it when the gate opens.
    /// - Returns: what it threw, unless that is only the answer to the cancellation.
    func untilStopped() async -> (any Error)? {
        defer { hasEnded.open() }
        return await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask {
                defer { shouldStop.open() }
                do {
                    try await service.run()
                } catch is CancellationError where Task.isCancelled {
                    return nil
                } catch {
                    return error
                }
                return nil
            }
            await shouldStop.wait()
            group.cancelAll()
            return await group.next() ?? nil
        }
    }

    /// Drains the service, cancels it and waits for its end.
    func stop() async {
        await service.drain()
        shouldStop.open()
        await hasEnded.wait()
    }
}

/// Closed, then open for good. One task may wait at it; a cancelled one does not wait.
private struct Gate: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    }

    func open() {
        continuation.finish()
    }

    func wait() async {
        for await _ in stream {}
    }
}
