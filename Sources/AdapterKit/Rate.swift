/// How fast something may go: so many at once, then one each time `interval` is over.
public struct Rate: Hashable, Sendable {
    /// At least 1.
    public var burst: Int
    /// Not negative.
    public var interval: Duration

    public init(burst: Int, per interval: Duration) {
        self.burst = max(1, burst)
        self.interval = max(.zero, interval)
    }
}

/// Says when the next may go.
public struct Pacer: Hashable, Sendable {
    public let rate: Rate
    /// When all of `burst` may go at once again.
    private var fullAt: WallTime?

    public init(_ rate: Rate) {
        self.rate = rate
    }

    /// How long the next has to wait, from now; zero when it may go at once.
    public func delay(now: WallTime) -> Duration {
        guard let fullAt else { return .zero }
        let excess = (fullAt - now) - rate.interval * (rate.burst - 1)
        // Longer than this only where the clock was put back.
        return min(max(excess, .zero), rate.interval)
    }

    /// Counts one that goes now.
    public mutating func take(now: WallTime) {
        let most = now + rate.interval * rate.burst
        fullAt = min(max(fullAt ?? now, now) + rate.interval, most)
    }
}
