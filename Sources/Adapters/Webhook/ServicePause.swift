import AdapterKit
import Synchronization

/// Until when a service wants to be left alone.
final class ServicePause: Sendable {
    private let end = Mutex<WallTime?>(nil)

    func extend(to time: WallTime) {
        end.withLock { end in end = max(end ?? time, time) }
    }

    /// - Throws: `CancellationError`.
    func wait(_ clock: any AdapterClock) async throws {
        let end = end.withLock { $0 }
        guard let end else { return }
        // Longer than this only where the clock was put back.
        let duration = min(end - clock.now, .seconds(60))
        if duration > .zero { try await clock.sleep(for: duration) }
    }
}
