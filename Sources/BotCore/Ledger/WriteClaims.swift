import Rules
import Synchronization

/// What is being written to. What is appended or turned over depends on what is there, so that is read and written for one
/// write at a time, also where several rules write to the same session.
final class WriteClaims: Sendable {
    private let claimed = Mutex<Set<WriteTarget>>([])

    /// False when it is another's. Zimmer as a whole is nobody's.
    func claim(_ target: WriteTarget) -> Bool {
        target == .zimmer || claimed.withLock { $0.insert(target).inserted }
    }

    func release(_ target: WriteTarget) {
        claimed.withLock { _ = $0.remove(target) }
    }
}
