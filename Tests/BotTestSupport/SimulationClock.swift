import BotCore
import CEL
import DemoZimmer

/// The time of a simulated server, or another by a fixed difference, for the bot. It moves when the server's does, and
/// only between rounds, so whoever sleeps is cancelled before.
struct SimulationClock: BotClock {
    let server: DemoServer
    /// This machine's clock minus the server's.
    let offset: Duration

    func now() -> Timestamp {
        let milliseconds = server.now.millisecondsSince1970
        let time = Timestamp(seconds: milliseconds / 1_000, nanoseconds: Int32(milliseconds % 1_000) * 1_000_000)
        return time + offset
    }

    func elapsed() -> Duration {
        .milliseconds(server.now.millisecondsSince1970)
    }

    func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: .seconds(86_400))
    }
}
