/// Tells the time and waits. A test passes its own.
public protocol AdapterClock: Sendable {
    /// The time of day. May jump.
    var now: WallTime { get }

    /// Waits, unaffected by jumps of the time of day.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// Tells the time and waits, by the system's clocks.
public struct SystemAdapterClock: AdapterClock {
    public init() {}

    public var now: WallTime { WallTime.systemNow() }

    public func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }
}
