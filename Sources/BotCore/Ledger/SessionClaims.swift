import Synchronization

/// Sessions that are being written to. What is appended or turned over depends on what is there, so that is read and
/// written for one subject at a time, also where several write to the same session.
final class SessionClaims: Sendable {
    private let claimed = Mutex<Set<Int64>>([])

    /// False when it is another's.
    func claim(_ session: Int64) -> Bool {
        claimed.withLock { $0.insert(session).inserted }
    }

    func release(_ session: Int64) {
        claimed.withLock { _ = $0.remove(session) }
    }
}
