import BotCore
import CEL
import DemoZimmer

/// The simulated server's time, for the bot too: its waits pass as much faster.
struct DemoClock: BotClock {
    let server: DemoServer
    let speed: Double

    func now() -> Timestamp {
        let milliseconds = server.now.millisecondsSince1970
        return Timestamp(
            seconds: milliseconds / 1_000, nanoseconds: Int32(truncatingIfNeeded: milliseconds % 1_000) * 1_000_000)
    }

    func elapsed() -> Duration {
        .milliseconds(server.now.millisecondsSince1970)
    }

    func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: max(duration, .zero) / speed)
    }
}
