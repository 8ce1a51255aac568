import CEL
import Synchronization

@testable import BotCore

/// Time that passes when a timetable says so. This machine's wall clock may be set; Zimmer's is right.
final class VirtualClock: BotClock {
    private let time: Mutex<(now: Timestamp, isOff: Duration)>

    init(_ start: Timestamp) {
        time = Mutex((start, .zero))
    }

    func now() -> Timestamp { time.withLock { $0.now + $0.isOff } }
    func elapsed() -> Duration { time.withLock { $0.now } - Timestamp(seconds: 0) }
    func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(86_400)) }

    /// Never back.
    func pass(to now: Timestamp) { time.withLock { $0.now = max($0.now, now) } }

    /// Somebody sets this machine's clock.
    func set(by change: Duration) { time.withLock { $0.isOff += change } }

    /// How far this machine's clock is off.
    var isOff: Duration { time.withLock { $0.isOff } }

    /// Zimmer's clock, in the form of HTTP.
    var date: String {
        let text = WireTime.wallClock(time.withLock { $0.now })
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split { "-T".contains($0) }.map(String.init)
        return "Fri, \(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(parts[3]) GMT"
    }
}
