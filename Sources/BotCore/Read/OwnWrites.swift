import AdapterKit
import Synchronization

/// Tells the reader of the board that we changed something in Zimmer, so that rules soon see what came of it.
final class OwnWrites: Sendable {
    private let last = Mutex<Duration?>(nil)
    private let bell = Bell()

    /// A call that changes something was made.
    ///
    /// - Parameter elapsed: `BotClock.elapsed()` of now.
    func note(at elapsed: Duration) {
        last.withLock { $0 = elapsed }
        bell.ring()
    }

    /// One was made since then.
    func hasOne(since elapsed: Duration) -> Bool {
        last.withLock { $0.map { $0 >= elapsed } ?? false }
    }

    /// Until the next one, at most for so long.
    func wait(atMost duration: Duration, _ clock: any BotClock) async {
        await bell.wait(atMost: duration, clock)
    }
}
