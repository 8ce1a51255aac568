public import AdapterKit
import Synchronization

/// Keeps what an adapter says of its connection, and can wait for it.
public final class RecordingMonitor: ConnectionMonitor {
    private struct State {
        var reports: [ConnectionState] = []
        var waiting: [(isWanted: @Sendable (ConnectionState) -> Bool, continuation: AsyncStream<Void>.Continuation)] =
            []
    }

    private let state = Mutex(State())

    public init() {}

    /// Oldest first.
    public var reports: [ConnectionState] {
        state.withLock { $0.reports }
    }

    public func report(_ report: ConnectionState) {
        let met = state.withLock { state in
            state.reports.append(report)
            let met = state.waiting.filter { $0.isWanted(report) }.map(\.continuation)
            state.waiting.removeAll { $0.isWanted(report) }
            return met
        }
        for continuation in met { continuation.yield() }
    }

    /// Returns once the latest report is a wanted one, or its task is cancelled.
    public func wait(until isWanted: @escaping @Sendable (ConnectionState) -> Bool) async {
        let (met, continuation) = AsyncStream.makeStream(of: Void.self)
        let isMet = state.withLock { state in
            if let last = state.reports.last, isWanted(last) { return true }
            state.waiting.append((isWanted, continuation))
            return false
        }
        if isMet { return }
        for await _ in met { return }
    }
}
