/// Wakes one waiting loop. Rings while nobody listens are kept as one.
package final class Bell: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func ring() {
        continuation.yield()
    }

    /// Returns at the next ring, at once when there was one since the last call; also when the task is cancelled.
    package func wait() async {
        var iterator = stream.makeAsyncIterator()
        await iterator.next()
    }

    /// As `wait`, but at most for so long.
    package func wait(atMost duration: Duration, _ clock: any BotClock) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
