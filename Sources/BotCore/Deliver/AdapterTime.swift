package import AdapterKit
import CEL

/// Gives adapters and deliveries the bot's clock.
package struct AdapterTime: AdapterClock {
    private let clock: any BotClock

    package init(_ clock: any BotClock) {
        self.clock = clock
    }

    package var now: WallTime { WallTime(clock.now()) }

    package func sleep(for duration: Duration) async throws {
        try await clock.sleep(for: duration)
    }
}
