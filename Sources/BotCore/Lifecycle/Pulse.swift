import Synchronization

/// When a part of the bot last went on, so that it is seen when one hangs.
final class Pulse: Sendable {
    private let clock: any BotClock
    private let last: Mutex<Duration>

    init(_ clock: any BotClock) {
        self.clock = clock
        last = Mutex(clock.elapsed())
    }

    func beat() {
        let now = clock.elapsed()
        last.withLock { $0 = now }
    }

    /// How long it has not gone on.
    var silence: Duration {
        let now = clock.elapsed()
        return last.withLock { now - $0 }
    }
}
