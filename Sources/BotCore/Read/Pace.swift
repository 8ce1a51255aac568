/// When a reader reads again: what came of a reading goes in, the pause after it comes out.
///
/// An interval that the rules file leaves at its default grows while nothing moves, up to twice itself, which is below the
/// three intervals after which a reading is stale; one that is written is taken as written. A reader takes at most a quarter
/// of its time, or its readings are that much further apart.
struct Pace: Sendable {
    /// What came of a reading.
    enum Outcome: Hashable, Sendable {
        /// Something in it is another than in the reading before.
        case moved
        case still
        /// It failed, or brought only a part.
        ///
        /// - Parameter retryAfter: what Zimmer asks for, if it does.
        case failed(retryAfter: Duration?)
    }

    let interval: Duration
    /// Nobody wrote the interval down, so it may grow.
    let adapts: Bool
    /// Readings in a row in which nothing moved.
    private var still = 0
    /// Readings in a row that failed.
    private var failures = 0

    init(interval: Duration, adapts: Bool) {
        self.interval = interval
        self.adapts = adapts
    }

    /// So many readings without a change before an interval begins to grow, and so many steps until it is twice as long.
    private static let patience = 10
    private static let steps = 10
    /// Shorter ones are written by somebody who wants them so.
    private static let shortestWithJitter: Duration = .seconds(15)
    private static let firstRetry: Duration = .seconds(10)
    private static let longestRetry: Duration = .seconds(120)
    /// However long Zimmer asks to be left alone.
    private static let longestWish: Duration = .seconds(3_600)
    /// Two readings are at least so far apart when a write of ours asks for the second.
    private static let shortestAfterWrite: Duration = .seconds(2)

    /// How long to wait from the end of a reading.
    ///
    /// - Parameters:
    ///   - took: from the reading's beginning to its end.
    ///   - random: from 0 to 1. Chance only lengthens an interval: that CI reads so for one poll is told by the clock.
    mutating func pause(after outcome: Outcome, took: Duration, random: Double) -> Duration {
        if case .failed(let wish) = outcome {
            failures = min(failures + 1, 32)
            return max(retry(random), min(took * 3, longestRetry), min(wish ?? .zero, Self.longestWish))
        }
        failures = 0
        still = outcome == .still ? min(still + 1, Self.patience + Self.steps) : 0
        let jitter = interval < Self.shortestWithJitter ? 1 : 1 + 0.05 * random
        return max(stretched * jitter, took * 4) - took
    }

    /// From the beginning of a reading to the one that shows what we wrote meanwhile.
    func pauseAfterWrite(took: Duration) -> Duration { max(Self.shortestAfterWrite, took * 4) }

    private var stretched: Duration {
        guard adapts else { return interval }
        return interval + interval / Self.steps * min(max(still - Self.patience + 1, 0), Self.steps)
    }

    private var longestRetry: Duration { max(interval, Self.longestRetry) }

    /// Doubling with full jitter, behind a first one that is certain. A second at least: what fails at once is not asked
    /// without end.
    private func retry(_ random: Double) -> Duration {
        let first = min(interval, Self.firstRetry)
        guard failures > 1 else { return first }
        let longest = min(first * (1 << min(failures - 1, 20)), longestRetry)
        return max(longest * random, min(first, .seconds(1)))
    }
}
