import AdapterKit
package import CEL

/// The time, as the bot sees it; tests and the demo pass in their own.
package protocol BotClock: Sendable {
    /// This machine's wall clock.
    func now() -> Timestamp
    /// Time that has passed since some instant: for how long something takes, as the wall clock may be put forward or
    /// back in the middle of it.
    func elapsed() -> Duration
    /// Returns when the time is up; throws `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws
}

/// The system's clocks: the wall clock for what time it is, the monotonic one for waiting.
package struct SystemClock: BotClock {
    private static let start = ContinuousClock.now

    package init() {}

    package func now() -> Timestamp {
        let time = SystemAdapterClock().now
        return Timestamp(seconds: time.seconds, nanoseconds: time.nanoseconds)
    }

    package func elapsed() -> Duration {
        Self.start.duration(to: .now)
    }

    package func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: max(duration, .zero))
    }
}
