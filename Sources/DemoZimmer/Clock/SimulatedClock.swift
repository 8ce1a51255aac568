/// What time the server believes it is.
package struct SimulatedClock: Sendable {
    private enum Drive: Sendable {
        case byHand
        case running(since: ContinuousClock.Instant, speed: Double)
    }

    private var base: ServerTime
    private let drive: Drive

    /// A clock that stands still until it is advanced.
    package static func manual(at start: ServerTime) -> Self {
        Self(base: start, drive: .byHand)
    }

    /// A clock that runs `speed` times as fast as the wall, from now on.
    package static func running(from start: ServerTime, speed: Double) -> Self {
        Self(base: start, drive: .running(since: ContinuousClock.now, speed: speed.isFinite ? max(0, speed) : 0))
    }

    package var now: ServerTime {
        switch drive {
        case .byHand: base
        case .running(let since, let speed): base + (ContinuousClock.now - since) * speed
        }
    }

    /// Puts the clock forward; a running one runs on from there. A negative duration is ignored: no server's time
    /// goes back while a test looks on.
    package mutating func advance(by duration: Duration) {
        base = base + max(.zero, duration)
    }
}
